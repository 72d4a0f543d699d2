//! `ExternalLoads`: which columns of a table push which bodies.

use super::super::{few, xml};
use super::{last_step, other_file, tool};
use crate::FileError;
use fusiform_motion::dynamics::Load;
use fusiform_motion::model::GROUND;
use fusiform_motion::system::System;
use fusiform_motion::table::Table;
use xml::{Element, Xml};

/// What pushes from outside, as a file tells it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExternalLoads {
    /// The table that columns are of, as the file names it, mostly beside it.
    pub data_file: Option<String>,
    /// What pushes; disabled ones are left out.
    pub loads: Vec<ExternalLoad>,
}

/// A force, where it acts, and a torque: each three columns whose names begin alike and end with x, y, z. All in ground.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalLoad {
    /// What it is called.
    pub name: String,
    /// Which body it pushes.
    pub body: String,
    /// How columns of the force begin, N.
    pub force: String,
    /// How columns of the point begin, m.
    pub point: String,
    /// How columns of the torque begin, N m; none where the plate gives none.
    pub torque: Option<String>,
    place: String,
}

/// Read external loads.
///
/// # Errors
/// When the text is no such file, or a load is of a kind that cannot be applied; the error names line and element.
pub fn read_loads(bytes: &[u8]) -> Result<ExternalLoads, FileError> {
    let xml = Xml::parse(xml::text(bytes)?)?;
    let all = tool(xml.root(), &["ExternalLoads"], "give a file of OpenSim's external loads")?;
    let mut loads = Vec::new();
    for force in all.child("objects").into_iter().flat_map(Element::children) {
        if force.flag("appliesForce", true)? && !force.flag("isDisabled", false)? {
            loads.push(one(&force)?);
        }
    }
    Ok(ExternalLoads { data_file: other_file(&all, "datafile"), loads })
}

fn one(force: &Element) -> Result<ExternalLoad, FileError> {
    if force.kind() != "ExternalForce" {
        let error = force.error(format!("a {} is no load that is known", force.kind()));
        return Err(error.cure("use ExternalForce"));
    }
    for tag in ["force_expressed_in_body", "point_expressed_in_body"] {
        if let Some(body) = force.text(tag).filter(|body| last_step(body) != GROUND) {
            let error = force.error(format!("its <{tag}> is {body:?}, and only ground can be"));
            return Err(error.cure("turn its columns into ground's frame, and write ground there"));
        }
    }
    let named = |tag: &str| {
        other_file(force, tag).ok_or_else(|| {
            let error = force.error(format!("it has no <{tag}>"));
            error.cure(format!(
                "write there {}",
                if tag == "applied_to_body" { "a body" } else { "how its columns begin" }
            ))
        })
    };
    Ok(ExternalLoad {
        name: force.name().to_owned(),
        body: last_step(&named("applied_to_body")?).to_owned(),
        force: named("force_identifier")?,
        point: named("point_identifier")?,
        torque: other_file(force, "torque_identifier"),
        place: force.place(),
    })
}

impl ExternalLoads {
    /// The loads on a system's bodies, from a table's columns.
    ///
    /// # Errors
    /// When a body is not the system's, or a column is not the table's.
    pub fn bind<'a>(&self, system: &System, table: &'a Table) -> Result<Vec<Load<'a>>, FileError> {
        self.loads.iter().map(|load| load.bind(system, table)).collect()
    }
}

impl ExternalLoad {
    fn bind<'a>(&self, system: &System, table: &'a Table) -> Result<Load<'a>, FileError> {
        let body = system.body(&self.body).ok_or_else(|| {
            let error =
                FileError::new(&self.place, format!("it pushes {:?}, which the model does not have", self.body));
            let bodies: Vec<&str> = system.names.iter().skip(1).map(String::as_str).collect();
            error.cure(format!("name a body of the model in <applied_to_body>: {}", few(&bodies)))
        })?;
        let torque = self.torque.as_ref().map(|name| self.columns(name, table)).transpose()?;
        let (force, point) = (self.columns(&self.force, table)?, self.columns(&self.point, table)?);
        Ok(Load { body, table, force, point, torque })
    }

    fn columns(&self, begin: &str, table: &Table) -> Result<[usize; 3], FileError> {
        let mut columns = [0; 3];
        for (column, axis) in columns.iter_mut().zip(["x", "y", "z"]) {
            let name = format!("{begin}{axis}");
            *column = table.column(&name).ok_or_else(|| {
                let error = FileError::new(&self.place, format!("the data file has no column {name:?}"));
                let names: Vec<&str> = table.names.iter().map(String::as_str).collect();
                error.cure(format!("give the data file that has it, or name its own columns: {}", few(&names)))
            })?;
        }
        Ok(columns)
    }
}
