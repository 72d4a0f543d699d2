//! Tissue: what skin, fat and bellies weigh and how they hang together.

use serde::{Deserialize, Serialize};

/// A network of masses, springs and dampers over the skin, the bellies under it and the bones under those.
///
/// Murai, Hong, Yamane, Hodgins: *Dynamic Skin Deformation Simulation Using Musculoskeletal Model and Soft Tissue Dynamics*,
/// 2016, section 3.3 and Table 1. A skin vertex hangs on its neighbours and on every belly and bone vertex below it, within a
/// half ball that reaches [`Tissue::depth`] beyond the nearest; a belly vertex hangs on its neighbours and on where the pose
/// wants it. The first three stiffnesses count for a vertex of mean area, and others in proportion; the last is divided by the
/// spring's length in millimetres, so that skin is stiff where bone is near.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tissue {
    /// Names of the muscles that take part; empty is all of them.
    pub muscles: Vec<String>,
    /// Names of the bones that take part; empty is all of them.
    pub bones: Vec<String>,
    /// Of skin and bellies together, kg, shared by area; 0.001 ..= 1e6.
    pub mass: f32,
    /// K_ss, between neighbours on the skin, N/m; 0 ..= 1e9.
    pub skin: f32,
    /// K_mm, between neighbours on a belly, N/m; 0 ..= 1e9.
    pub belly: f32,
    /// K_dqm, from a belly vertex to where the pose wants it, N/m; 0 ..= 1e9. This is what swings.
    pub goal: f32,
    /// K_smb, from the skin to bellies and bones below it, N/m times the spring's length in millimetres; 0 ..= 1e12.
    pub anchor: f32,
    /// A spring of stiffness k has a damper of this share of sqrt(k x 1 kg), N s/m; 0 ..= 10.
    pub damping: f32,
    /// How far below the nearest belly or bone vertex the skin still finds others, metres; 0 ..= 1.
    pub depth: f32,
    /// How many of those a skin vertex hangs on at most, the nearest first, each the stiffer for those left out; 0 is all of
    /// them, as in the paper.
    pub links: u16,
    /// How thick bellies are for this layer, 0.05 ..= 4: less leaves thicker, softer tissue over them (beta in Fig. 3), and
    /// [`Tissue::goal`] counts for its square (ours).
    pub muscularity: f32,
    /// Share of gravity it feels, 0 ..= 10. The sculpted skin already hangs as it does at bind, so only what turning a limb
    /// changes counts.
    pub gravity: f32,
    /// Farthest anything is drawn from where it would be without this layer, metres; 0.0001 ..= 10.
    pub reach: f32,
    /// What springs are as long as when nothing pulls at them.
    pub rest: TissueRest,
    /// How it is carried through time.
    pub integrator: TissueIntegrator,
}

impl Tissue {
    /// Flesh that can be seen to move: a calf swings 15 to 20 times a second, by half a centimetre as its owner lands. With
    /// Table 1 as printed, skin that hangs on bellies and bones ties them together, and it moves by tenths of a millimetre.
    #[must_use]
    pub fn lively() -> Self {
        let integrator = TissueIntegrator::Quick;
        Self { belly: 5e4, goal: 25.0, anchor: 1e4, links: 8, integrator, ..Self::default() }
    }
}

/// Table 1 of the paper.
impl Default for Tissue {
    fn default() -> Self {
        Self {
            muscles: Vec::new(),
            bones: Vec::new(),
            mass: 70.0,
            skin: 1e4,
            belly: 1e5,
            goal: 1e2,
            anchor: 1e7,
            damping: 0.02,
            depth: 0.02,
            links: 0,
            muscularity: 1.0,
            gravity: 1.0,
            reach: 0.08,
            rest: TissueRest::default(),
            integrator: TissueIntegrator::default(),
        }
    }
}

/// What the springs of a tissue are as long as when nothing pulls at them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TissueRest {
    /// As in the pose: skin that nothing shakes is where the layers before left it (ours).
    #[default]
    Posed,
    /// As at bind, those of a belly as it is now (the paper's): the springs alone take the skin into a pose. For the
    /// integrator that is the paper's too: the others take springs to point as they do in the pose.
    Bind,
}

/// How a tissue is carried through time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TissueIntegrator {
    /// Implicit, of second order, stable whatever the stiffness, and true to what can be seen: peaks, frequencies
    /// and decay within a tenth of the reference up to some 40 Hz (ours).
    #[default]
    Implicit,
    /// The same in a quarter of the steps: a fifth of the time. Landings of flesh that swings up to some 20 times a second are
    /// within a tenth of the reference, the first moment of a blow within a fifth.
    Quick,
    /// Velocity Verlet in as many steps as the stiffest spring asks for (the paper's): the reference.
    Verlet,
}
