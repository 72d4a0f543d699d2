//! Muscles in a game: load a rigged character, bind it once, step a hundred of it, and hand slices to the GPU.
//!
//! ```console
//! $ fusiform rig hero.glb -o hero_muscles.glb
//! $ cargo run --release --example game_loop -- hero_muscles.glb
//! ```
//!
//! Without a file it plays the built-in athlete. Nothing in the loop allocates.

use fusiform::body::{PlayedActivation, Snapshot};
use fusiform::{Body, BodyState, Character, Clip, Detail, Musculature, Pose, StepInput};
use fusiform_files::gltf::{Gltf, Scene, read_beside};
use glam::{Affine3A, Vec3};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// How many characters are on screen.
const CHARACTERS: usize = 100;
/// Seconds of a frame.
const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let (character, musculature) = match std::env::args().nth(1) {
        Some(file) => load(Path::new(&file))?,
        None => {
            let athlete = fusiform_athlete::athlete(4_000)?;
            (athlete.character, athlete.musculature)
        }
    };
    let mut game = Game::new(&character, &musculature, CHARACTERS)?;
    let start = Instant::now();
    let frames = 120;
    rayon::ThreadPoolBuilder::new().build()?.install(|| {
        for _ in 0..frames {
            game.frame();
            for i in 0..CHARACTERS {
                upload(game.vertices(i));
            }
        }
    });
    let ms = start.elapsed().as_secs_f64() * 1e3 / f64::from(frames);
    println!("{CHARACTERS} characters of {} vertices: {ms:.2} ms a frame", game.body.n_vertex());
    Ok(())
}

/// A rigged character from a file: any glTF that `fusiform rig` has written.
pub fn load(file: &Path) -> Result<(Character, Musculature), Box<dyn Error>> {
    let gltf = Gltf::read(&std::fs::read(file)?, read_beside(file.parent().unwrap_or(Path::new("."))))?;
    let scene = Scene::read(&gltf)?;
    let musculature = scene.musculature.ok_or("this file has no muscles; run `fusiform rig` on it first")?;
    Ok((scene.character, musculature))
}

/// What the game keeps: one body for all, a state and a pose for each.
pub struct Game<'a> {
    body: Body,
    states: Vec<BodyState>,
    poses: Vec<Vec<Affine3A>>,
    activations: Vec<PlayedActivation>,
    character: &'a Character,
    clip: Option<&'a Clip>,
    pose: Pose,
    frame: usize,
}

impl<'a> Game<'a> {
    /// Everything is checked and sized here, once.
    pub fn new(character: &'a Character, musculature: &Musculature, n: usize) -> Result<Self, Box<dyn Error>> {
        let body = Body::bind(character, musculature)?;
        let clip = character.clips.first();
        let activation = body.play(clip.map(|clip| clip.name.as_str()), &[]);
        Ok(Self {
            states: vec![BodyState::new(&body); n],
            poses: vec![character.skeleton.bind_matrices(); n],
            activations: vec![activation; n],
            body,
            character,
            clip,
            pose: Pose::rest(&character.skeleton),
            frame: 0,
        })
    }

    /// One frame of all characters, each at its own place in the clip and in the world.
    pub fn frame(&mut self) {
        let seconds = self.clip.map_or(1.0, |clip| clip.duration().max(DT));
        for (i, pose) in self.poses.iter_mut().enumerate() {
            let time = (self.frame as f32 * DT + 0.37 * i as f32) % seconds;
            self.pose.reset(&self.character.skeleton);
            if let Some(clip) = self.clip {
                clip.sample(time, &mut self.pose);
            }
            self.pose.to_model(&self.character.skeleton, pose);
            // what animators keyed for this clip; drivers are the body's own
            self.activations[i].at(time);
        }
        let (poses, activations) = (&self.poses, &self.activations);
        self.body.step_all(&mut self.states, |i| {
            let mut input = StepInput::new(&poses[i], DT);
            input.activation = activations[i].levels();
            input.world_from_model = Affine3A::from_translation(Vec3::X * i as f32);
            input.detail = Detail::default();
            input
        });
        self.frame += 1;
    }

    /// What is uploaded for character `i`: positions and normals, one row a vertex, metres, model space.
    pub fn vertices(&self, i: usize) -> (&[Vec3], &[Vec3]) {
        (self.states[i].positions(), self.states[i].normals())
    }

    /// What a rollback needs: small, exact to the bit.
    pub fn save(&self) -> (usize, Vec<Snapshot>) {
        (self.frame, self.states.iter().map(BodyState::snapshot).collect())
    }

    /// Come back to a saved moment; the frames that follow are the same as they were.
    pub fn restore(&mut self, (frame, snapshots): &(usize, Vec<Snapshot>)) {
        self.frame = *frame;
        self.states.iter_mut().zip(snapshots).for_each(|(state, snapshot)| state.restore(snapshot));
    }
}

/// Where a game would write into a mapped vertex buffer: both slices are plain bytes.
fn upload((positions, normals): (&[Vec3], &[Vec3])) {
    std::hint::black_box((positions.as_ptr(), normals.as_ptr()));
}
