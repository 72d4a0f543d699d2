//! `InverseKinematicsTool` and `IKTaskSet`: how much every marker counts, and which coordinates are held.

use super::super::{few, xml};
use super::{last_step, other_file, tool};
use crate::FileError;
use fusiform_motion::capture::Capture;
use fusiform_motion::ik::{Ik, Solved};
use fusiform_motion::model::{Marker, Model};
use fusiform_motion::system::System;
use fusiform_motion::table::Table;
use glam::DVec3;
use xml::{Element, Xml};

/// Inverse kinematics as a set-up file wants it.
#[derive(Clone, Debug, PartialEq)]
pub struct IkSetup {
    /// Files as the set-up names them, mostly beside it: the model,
    pub model_file: Option<String>,
    /// the markers,
    pub marker_file: Option<String>,
    /// and coordinates that tasks ask for.
    pub coordinate_file: Option<String>,
    /// s, both ends included; infinite where the file does not say.
    pub time_range: [f64; 2],
    /// Markers that count; those without a task do not.
    pub markers: Vec<MarkerTask>,
    /// Coordinates that are held.
    pub coordinates: Vec<CoordinateTask>,
}

/// A marker that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerTask {
    /// Of the model, and of the recording.
    pub name: String,
    /// Above 0.
    pub weight: f64,
}

/// A coordinate that is held near a value.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateTask {
    /// Of the model.
    pub name: String,
    /// Above 0, against that of all markers together.
    pub weight: f64,
    /// Near what.
    pub target: Target,
    place: String,
}

/// What a coordinate is held near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// The model's default.
    Default,
    /// rad or m.
    Value(f64),
    /// The column of its name in [`IkSetup::coordinate_file`].
    FromFile,
}

/// A set-up bound to a model and to a recording.
#[derive(Clone, Debug)]
pub struct Tracking {
    /// The solver, weights and holds set; its markers are those that both know and that count.
    pub ik: Ik,
    /// n_marker of the solver: which marker of the recording.
    pub columns: Vec<usize>,
    /// What the set-up names in vain, each one sentence.
    pub warnings: Vec<String>,
    time_range: [f64; 2],
    from_file: Vec<(usize, f64, String)>, // coordinate, weight, column
}

/// Read a set-up of inverse kinematics, or the set of tasks alone.
///
/// # Errors
/// When the text is no such set-up, or a value is none; the error names line and element.
pub fn read_ik(bytes: &[u8]) -> Result<IkSetup, FileError> {
    let xml = Xml::parse(xml::text(bytes)?)?;
    let cure = "give a set-up of OpenSim's inverse kinematics, or a set of its tasks";
    let tool = tool(xml.root(), &["InverseKinematicsTool", "IKTaskSet"], cure)?;
    let tasks = if tool.kind() == "IKTaskSet" { Some(tool) } else { tool.child("IKTaskSet") };
    let tasks = tasks.ok_or_else(|| tool.error("there is no <IKTaskSet> in it").cure(cure))?;
    let mut setup = IkSetup {
        model_file: other_file(&tool, "model_file"),
        marker_file: other_file(&tool, "marker_file"),
        coordinate_file: other_file(&tool, "coordinate_file"),
        time_range: tool.pair("time_range")?.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]),
        markers: Vec::new(),
        coordinates: Vec::new(),
    };
    let [from, to] = setup.time_range;
    if from > to {
        let error = tool.error(format!("its <time_range> ends at {to} s, before it begins at {from} s"));
        return Err(error.cure("write the earlier time first"));
    }
    for task in tasks.child("objects").into_iter().flat_map(Element::children) {
        let weight = weight(&task)?;
        if weight == 0.0 || !task.flag("apply", true)? {
            continue;
        }
        let name = task.name().to_owned();
        match task.kind() {
            "IKMarkerTask" => setup.markers.push(MarkerTask { name, weight }),
            "IKCoordinateTask" => {
                let target = target(&task)?;
                setup.coordinates.push(CoordinateTask { name, weight, target, place: task.place() });
            }
            kind => {
                let error = task.error(format!("a {kind} is no task that is known"));
                return Err(error.cure("use IKMarkerTask and IKCoordinateTask"));
            }
        }
    }
    Ok(setup)
}

fn weight(task: &Element) -> Result<f64, FileError> {
    let weight = task.number("weight", 1.0)?;
    if weight >= 0.0 {
        return Ok(weight);
    }
    Err(task.error(format!("its <weight> is {weight}")).cure("write a weight of 0 or more"))
}

fn target(task: &Element) -> Result<Target, FileError> {
    match task.text("value_type").unwrap_or("default_value") {
        "default_value" => Ok(Target::Default),
        "manual_value" => Ok(Target::Value(task.number("value", 0.0)?)),
        "from_file" => Ok(Target::FromFile),
        other => {
            let found: String = other.chars().take(40).collect();
            let error = task.error(format!("its <value_type> is {found:?}"));
            Err(error.cure("write default_value, manual_value or from_file"))
        }
    }
}

impl IkSetup {
    /// The solver for a model, and where its markers are in a recording.
    ///
    /// Tasks for markers that the model or the recording does not have are left out with a warning.
    ///
    /// # Errors
    /// When no marker is left, or a held coordinate is not the model's.
    pub fn bind(&self, model: &Model, system: &System, recorded: &[String]) -> Result<Tracking, FileError> {
        let (mut markers, mut weights, mut columns): (Vec<Marker>, Vec<f64>, Vec<usize>) = Default::default();
        let (mut unmodelled, mut unseen) = (Vec::new(), Vec::new());
        for MarkerTask { name, weight } in &self.markers {
            let marker = model.markers.iter().find(|marker| marker.name == *name);
            match (marker, recorded.iter().position(|own| own == name)) {
                (None, _) => unmodelled.push(name.as_str()),
                (_, None) => unseen.push(name.as_str()),
                (Some(marker), Some(column)) => {
                    markers.push(marker.clone());
                    weights.push(*weight);
                    columns.push(column);
                }
            }
        }
        if markers.is_empty() {
            return Err(self.nothing_to_follow(&unmodelled, &unseen));
        }
        let mut ik = Ik::new(system, &markers)
            .map_err(|error| FileError::new("the model", error.to_string()).cure("mend the model's marker"))?;
        weights.iter().enumerate().for_each(|(marker, weight)| ik.weigh(marker, *weight));
        let from_file = self.hold(system, &mut ik)?;
        let tell = |names: Vec<&str>, who: &str| {
            (!names.is_empty())
                .then(|| format!("{} tasks name markers that {who} does not have: {}.", names.len(), few(&names)))
        };
        let warnings = [tell(unmodelled, "the model"), tell(unseen, "the recording")].into_iter().flatten().collect();
        Ok(Tracking { ik, columns, warnings, time_range: self.time_range, from_file })
    }

    fn nothing_to_follow(&self, unmodelled: &[&str], unseen: &[&str]) -> FileError {
        let place = "<IKTaskSet>";
        if self.markers.is_empty() {
            let error = FileError::new(place, "no marker counts: there is nothing to follow");
            return error.cure("add an IKMarkerTask with <apply>true</apply> and a weight above 0");
        }
        let (names, who) = if unseen.is_empty() { (unmodelled, "the model") } else { (unseen, "the recording") };
        let error = FileError::new(place, format!("it names {}, and {who} has none of them", few(names)));
        error.cure("give the recording and the model that the set-up was made for, or name their markers in it")
    }

    /// Holds, and those whose value changes with time.
    fn hold(&self, system: &System, ik: &mut Ik) -> Result<Vec<(usize, f64, String)>, FileError> {
        let mut from_file = Vec::new();
        for CoordinateTask { name, weight, target, place } in &self.coordinates {
            let coordinate = system.coordinate(last_step(name)).ok_or_else(|| {
                let error = FileError::new(place, format!("the model has no coordinate {name:?}"));
                error.cure("name a coordinate of the model, or write <apply>false</apply>")
            })?;
            match target {
                Target::Default => ik.hold(coordinate, system.default[coordinate], *weight),
                Target::Value(value) => ik.hold(coordinate, *value, *weight),
                Target::FromFile => from_file.push((coordinate, *weight, name.clone())),
            }
        }
        Ok(from_file)
    }
}

impl Tracking {
    /// Frame after frame within the set-up's times: rows of coordinates, rad and m, and how well each was explained.
    ///
    /// `held` has the columns that tasks want from a file, in rad and m. The first frame that sees anything is placed, and
    /// so is one after frames that saw nothing.
    ///
    /// # Errors
    /// When a task wants a column that `held` does not have, or no frame lies within the times.
    pub fn track(
        &mut self,
        system: &System,
        capture: &Capture,
        held: Option<&Table>,
    ) -> Result<(Table, Vec<Solved>), FileError> {
        let columns = self.columns_of(held)?;
        let [from, to] = self.time_range;
        // times are written with few digits: half a frame is still within
        let slack = 0.5 / capture.rate.max(1.0);
        let within = |i: &usize| capture.times[*i] > from - slack && capture.times[*i] < to + slack;
        let frames: Vec<usize> = (0..capture.times.len()).filter(within).collect();
        if frames.is_empty() {
            let error = FileError::new("<time_range>", format!("no frame is between {from} s and {to} s"));
            return Err(error.cure("write times of the recording there"));
        }
        let mut q = system.default.to_vec();
        let mut row = vec![0.0; held.map_or(0, |table| table.names.len())];
        let mut targets = vec![DVec3::NAN; self.columns.len()];
        let mut angles = Table { names: system.coordinates.to_vec(), ..Table::default() };
        let mut solved: Vec<Solved> = Vec::with_capacity(frames.len());
        for frame in frames {
            let (time, seen) = (capture.times[frame], capture.frame(frame));
            targets.iter_mut().zip(&self.columns).for_each(|(target, column)| *target = seen[*column]);
            if let Some(table) = held {
                table.at(time, &mut row);
            }
            for ((coordinate, weight, _), column) in self.from_file.iter().zip(&columns) {
                self.ik.hold(*coordinate, row[*column], *weight);
            }
            let lost = solved.last().is_none_or(|before| before.n_seen == 0);
            let place_or_solve = if lost { Ik::place } else { Ik::solve };
            solved.push(place_or_solve(&mut self.ik, system, &targets, &mut q));
            angles.times.push(time);
            angles.values.extend_from_slice(&q);
        }
        Ok((angles, solved))
    }

    fn columns_of(&self, held: Option<&Table>) -> Result<Vec<usize>, FileError> {
        let column = |(_, _, name): &(usize, f64, String)| {
            held.and_then(|table| table.column(name)).ok_or_else(|| {
                let error = FileError::new(
                    "<coordinate_file>",
                    format!("{name:?} is to be held at values of a file, and there is no such column"),
                );
                error.cure("give a file of coordinates with that column, or write default_value as its <value_type>")
            })
        };
        self.from_file.iter().map(column).collect()
    }
}
