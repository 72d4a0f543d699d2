//! Which skin the muscles move: influence templates, and weights that were painted.

use crate::failure::Failure;
use crate::names;
use crate::source::Subject;
use fusiform::musculature::{Influence, InfluenceTemplate};
use fusiform_fit::{Rigged, Wear, influence, keep_weights};

/// Arguments about weights.
#[derive(Debug, clap::Args)]
pub struct Paint {
    /// Weight the skin about muscles by a template: belly (as thick as they are), even, or facing (skin that looks away from
    /// them), as in 'biceps*=belly' or 'biceps*=even:5,40', whole up to 5 mm from the belly, none from 40 mm on; may be repeated
    #[arg(long, value_name = "GLOB=TEMPLATE[:MM,MM]")]
    influence: Vec<String>,
    /// Keep the weights that the file has for muscles of the same name, as after they were painted
    #[arg(long)]
    keep_weights: bool,
}

/// One `--influence`.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    pattern: String,
    influence: Influence,
}

impl Paint {
    /// What can be said before anything is read.
    pub fn parse(&self) -> Result<Vec<Wish>, Failure> {
        self.influence.iter().map(|text| Wish::parse(text)).collect()
    }

    /// Weigh by templates what is to be weighed so, then put back what was painted.
    pub fn apply(&self, wishes: &[Wish], subject: &Subject, wear: &[Wear], rigged: &mut Rigged) -> Result<(), Failure> {
        let muscles = &mut rigged.musculature.muscles;
        for Wish { pattern, influence } in wishes {
            let all: Vec<&str> = muscles.iter().map(|muscle| muscle.name.as_str()).collect();
            let named: Vec<usize> = (0..all.len()).filter(|&m| names::fits(pattern, all[m])).collect();
            if named.is_empty() {
                return Err(names::unknown(&subject.file, "muscle", pattern, &all));
            }
            named.into_iter().for_each(|m| muscles[m].influence = Some(*influence));
        }
        if !wishes.is_empty() {
            let weights = influence(&subject.character, wear, muscles);
            rigged.musculature.weights = weights.map_err(|error| Failure::bind(&subject.file, &error))?;
        }
        if self.keep_weights {
            let kept = keep_weights(&subject.musculature, &mut rigged.musculature);
            rigged.warnings.push(format!("{kept} muscles keep the weights they had"));
        }
        Ok(())
    }
}

impl Wish {
    fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = |message: String| {
            let cure = "write it as in --influence 'biceps*=belly' or --influence 'biceps*=even:5,40'";
            Failure::call(message).at(format!("--influence {text:?}")).cure(cure)
        };
        let (pattern, rest) = text.split_once('=').ok_or_else(|| wrong("there is no =".into()))?;
        let (name, distances) = rest.split_once(':').map_or((rest, None), |(name, mm)| (name, Some(mm)));
        let template = InfluenceTemplate::ALL.into_iter().find(|template| template.name() == name.trim());
        let template = template.ok_or_else(|| wrong(format!("{name:?} is none of belly, even and facing")))?;
        let mut influence = Influence { template, ..Influence::default() };
        if let Some(distances) = distances {
            let number = |text: &str| text.trim().parse::<f32>().ok().filter(|mm| (0.0..=1000.0).contains(mm));
            let pair = distances.split_once(',').and_then(|(inner, outer)| Some((number(inner)?, number(outer)?)));
            let (inner, outer) = pair.filter(|(inner, outer)| inner + 0.01 <= *outer).ok_or_else(|| {
                wrong(format!("{distances:?} are not two distances of 0 to 1000 mm, the lesser first"))
            })?;
            (influence.inner, influence.outer) = (inner / 1e3, outer / 1e3);
        }
        Ok(Self { pattern: pattern.trim().to_owned(), influence })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_influence_is_read_as_people_write_it() {
        let of = |text: &str| Wish::parse(text).unwrap().influence;
        assert_eq!(of("b*=belly"), Influence::default());
        let even = of("b*= even:5,40");
        assert!(even.template == InfluenceTemplate::Even && even.inner == 0.005 && even.outer == 0.04, "{even:?}");
        for (text, why) in [
            ("b*", "there is no ="),
            ("b*=near", "none of belly"),
            ("b*=even:40,5", "the lesser first"),
            ("b*=even:5", "two distances"),
            ("b*=even:-1,5", "two distances"),
        ] {
            assert!(Wish::parse(text).unwrap_err().to_string().contains(why), "{text}");
        }
    }
}
