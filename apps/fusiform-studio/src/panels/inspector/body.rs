//! The whole body: its build, how joints move its skin, its bones.

use super::group;
use crate::model::{
    Action, BONE_FIELDS, Choice, Edit, PHYSIQUE_FIELDS, Part, Studio, bone_from_metres, bone_in_metres,
};
use crate::panels::rows::{Hand, capital};
use egui::Ui;
use fusiform::musculature::{Base, Bone, BoneShape, NormalWeighting, Physique};

/// Draw; what is done goes into `actions`. Gives the bone whose numbers are at hand, from the one whose were.
pub fn show(
    hand: &mut Hand,
    ui: &mut Ui,
    studio: &Studio,
    last: Option<usize>,
    actions: &mut Vec<Action>,
) -> Option<usize> {
    ui.heading("Whole body");
    group(ui, "Build", true, |ui| physique(hand, ui, studio, actions));
    group(ui, "Skinning", true, |ui| skinning(hand, ui, studio, actions));
    let bones = &studio.document().musculature.bones;
    group(ui, "Bones", true, |ui| {
        if bones.is_empty() {
            ui.weak("None: rigs after saam and murai have some.");
        }
        let mut at_hand = None;
        for (i, bone) in bones.iter().enumerate() {
            match show_bone(hand, ui, studio, (i, bone), actions) {
                Some(true) => at_hand = Some(i),
                Some(false) if last == Some(i) => at_hand = at_hand.or(last),
                _ => {}
            }
        }
        at_hand
    })
    .flatten()
}

fn physique(hand: &mut Hand, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let physique = studio.document().musculature.physique;
    ui.horizontal(|ui| {
        for name in Physique::NAMES {
            let Some(named) = Physique::named(name) else { continue };
            if ui.selectable_label(physique == named, capital(name)).on_hover_text(tip_of(name)).clicked() {
                actions.push(Edit::Physique(named).into());
            }
        }
    });
    let turned = hand.all(ui, (PHYSIQUE_FIELDS, &[]), &physique, &studio.project.character.skeleton);
    if let Some((physique, gesture)) = turned {
        actions.push(Action::Edit(Edit::Physique(physique), gesture));
    }
}

fn tip_of(name: &str) -> &'static str {
    match name {
        "brute" => "Huge bellies that swell the skin hard and hardly shake",
        "gaunt" => "Thin, stringy, dry",
        "jelly" => "Everything wobbles",
        _ => "As the anatomy was made",
    }
}

const BASE: Choice<Base> = Choice::new(
    ("", "Joints move by"),
    (
        &[
            ("Linear blend", "What engines do: skin loses volume where a joint twists."),
            ("Dual quaternions", "Keeps volume where a joint twists."),
        ],
        0,
    ),
    (
        |base| Some(usize::from(*base == Base::DualQuaternion)),
        |base, option, _| *base = if option == 1 { Base::DualQuaternion } else { Base::Linear },
    ),
    "How joints move the skin before any muscle does.",
);

const NORMALS: Choice<NormalWeighting> = Choice::new(
    ("", "Normals by"),
    (
        &[
            ("Area", "Cheapest, and kind to even meshes."),
            ("Angle", "The same however polygons were cut into triangles."),
        ],
        0,
    ),
    (
        |normals| Some(usize::from(*normals == NormalWeighting::Angle)),
        |normals, option, _| *normals = if option == 1 { NormalWeighting::Angle } else { NormalWeighting::Area },
    ),
    "How faces share their normals with vertices: how the skin is shaded.",
);

fn skinning(hand: &mut Hand, ui: &mut Ui, studio: &Studio, actions: &mut Vec<Action>) {
    let (document, skeleton) = (&studio.document().musculature, &studio.project.character.skeleton);
    if let Some((base, _)) = hand.all(ui, (&[], &[BASE]), &document.base, skeleton) {
        actions.push(Edit::Part(Part::Base(base)).into());
    }
    if let Some((normals, _)) = hand.all(ui, (&[], &[NORMALS]), &document.normals, skeleton) {
        actions.push(Edit::Part(Part::Normals(normals)).into());
    }
}

/// Whether the mouse has come to its numbers; none where they are folded.
fn show_bone(
    hand: &mut Hand,
    ui: &mut Ui,
    studio: &Studio,
    (i, bone): (usize, &Bone),
    actions: &mut Vec<Action>,
) -> Option<bool> {
    let kind = match bone.shape {
        BoneShape::Capsule { .. } => "capsule",
        BoneShape::Ellipsoid { .. } => "ellipsoid",
        _ => "mesh",
    };
    let header = egui::CollapsingHeader::new(&*bone.name).id_salt(("bone", &bone.name));
    let shown = header.show(ui, |ui| {
        ui.weak(format!("{kind} on {}", bone.joint));
        let skeleton = &studio.project.character.skeleton;
        let shown = bone_in_metres(skeleton, bone);
        if let Some((turned, gesture)) = hand.all(ui, (BONE_FIELDS, &[]), &shown, skeleton) {
            let bone = bone_from_metres(skeleton, bone, [shown, turned]);
            actions.push(Action::Edit(Edit::Part(Part::Bone(i, bone)), gesture));
        }
    });
    let rect = shown.header_response.rect.union(shown.body_response?.rect);
    // a drag of one's number may end over another's
    Some(ui.rect_contains_pointer(rect) && !ui.input(|input| input.pointer.any_down()))
}
