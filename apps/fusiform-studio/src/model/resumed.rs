//! Resumed: a file that is read again is seen and worked on as it was, as far as what it has is called the same.

use super::{Look, Play, Studio, Target};
use std::collections::BTreeSet;

impl Studio {
    /// Be looked at and worked with as another session was: muscles and joints are known by name.
    pub fn resume(&mut self, before: &Self) {
        let of_joint = |joint: usize| {
            let name = &before.project.character.skeleton.joints.get(joint)?.name;
            self.project.character.skeleton.find(name)
        };
        let of_muscle = |m: usize| self.document().musculature.find(&before.muscles().get(m)?.name);
        let hidden: Vec<usize> = before.hidden.iter().filter_map(|&m| of_muscle(m)).collect();
        let chosen: BTreeSet<usize> = before.chosen.iter().filter_map(|&m| of_muscle(m)).collect();
        let locked = before.locks.joints.iter().filter_map(|&joint| of_joint(joint)).map(Target::Joint);
        let muscles = before.locks.muscles.iter().filter_map(|name| self.document().musculature.find(name));
        let locked: Vec<Target> = locked.chain(muscles.map(Target::Muscle)).collect();
        let joint = before.joint.and_then(of_joint);
        // a tool shows what it works on, and what is chosen lets go of the joint
        let looks = [Look::Mirrored(before.mirrored), Look::Tool(before.tool), Look::Show(before.show)];
        let chosen = [Look::Brush(before.brush), Look::Choose(chosen), Look::Joint(joint)];
        looks.into_iter().chain(chosen).for_each(|look| self.apply(look));
        hidden.into_iter().for_each(|m| self.apply(Look::Hide(m, true)));
        locked.into_iter().for_each(|target| self.apply(Look::Lock(target, true)));
        // several may be called the same: only a file with the same meshes hides the same
        let [of, then] = [&self.project, &before.project].map(|of| of.character.meshes.iter().map(|mesh| &mesh.name));
        if of.eq(then) {
            before.hidden_meshes.iter().for_each(|&mesh| self.apply(Look::HideMesh(mesh, true)));
        }
        self.resume_clip(before);
    }

    /// The same moment of the same clip.
    fn resume_clip(&mut self, before: &Self) {
        let name = |clip: usize| before.project.character.clips[clip].name.clone();
        let clips = &self.project.character.clips;
        let named = before.live.playing.clip.map(name);
        let clip = named.and_then(|name| clips.iter().position(|clip| clip.name == name));
        if clip.is_some() {
            self.apply(Play::Clip(clip));
            self.apply(Play::Seek(before.live.playing.time));
        }
    }
}
