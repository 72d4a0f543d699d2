//! A small writer of C3D files: every machine, integers and floats, whatever parameters a test wants.

#![allow(dead_code, reason = "each test uses a part")]

/// Whose numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    Intel,
    Dec,
    Sgi,
}

/// What one parameter holds.
#[derive(Clone, Debug)]
pub enum Values {
    Texts(usize, Vec<String>),
    Bytes(Vec<u8>, Vec<u8>),
    Integers(Vec<u8>, Vec<i32>),
    Floats(Vec<u8>, Vec<f32>),
}

/// A recording to be written.
#[derive(Clone, Debug)]
pub struct Maker {
    pub machine: Machine,
    /// Negative for floats.
    pub scale: f32,
    pub rate: f32,
    pub first_frame: u16,
    /// n_frame x n_point: place in file units (before the scale), and the word about it.
    pub points: Vec<Vec<[f32; 4]>>,
    /// n_frame x (n_subframe x n_channel), as stored.
    pub analog: Vec<Vec<f32>>,
    pub channels: usize,
    pub parameters: Vec<(&'static str, String, Values)>,
}

pub fn texts(list: &[&str]) -> Values {
    let length = list.iter().map(|text| text.len()).max().unwrap_or(0);
    Values::Texts(length, list.iter().map(|text| (*text).to_owned()).collect())
}

pub fn integer(value: i32) -> Values {
    Values::Integers(vec![], vec![value])
}

pub fn integers(values: &[i32]) -> Values {
    Values::Integers(vec![values.len() as u8], values.to_vec())
}

pub fn floats(values: &[f32]) -> Values {
    Values::Floats(vec![values.len() as u8], values.to_vec())
}

impl Maker {
    /// Two markers over three frames in millimetres, two channels of two samples a frame.
    pub fn small(machine: Machine, scale: f32) -> Self {
        let frame =
            |k: f32| vec![[100.0 * k, -200.0, 30.0, 0.0], [1.0, 2.0 + k, 3.0, if k == 2.0 { -1.0 } else { 5.0 }]];
        let mut maker = Self {
            machine,
            scale,
            rate: 50.0,
            first_frame: 1,
            points: (0..3).map(|k| frame(1.0 + k as f32)).collect(),
            analog: (0..3).map(|k| (0..4).map(|i| (10 * k + i) as f32).collect()).collect(),
            channels: 2,
            parameters: Vec::new(),
        };
        maker.set("POINT", "USED", integer(2));
        maker.set("POINT", "FRAMES", integer(3));
        maker.set("POINT", "SCALE", Values::Floats(vec![], vec![scale]));
        maker.set("POINT", "RATE", Values::Floats(vec![], vec![50.0]));
        maker.set("POINT", "LABELS", texts(&["heel", "toe "]));
        maker.set("POINT", "UNITS", texts(&["mm"]));
        maker.set("POINT", "Y_SCREEN", texts(&["+Z"]));
        maker.set("ANALOG", "USED", integer(2));
        maker.set("ANALOG", "RATE", Values::Floats(vec![], vec![100.0]));
        maker.set("ANALOG", "LABELS", texts(&["emg", "x"]));
        maker.set("ANALOG", "UNITS", texts(&["V", "mV"]));
        maker.set("ANALOG", "SCALE", floats(&[0.5, 2.0]));
        maker.set("ANALOG", "OFFSET", integers(&[1, -3]));
        maker.set("ANALOG", "GEN_SCALE", Values::Floats(vec![], vec![0.25]));
        maker
    }

    /// Puts a parameter there, or another in its place.
    pub fn set(&mut self, group: &'static str, name: &str, values: Values) {
        self.remove(group, name);
        self.parameters.push((group, name.to_owned(), values));
    }

    pub fn remove(&mut self, group: &str, name: &str) {
        self.parameters.retain(|(g, n, _)| *g != group || n != name);
    }

    /// A plate of that kind in the plane z = 0, 400 by 600 mm about (200, 300), with these channels in every sample.
    pub fn plate(kind: i32, units: [&str; 2], origin: [f32; 3], stored: &[f32]) -> Self {
        let mut maker = Self::small(Machine::Intel, -0.1);
        maker.channels = stored.len();
        maker.analog = vec![stored.repeat(2); 3];
        let n = stored.len();
        maker.set("ANALOG", "USED", integer(n as i32));
        let names: Vec<String> = (0..n).map(|i| format!("c{i}")).collect();
        maker.set("ANALOG", "LABELS", texts(&names.iter().map(String::as_str).collect::<Vec<_>>()));
        maker.set("ANALOG", "UNITS", texts(&(0..n).map(|i| units[usize::from(i > 2)]).collect::<Vec<_>>()));
        maker.set("ANALOG", "SCALE", floats(&vec![1.0; n]));
        maker.set("ANALOG", "OFFSET", integers(&vec![0; n]));
        maker.set("ANALOG", "GEN_SCALE", Values::Floats(vec![], vec![1.0]));
        maker.set("FORCE_PLATFORM", "USED", integer(1));
        maker.set("FORCE_PLATFORM", "TYPE", integers(&[kind]));
        maker.set("FORCE_PLATFORM", "ZERO", integers(&[1, 0]));
        // z into the floor: x of the plate is x, y of the plate is -y
        let corners = vec![400.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 600.0, 0.0, 400.0, 600.0, 0.0];
        maker.set("FORCE_PLATFORM", "CORNERS", Values::Floats(vec![3, 4, 1], corners));
        maker.set("FORCE_PLATFORM", "ORIGIN", Values::Floats(vec![3, 1], origin.to_vec()));
        let channels = (1..=n as i32).collect();
        maker.set("FORCE_PLATFORM", "CHANNEL", Values::Integers(vec![n as u8, 1], channels));
        maker
    }

    fn u16(&self, value: u16) -> [u8; 2] {
        if self.machine == Machine::Sgi { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn f32(&self, value: f32) -> [u8; 4] {
        match self.machine {
            Machine::Intel => value.to_le_bytes(),
            Machine::Sgi => value.to_be_bytes(),
            Machine::Dec => {
                // the exponent of a VAX is larger by two, and its words stand the other way round
                let bits = if value == 0.0 { 0 } else { value.to_bits() + (2 << 23) };
                let [a, b, c, d] = bits.to_le_bytes();
                [c, d, a, b]
            }
        }
    }

    fn number(&self, value: f32) -> Vec<u8> {
        if self.scale < 0.0 { self.f32(value).to_vec() } else { self.u16(value as i32 as u16).to_vec() }
    }

    fn parameter_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![1, 0x50, 0, 84 + self.machine as u8];
        let mut groups: Vec<&str> = self.parameters.iter().map(|(group, ..)| *group).collect();
        groups.dedup();
        for (i, group) in groups.iter().enumerate() {
            bytes.extend([group.len() as u8, (-(i as i8 + 1)) as u8]);
            bytes.extend(group.as_bytes());
            bytes.extend(self.u16(3));
            bytes.push(0);
        }
        for (group, name, values) in &self.parameters {
            let number = groups.iter().position(|own| own == group).unwrap() + 1;
            bytes.extend([name.len() as u8, number as u8]);
            bytes.extend(name.as_bytes());
            let body = self.body(values);
            bytes.extend(self.u16(body.len() as u16 + 2));
            bytes.extend(body);
        }
        bytes.resize(bytes.len().next_multiple_of(512) + if bytes.len() % 512 == 0 { 512 } else { 0 }, 0);
        bytes[2] = (bytes.len() / 512) as u8;
        bytes
    }

    fn body(&self, values: &Values) -> Vec<u8> {
        let (kind, dimensions, data): (i8, Vec<u8>, Vec<u8>) = match values {
            Values::Texts(length, list) => {
                let pad = |text: &String| format!("{text:<length$}").into_bytes();
                (-1, vec![*length as u8, list.len() as u8], list.iter().flat_map(pad).collect())
            }
            Values::Bytes(dimensions, list) => (1, dimensions.clone(), list.clone()),
            Values::Integers(dimensions, list) => {
                (2, dimensions.clone(), list.iter().flat_map(|v| self.u16(*v as u16)).collect())
            }
            Values::Floats(dimensions, list) => {
                (4, dimensions.clone(), list.iter().flat_map(|v| self.f32(*v)).collect())
            }
        };
        let mut body = vec![kind as u8, dimensions.len() as u8];
        body.extend(dimensions);
        body.extend(data);
        body.push(0);
        body
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let parameters = self.parameter_bytes();
        let n_point = self.points.first().map_or(0, Vec::len);
        let n_analog = self.analog.first().map_or(0, Vec::len);
        let mut file = vec![2, 0x50];
        let last = self.first_frame.saturating_add((self.points.len() - 1).min(65535) as u16);
        for word in [n_point as u16, n_analog as u16, self.first_frame, last, 0] {
            file.extend(self.u16(word));
        }
        file.extend(self.f32(self.scale));
        file.extend(self.u16(2 + (parameters.len() / 512) as u16));
        file.extend(self.u16((n_analog / self.channels.max(1)) as u16));
        file.extend(self.f32(self.rate));
        file.resize(512, 0);
        file.extend(parameters);
        for (points, analog) in self.points.iter().zip(&self.analog) {
            for number in points.iter().flatten().chain(analog) {
                file.extend(self.number(*number));
            }
        }
        file.resize(file.len().next_multiple_of(512), 0);
        file
    }
}
