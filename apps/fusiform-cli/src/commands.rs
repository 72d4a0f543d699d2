//! One file per subcommand: typed arguments and one `run`.

mod bake;
mod bench;
mod demo;
mod drive;
mod identify;
mod inspect;
mod picture;
mod reproduce;
mod rig;
mod studio;
mod template;

use crate::failure::Failure;
use crate::ui::Ui;

/// What the program can do.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Bake(bake::Bake),
    Bench(bench::Bench),
    Demo(demo::Demo),
    Drive(drive::Drive),
    Identify(identify::Identify),
    Inspect(inspect::Inspect),
    Picture(picture::Picture),
    Reproduce(reproduce::Reproduce),
    Rig(rig::Rig),
    Studio(studio::Studio),
    Template(template::Template),
}

impl Command {
    /// Do it.
    pub fn run(self, ui: &Ui) -> Result<(), Failure> {
        match self {
            Self::Bake(bake) => bake.run(ui),
            Self::Bench(bench) => bench.run(ui),
            Self::Demo(demo) => demo.run(ui),
            Self::Drive(drive) => drive.run(ui),
            Self::Identify(identify) => identify.run(ui),
            Self::Inspect(inspect) => inspect.run(ui),
            Self::Picture(picture) => picture.run(ui),
            Self::Reproduce(reproduce) => reproduce.run(ui),
            Self::Rig(rig) => rig.run(ui),
            Self::Studio(studio) => studio.run(),
            Self::Template(template) => template.run(ui),
        }
    }
}
