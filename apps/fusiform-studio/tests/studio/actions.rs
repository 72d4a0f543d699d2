//! Whatever a person does, in any order: nothing breaks, and everything can be taken back.

use crate::arm;
use crate::window::{fitted, rig};
use fusiform::musculature::{Base, Driver, Layer, NormalWeighting, Signal};
use fusiform::{Clip, Physique};
use fusiform_fit::{Preset, Role, Side};
use fusiform_studio::model::keys::{add_key, no_keys};
use fusiform_studio::model::{
    Action, Anatomy, AsBaked, Brush, CHOICES, Carve, Carved, Curve, DIALS, Edit, Falloff, Fit, Gesture, Grip,
    LAYER_FIELDS, Look, Mode, Of, Part, Placing, Play, Project, Recipe, Recovery, Show, Spot, Stroke, Studio, Target,
    Tool, Wanted,
};
use glam::{Quat, Vec3};
use std::path::{Path, PathBuf};

/// A generator of numbers that is the same everywhere (Marsaglia: *Xorshift RNGs*, 2003).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    /// Mostly what a slider gives, now and then what nobody would type.
    fn number(&mut self) -> f32 {
        match self.below(40) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => -1e9,
            n => n as f32 * 0.05,
        }
    }

    fn stroke(&mut self) -> Edit {
        let of = if self.below(2) == 0 { Of::Joints } else { Of::Muscles };
        let targets = (0..1 + self.below(2)).map(|_| self.below(4) as u16).collect();
        let locked = (0..self.below(3)).map(|_| self.below(4) as u16).collect();
        let passes = (0..self.below(3))
            .map(|_| (0..self.below(30)).map(|_| (self.below(80) as u32, [self.number(), self.number()])).collect());
        let (passes, mode) = (passes.collect(), Mode::ALL[self.below(4)].0);
        Edit::Paint(Stroke { of, mode, value: self.number(), targets, locked, passes })
    }

    fn carved(&mut self) -> Edit {
        let pass = (0..self.below(30)).map(|_| (self.below(80) as u32, self.number())).collect();
        let shape = (self.below(3) == 0).then(|| self.below(3));
        Edit::Sculpt(Carved { muscle: self.below(4), shape, mode: Carve::ALL[self.below(4)].0, passes: vec![pass] })
    }

    fn target(&mut self) -> Target {
        if self.below(2) == 0 { Target::Joint(self.below(5)) } else { Target::Muscle(self.below(5)) }
    }

    fn edit(&mut self) -> Edit {
        match self.below(18) {
            15 => {
                let turn = Quat::from_xyzw(self.number(), self.number(), 0.0, self.number());
                [Edit::Turn(self.below(4), turn), Edit::TurnTo(self.below(4), turn)][self.below(2)].clone()
            }
            16 => Edit::Unturn((self.below(2) == 0).then(|| self.below(4))),
            17 => Edit::Prune([Of::Joints, Of::Muscles][self.below(2)], self.number(), vec![self.below(4) as u16]),
            9..11 => self.stroke(),
            11 => self.carved(),
            12..15 => self.inspected(),
            0..5 => Edit::Dial(self.below(DIALS.len() + 1), self.number()),
            5..7 => Edit::Place(self.placing()),
            7 => Edit::Physique(Physique { size: self.number(), ..Physique::default() }),
            _ => match self.below(8) {
                0 => Edit::Delete,
                4 => Edit::RemoveMotion(self.below(3)),
                5 => Edit::RenameMotion(self.below(3), ["still", "bend", "walk", " "][self.below(4)].into()),
                3 => Edit::Want(self.wanted()),
                1 => Edit::TurnPlane("upper".into(), (self.below(4) > 0).then(|| 100.0 * self.number())),
                2 => Edit::DragPlane(["upper", "lower"][self.below(2)].into(), 90.0 * self.number()),
                _ => Edit::Motion(Clip { name: "still".into(), channels: vec![] }),
            },
        }
    }

    fn wanted(&mut self) -> Wanted {
        let joint = (self.below(2) == 0).then(|| "lower".to_owned());
        let roles = (0..self.below(2)).map(|_| ("lower_arm.l".to_owned(), joint.clone())).collect();
        let body = (self.below(3) == 0).then(|| ["arm", "nobody"][self.below(2)].into());
        Wanted { fat: (self.below(3) > 0).then(|| 0.01 * self.number()), roles, body }
    }

    fn grip(&mut self) -> Grip {
        let k = self.below(3);
        let curve = [Curve::Origin, Curve::Middle, Curve::Insertion][self.below(3)];
        [Grip::Origin, Grip::Insertion, Grip::Via(k), Grip::Sheet(curve, k), Grip::Bend, Grip::Up][self.below(6)]
    }

    fn placing(&mut self) -> Placing {
        let (m, name) =
            (self.below(5), |k: usize| ["upper", "lower", "hand", "nobody", "biceps.l", "long.r", " "][k].to_owned());
        match self.below(21) {
            19 => Placing::AddPoint(m, [Curve::Origin, Curve::Middle, Curve::Insertion][self.below(3)]),
            20 => {
                let curve = [Curve::Origin, Curve::Middle, Curve::Insertion][self.below(3)];
                Placing::RemovePoint(m, curve, self.below(4))
            }
            16 => Placing::LeftToRight,
            17 => Placing::RightToLeft,
            18 => Placing::ToSkin(m, self.grip()),
            0 => Placing::Create(
                [(); 2].map(|()| Spot { corners: [(); 3].map(|()| self.below(73)), shares: Vec3::splat(1.0 / 3.0) }),
            ),
            1..5 => Placing::Grip(m, self.grip(), Vec3::new(self.number(), self.number(), self.number()) * 0.1),
            5 => Placing::Joint(m, self.grip(), name(self.below(4))),
            6 => Placing::Carrier(m, (self.below(2) == 0).then(|| name(self.below(4)))),
            7..9 => Placing::AddVia(m, self.below(4)),
            9..11 => Placing::RemoveVia(m, self.below(4)),
            11..13 => Placing::Rename(m, name(self.below(7))),
            13 => Placing::Duplicate,
            14 => Placing::MirrorOver,
            _ => Placing::Weigh,
        }
    }

    /// What the inspector and the curve editor do.
    fn inspected(&mut self) -> Edit {
        match self.below(16) {
            0..6 => {
                let choice = self.below(CHOICES.len() + 1);
                Edit::Choose(choice, self.below(7))
            }
            6 => Edit::Nth(self.below(DIALS.len()), self.below(3), self.number()),
            7 => Edit::AddShape,
            8 => [Edit::RemoveShape(self.below(2)), Edit::GoToShape((self.below(3) > 0).then(|| self.below(3)))]
                [self.below(2)]
            .clone(),
            9..11 => Edit::Part(Part::Normals([NormalWeighting::Area, NormalWeighting::Angle][self.below(2)])),
            11 => Edit::Part(Part::Base([Base::Linear, Base::DualQuaternion][self.below(2)])),
            12 => Edit::Part(Part::Tension(self.number())),
            13 => {
                let all = [Layer::blend(), Layer::tissue(), Layer::shells(), Layer::wrap(), Layer::displace()];
                let mut layers: Vec<Layer> = (0..self.below(3)).map(|_| all[self.below(5)].clone()).collect();
                let field = &LAYER_FIELDS[self.below(LAYER_FIELDS.len())];
                layers.iter_mut().for_each(|layer| field.turn(layer, self.number()));
                Edit::Part(Part::Layers(layers))
            }
            14 => {
                let remap = vec![[0.0, self.number()], [0.1 + self.number(), 1.0]];
                let signal = Signal::JointAngle { joint: ["lower", "none"][self.below(2)].into(), axis: None };
                let muscles = [vec![], vec!["biceps.l".into()]][self.below(2)].clone();
                let driver = Driver { muscles, signal, remap };
                let i = self.below(3);
                Edit::Part([Part::AddDriver(driver.clone()), Part::Driver(i, driver), Part::RemoveDriver(i)][i].clone())
            }
            _ => {
                let mut track = no_keys(["biceps.l", "biceps.r"][self.below(2)]);
                (0..self.below(3)).for_each(|_| _ = add_key(&mut track, self.number(), self.number()));
                Edit::Part(Part::Keys("bend".into(), vec![track]))
            }
        }
    }

    fn play(&mut self) -> Play {
        match self.below(9) {
            0 => Play::Clip((self.below(3) > 0).then(|| self.below(3))),
            1 => Play::Run(self.below(3) > 0),
            2 => Play::Loop(self.below(2) == 0),
            3 => Play::Speed(self.number()),
            4 => Play::Seek(self.number()),
            5 => Play::Frames(self.below(9) as i32 - 4),
            6 => Play::Settle,
            7 => {
                Play::Baked((self.below(2) == 0).then(|| AsBaked { fps: self.below(300) as u16, ..AsBaked::default() }))
            }
            _ => Play::Tense(self.number()),
        }
    }

    fn look(&mut self) -> Look {
        match self.below(14) {
            13 => Look::HideMesh(self.below(2), self.below(4) == 0),
            12 => Look::Choose((0..self.below(4)).collect()),
            10 => Look::Lock(self.target(), self.below(3) == 0),
            11 => Look::Brush(Brush {
                radius: 0.1 * self.number(),
                strength: self.number(),
                value: self.number(),
                falloff: Falloff::ALL[self.below(4)].0,
                ..Brush::new(self.number())
            }),
            0..4 => Look::Select((self.below(4) > 0).then(|| self.below(5)), self.below(2) == 0),
            4 => Look::Joint((self.below(2) == 0).then(|| self.below(5))),
            5 => Look::Mirrored(self.below(2) == 0),
            6 => Look::Show(Show::ALL[self.below(Show::ALL.len())].0),
            7 => Look::Hide(self.below(4), self.below(2) == 0),
            8 => Look::Tool(Tool::ALL[self.below(Tool::ALL.len())].0),
            _ => [Look::Solo, Look::Unhide][self.below(2)].clone(),
        }
    }

    fn fit(&mut self) -> Fit {
        match self.below(8) {
            0 => Fit::Run,
            1 => Fit::Shape,
            2 => Fit::PlaceAgain,
            3 => Fit::Show(self.below(2) == 0),
            4 => Fit::Stop,
            _ => {
                let anatomy = [Anatomy::Found, Anatomy::Humanoid, Anatomy::Pairs, Anatomy::File("none".into())]
                    [self.below(4)]
                .clone();
                let preset = Preset::ALL[self.below(Preset::ALL.len())];
                Fit::Recipe(Recipe { anatomy, preset, fat: Some(0.01 * self.number()), ..Recipe::default() })
            }
        }
    }

    fn action(&mut self, gestures: &[Gesture; 3]) -> Action {
        let gesture = (self.below(2) == 0).then(|| gestures[self.below(3)]);
        match self.below(24) {
            0..9 => Action::Edit(self.edit(), gesture),
            9..11 => Action::Undo,
            11 => Action::Redo,
            12..18 => self.play().into(),
            18 => self.fit().into(),
            _ => self.look().into(),
        }
    }
}

fn studio(recovery: Option<Recovery>) -> Studio {
    let (project, muscles) = Project::from_bytes("arm.glb", &arm::glb()).expect("a sound file");
    Studio::new(project, muscles, recovery).expect("sound muscles")
}

/// `SEEDS=20 cargo test -p fusiform-studio --test studio actions` is the long run.
#[test]
fn ten_thousand_actions_do_no_harm_and_undoing_all_brings_back_the_first_document() {
    let seeds = std::env::var("SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    (0..seeds).for_each(do_ten_thousand);
}

fn do_ten_thousand(seed: u64) {
    let mut studio = studio(None);
    let (first, mut dice) = (studio.document().clone(), Dice(0x5eed + seed));
    let gestures = [(); 3].map(|()| Gesture::begin());
    let mut edits = 0;
    for i in 0..10_000 {
        let before = studio.history.revision();
        let action = dice.action(&gestures);
        studio.apply(action.clone());
        fitted(&mut studio); // at once, so that every run is the same
        edits += u64::from(studio.history.revision() > before);
        if i % 7 == 0 {
            studio.live.advance(&studio.project.character, 1.0 / 60.0);
        }
        let places = studio.live.muscled().1.positions();
        assert!(places.iter().all(|p| p.is_finite()), "after action {i} of seed {seed}, {action:?}");
    }
    assert!(edits > 1_000, "only {edits} of them edited anything");
    let last = studio.document().clone();
    let mut steps = 0;
    while studio.history.undo_label().is_some() {
        studio.apply(Action::Undo);
        steps += 1;
    }
    assert_eq!(studio.document(), &first, "seed {seed}");
    (0..steps).for_each(|_| studio.apply(Action::Redo));
    assert_eq!(studio.document(), &last);
}

#[test]
fn a_character_without_muscles_is_given_some_and_undo_takes_them_away() {
    let mut studio = studio(None);
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Edit::Delete);
    assert!(studio.muscles().is_empty(), "both sides go");
    rig(&mut studio, Preset::Lee);
    assert!(studio.fault.is_none() && !studio.muscles().is_empty(), "{:?}", studio.fault);
    studio.apply(Action::Undo);
    assert!(studio.muscles().is_empty());
}

#[test]
fn what_is_saved_opens_again_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.glb");
    let mut studio = studio(None);
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Edit::Dial(0, 0.033));
    assert!(studio.history.is_unsaved());
    studio.save(&path).unwrap();
    assert!(!studio.history.is_unsaved() && !studio.changed_on_disk());
    let (_, muscles) = Project::open(&path).unwrap();
    assert_eq!(muscles, studio.document().musculature);
    assert_eq!(DIALS[0].of(&muscles.muscles[1]), Some(0.033), "the other side follows");
}

#[test]
fn a_place_that_cannot_be_written_to_is_told_and_changes_nothing() {
    let mut studio = studio(None);
    studio.apply(Look::Select(Some(0), false));
    studio.apply(Edit::Dial(0, 0.033));
    let fault = studio.save(Path::new("/no/such/folder/arm.glb")).unwrap_err();
    assert!(fault.to_string().contains("/no/such/folder/arm.glb") && !fault.cure.is_empty(), "{fault}");
    assert!(studio.history.is_unsaved());
}

#[test]
fn bad_files_are_told_and_open_nothing() {
    let glb = arm::glb();
    for (bytes, what) in
        [(&b""[..], "nothing"), (&b"not a glb at all"[..], "text"), (&glb[..glb.len() / 2], "half a file")]
    {
        let fault = Project::from_bytes("broken.glb", bytes).expect_err(what);
        assert!(fault.to_string().contains("broken.glb"), "{what}: {fault}");
    }
}

/// The athlete, and the file of a walk; none where there is no such file.
fn athlete_and_walk() -> Option<(Studio, PathBuf)> {
    let motion = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/bvh/cmu_07_01_walk.bvh");
    if !motion.exists() {
        skipped!("a captured motion: {} is not there", motion.display());
        return None;
    }
    let (project, muscles) = Project::athlete(Some(3_700)).unwrap();
    Some((Studio::new(project, muscles, None).unwrap(), motion))
}

#[test]
fn a_captured_motion_moves_the_joints_that_people_say_are_hips_and_legs() {
    let Some((mut studio, motion)) = athlete_and_walk() else { return };
    let hips = studio.fit.found.roles.get(Role::Hips, Side::Left).expect("the athlete has hips");
    let mut recipe = Recipe::default();
    recipe.given.insert((Role::Hips, None), None);
    studio.apply(Fit::Recipe(recipe.clone()));
    studio.add_motion(&motion);
    let fault = studio.fault.take().expect("hips are nowhere").to_string();
    assert!(fault.contains("hips") && fault.contains("Roles of joints"), "{fault}");
    recipe.given.insert((Role::Hips, None), Some(hips));
    studio.apply(Fit::Recipe(recipe.clone()));
    studio.add_motion(&motion);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
}

#[test]
fn a_captured_motion_becomes_a_clip_and_a_broken_one_is_told() {
    let Some((mut studio, motion)) = athlete_and_walk() else { return };
    let clips = studio.project.character.clips.len();
    studio.add_motion(&motion);
    assert!(studio.fault.is_none(), "{:?}", studio.fault);
    assert_eq!(studio.live.playing.clip, Some(clips));
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.bvh");
    std::fs::write(&broken, "HIERARCHY").unwrap();
    studio.add_motion(&broken);
    assert!(studio.fault.as_ref().is_some_and(|fault| fault.to_string().contains("broken.bvh")));
    assert_eq!(studio.project.character.clips.len(), clips + 1);
}
