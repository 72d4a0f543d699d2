//! The studio from outside: one program, since each links a whole window.

#![allow(clippy::unwrap_used)] // what a test makes itself is there

/// Say that a test was left out, and why: on the terminal itself, since what passing tests print is held back.
macro_rules! skipped {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        _ = writeln!(std::io::stderr(), "\nSKIPPED {}\n", format_args!($($words)*));
    }};
}

mod actions;
mod arm;
mod attaching;
mod chooser;
mod converting;
mod curving;
mod dialing;
mod exporting;
mod files;
mod first_minute;
mod fitting;
mod inspecting;
mod keeping;
mod keys;
mod killed;
mod listing;
mod looks;
mod lying_apart;
mod meshes;
mod mirroring;
mod mousing;
mod numbering;
mod overlaid;
mod painted;
mod painting;
mod panels;
mod pictures;
mod picturing;
mod placing;
mod playing;
mod posing;
mod recipes;
mod recovery;
mod refitting;
mod sculpting;
mod sitting;
mod strokes;
mod taken_back;
mod under_way;
mod watch;
mod wearing;
mod window;
