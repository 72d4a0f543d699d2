//! Names people type: patterns, and what they may have meant.

use crate::failure::Failure;
pub use fusiform_fit::fits;

/// There is nothing called `wanted`: what was probably meant, and all there is.
pub fn unknown(file: &str, what: &str, wanted: &str, names: &[&str]) -> Failure {
    let failure = Failure::input(file, format!("there is no such {what}")).at(format!("{what} {wanted:?}"));
    if names.is_empty() {
        return failure.cure(format!("it has no {what} at all"));
    }
    let all = names.join(", ");
    match nearest(wanted, names) {
        Some(name) => failure.cure(format!("did you mean {name:?}? There are: {all}")),
        None => failure.cure(format!("choose one of: {all}")),
    }
}

/// The name fewest edits away, if it is near enough to be a slip of the pen.
pub fn nearest<'a>(wanted: &str, names: &[&'a str]) -> Option<&'a str> {
    let wanted = wanted.trim_matches('*').to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&wanted, &name.to_lowercase());
    let begins = |name: &&str| wanted.len() >= 3 && name.to_lowercase().starts_with(&wanted);
    let name =
        names.iter().copied().find(begins).or_else(|| names.iter().copied().min_by_key(|name| distance(name)))?;
    (begins(&name) || distance(name) <= wanted.len().max(3) / 3).then_some(name)
}

/// The `most` names that are fewest edits away, the nearest first; those that hold the wanted text before the others.
pub fn near<'a>(wanted: &str, names: &[&'a str], most: usize) -> Vec<&'a str> {
    let wanted = wanted.trim_matches('*').to_lowercase();
    let far = |name: &str| (!name.contains(&wanted), strsim::damerau_levenshtein(&wanted, &name.to_lowercase()));
    let mut names = names.to_vec();
    names.sort_by_key(|name| far(name));
    names.truncate(most);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_finds_what_was_meant() {
        let names = ["curl", "flex", "squat", "jump_landing"];
        assert_eq!(nearest("squad", &names), Some("squat"));
        assert_eq!(nearest("jump", &names), Some("jump_landing"));
        assert_eq!(nearest("moonwalk", &names), None);
    }
}
