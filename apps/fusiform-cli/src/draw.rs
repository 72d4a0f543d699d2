//! Panels, strips, sheets and animations of a character in motion, with what their colours mean written under them.

use crate::failure::Failure;
use crate::framing::Framing;
use crate::play::Player;
use crate::scene::{Legend, Show, difference, plain_skin};
use fusiform::Detail;
use fusiform_picture::{
    Camera, PAGE, Picture, Quality, Scene, Surface, View, beside, color, gif, grid, legend, render, stack,
};

/// Pixels of one file, all its panels and frames together: 3 bytes each when drawn, several times that meanwhile.
const MAX_PIXELS: u64 = 200_000_000;

/// One look at the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// What plain skinning makes of the pose.
    Plain,
    /// The character with muscles.
    Muscled(Show),
    /// How far the muscled skin is from the plain one.
    Difference,
}

impl Panel {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain skinning",
            Self::Muscled(Show::Skin) => "with muscles",
            Self::Muscled(Show::Muscles) => "muscles",
            Self::Muscled(Show::Both) => "muscles under the skin",
            Self::Muscled(Show::Weights) => "weights",
            Self::Muscled(Show::Tension) => "tension",
            Self::Muscled(Show::Sliding) => "sliding",
            Self::Muscled(Show::Regions) => "regions",
            Self::Muscled(Show::Ellipsoids) => "ellipsoids",
            Self::Muscled(Show::Bones) => "bones",
            Self::Difference => "difference",
        }
    }

    fn legend(self, scale_mm: f32) -> Option<Legend> {
        match self {
            Self::Plain => None,
            Self::Muscled(show) => show.legend(),
            Self::Difference => Some(Legend { map: color::heat, max: scale_mm, unit: "mm" }),
        }
    }
}

/// What is wanted in a picture.
#[derive(Clone, Debug)]
pub struct Look {
    /// Side by side in a strip, one under the other in a sheet.
    pub panels: Vec<Panel>,
    /// The muscles whose weights [`Show::Weights`] adds up.
    pub muscles: Vec<usize>,
    /// Where to look from.
    pub view: View,
    /// Pixels of a panel.
    pub size: Size,
    /// How much work goes into a panel.
    pub quality: Quality,
}

/// How large a panel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Exactly so wide and high.
    Exactly(u32, u32),
    /// As many pixels as a square of this side, in the shape that suits the motion.
    About(u32),
    /// So high, and as wide as suits the motion.
    High(u32),
}

impl Size {
    /// Across and down, for a motion of that shape (width over height).
    fn pixels(self, shape: f32) -> [u32; 2] {
        // even, as video encoders like it
        let even = |length: f32| (length * 0.5).round().max(8.0) as u32 * 2;
        match self {
            Self::Exactly(width, height) => [width, height],
            Self::About(side) => [side as f32 * shape.sqrt(), side as f32 / shape.sqrt()].map(even),
            Self::High(height) => [even(height as f32 * shape), height],
        }
    }
}

/// Camera, light and scale, settled for all moments of one picture so that they can be compared.
///
/// After the survey the player stands at the first time.
pub struct Set<'a> {
    look: &'a Look,
    camera: Camera,
    size: [u32; 2],
    ground: f32,
    scale_mm: f32,
}

impl<'a> Set<'a> {
    /// Play over these times once to see where the character goes and how much its muscles do.
    pub fn survey(look: &'a Look, player: &mut Player, times: &[f32]) -> Result<Self, Failure> {
        let ground = player.character().bounds().0.y;
        let mut framing = Framing::new(look.view);
        let mut greatest = 0.0_f32;
        player.play(times, Detail::POSITIONS, |player, _| {
            player.skins().iter().for_each(|skin| framing.add(skin));
            greatest = player.difference().into_iter().fold(greatest, f32::max);
        });
        framing.ground(ground);
        let size = look.size.pixels(framing.shape()?);
        check_room(size, times.len() * look.panels.len())?;
        let camera = framing.camera(size)?;
        player.play(&times[..times.len().min(1)], Detail::default(), |_, _| {});
        Ok(Self { look, camera, size, ground, scale_mm: rounded_up(greatest * 1e3) })
    }

    /// One moment: the only panel at exactly the size asked for, or all panels side by side with their names.
    pub fn strip(&self, player: &Player) -> Result<Picture, Failure> {
        let width = self.size[0];
        if let [panel] = self.look.panels[..] {
            let bar = self.legend_of(panel, width);
            let room = self.size[1] - bar.as_ref().map_or(0, |bar| bar.height.min(self.size[1] - 1));
            let picture = self.shot(player, panel, room)?;
            return Ok(stack(&[Some(picture), bar].into_iter().flatten().collect::<Vec<_>>())?);
        }
        let bars: Vec<Option<Picture>> = self.look.panels.iter().map(|&panel| self.legend_of(panel, width)).collect();
        let deepest = bars.iter().flatten().map(|bar| bar.height).max();
        let mut panels = Vec::new();
        for (&panel, bar) in self.look.panels.iter().zip(bars) {
            let picture = self.shot(player, panel, self.size[1])?.label(panel.name())?;
            let under = bar.or(deepest.map(|height| Picture::filled(width, height, PAGE)));
            panels.push(stack(&[Some(picture), under].into_iter().flatten().collect::<Vec<_>>())?);
        }
        Ok(beside(&panels)?)
    }

    /// A contact sheet: moments from left to right, one row for each panel; a single panel fills rows of four.
    pub fn sheet(&self, player: &mut Player, times: &[f32], mut tick: impl FnMut()) -> Result<Picture, Failure> {
        let panels = &self.look.panels;
        let mut rows = vec![Vec::new(); panels.len()];
        let mut failed = Ok(());
        player.play(times, Detail::default(), |player, time| {
            for (&panel, row) in panels.iter().zip(&mut rows) {
                let label =
                    if panels.len() > 1 { format!("{}, {time:.2} s", panel.name()) } else { format!("{time:.2} s") };
                match self.shot(player, panel, self.size[1]).and_then(|picture| Ok(picture.label(&label)?)) {
                    Ok(cell) => row.push(cell),
                    Err(failure) => failed = Err(failure),
                }
                tick();
            }
        });
        failed?;
        let columns = if panels.len() > 1 { times.len() } else { times.len().min(4) };
        let sheet = grid(&rows.concat(), columns)?;
        let bars = panels.iter().filter_map(|&panel| self.legend_of(panel, (self.size[0] * 2).min(sheet.width)));
        Ok(stack(&std::iter::once(sheet.clone()).chain(bars).collect::<Vec<_>>())?)
    }

    /// A GIF of strips.
    pub fn animation(
        &self,
        player: &mut Player,
        times: &[f32],
        fps: f32,
        mut tick: impl FnMut(),
    ) -> Result<Vec<u8>, Failure> {
        let mut frames = Vec::new();
        player.play(times, Detail::default(), |player, _| {
            frames.push(self.strip(player));
            tick();
        });
        let frames: Vec<Picture> = frames.into_iter().collect::<Result<_, _>>()?;
        Ok(gif(&frames, fps)?)
    }

    fn legend_of(&self, panel: Panel, width: u32) -> Option<Picture> {
        panel.legend(self.scale_mm).map(|Legend { map, max, unit }| legend(width, map, 0.0, max, unit))
    }

    fn shot(&self, player: &Player, panel: Panel, height: u32) -> Result<Picture, Failure> {
        let surfaces: Vec<Surface> = match panel {
            Panel::Plain => vec![plain_skin(player)],
            Panel::Muscled(show) => show.surfaces(player, &self.look.muscles),
            Panel::Difference => vec![difference(player, self.scale_mm * 1e-3)],
        };
        if surfaces.is_empty() {
            let what = if panel == Panel::Muscled(Show::Bones) { "bones" } else { "muscles" };
            let none = format!("there are no {what} to show");
            return Err(Failure::input(&player.subject.file, none).cure("use --show skin"));
        }
        let scene = Scene { surfaces, ground: Some(self.ground) };
        Ok(render(&scene, &self.camera, self.size[0], height, self.look.quality)?)
    }
}

/// Whether all the pixels of one file can be held in memory: asked before they are drawn.
fn check_room([width, height]: [u32; 2], n_shot: usize) -> Result<(), Failure> {
    if u64::from(width) * u64::from(height) * n_shot as u64 <= MAX_PIXELS {
        return Ok(());
    }
    let million = MAX_PIXELS / 1_000_000;
    Err(Failure::call(format!("{n_shot} times {width}x{height} pixels are more than {million} million"))
        .at("--size")
        .cure("choose a smaller --size, or for a GIF a lower --fps"))
}

/// The next round number, so that a legend reads well; at least 1.
fn rounded_up(value: f32) -> f32 {
    const STEPS: [f32; 8] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let decades = [1.0, 10.0, 100.0, 1000.0];
    let mut steps = decades.iter().flat_map(|decade| STEPS.map(|step| step * decade));
    steps.find(|&step| value <= step).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_pixels_than_memory_holds_are_refused_before_they_are_drawn() {
        assert!(check_room([900, 900], 100).is_ok() && check_room([10_000, 16_384], 1).is_ok());
        assert!(check_room([16_384, 16_384], 1).is_err() && check_room([1_000, 1_000], 300).is_err());
    }

    #[test]
    fn a_scale_ends_at_a_round_number_that_holds_the_value() {
        assert_eq!([0.0, 1.2, 9.0, 23.4, 71.0, 1e9].map(rounded_up), [1.0, 2.0, 10.0, 30.0, 80.0, 1e9]);
    }
}
