//! Patterns of names.

/// Whether `name` fits a pattern in which `*` stands for any text and `?` for one character.
#[must_use]
pub fn fits(pattern: &str, name: &str) -> bool {
    let letters: Vec<char> = name.chars().collect();
    // reached[i]: the pattern so far can stand for the first i letters
    let mut reached = vec![false; letters.len() + 1];
    reached[0] = true;
    for mark in pattern.chars() {
        if mark == '*' {
            (1..reached.len()).for_each(|i| reached[i] |= reached[i - 1]);
            continue;
        }
        for i in (1..reached.len()).rev() {
            reached[i] = reached[i - 1] && (mark == '?' || mark == letters[i - 1]);
        }
        reached[0] = false;
    }
    reached[letters.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(fits("biceps*", "biceps_long.l") && fits("*.l", "biceps_long.l") && fits("*", ""));
        assert!(!fits("biceps", "biceps.l") && !fits("?.l", "ab.l") && fits("?b.l", "ab.l"));
    }
}
