//! `fusiform`: muscles for any rigged character, on the command line.

mod activation;
mod anatomy;
mod bench;
mod bones;
mod commands;
mod draw;
mod failure;
mod framing;
mod measure;
mod motion;
mod names;
mod output;
mod play;
mod pose_skin;
mod scene;
mod section;
mod source;
mod surroundings;
mod ui;

use clap::Parser;
use failure::Failure;
use std::process::ExitCode;
use ui::Ui;

/// Muscles for any rigged character: a pose pulls muscles, muscles change shape, the skin follows
#[derive(Debug, Parser)]
#[command(name = "fusiform", version)]
#[command(after_help = "Start here:\n  fusiform demo")]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
    #[command(flatten)]
    common: Common,
}

/// Flags of every command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Common options")]
struct Common {
    /// Print one JSON document on stdout and nothing else there
    #[arg(long, global = true)]
    json: bool,
    /// Say nothing but failures
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Threads to use [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

fn main() -> ExitCode {
    output::clean_up_when_interrupted();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let ui = Ui::new(cli.common.json, cli.common.quiet);
    match run(cli, &ui) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            ui.failure(&failure);
            failure.exit_code()
        }
    }
}

/// Everything runs inside one pool, so that `--threads` holds for all of it.
fn run(cli: Cli, ui: &Ui) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cli.common.threads.map_or(0, usize::from)).build().map_err(
        |error| Failure::call(format!("the threads cannot be started: {error}")).cure("use fewer --threads"),
    )?;
    pool.install(|| cli.command.run(ui))
}

/// Help and version go to stdout; a wrong call is clap's text on stderr, or JSON when that was asked for.
fn refuse(error: &clap::Error) -> ExitCode {
    if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
        let failure = Failure::misspoken(&error.to_string());
        Ui::new(true, false).failure(&failure);
        return failure.exit_code();
    }
    // a closed pipe is no failure
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}
