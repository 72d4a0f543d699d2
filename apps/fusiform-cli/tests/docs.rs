//! What the prose files promise is there.

use std::path::Path;

/// Paths that a text names: words with a slash that begin with a folder of the project.
fn named_paths(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| c.is_whitespace() || "`()[],;:".contains(c));
    words
        .filter(|word| ["crates/", "apps/", "benches/", "docs/", ".ci/"].iter().any(|top| word.starts_with(top)))
        .collect()
}

#[test]
fn every_folder_that_the_prose_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for file in ["ARCHITECTURE.md", "README.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root.join(file)).expect(file);
        let paths = named_paths(&text);
        assert!(file == "CONTRIBUTING.md" || !paths.is_empty(), "{file} names no path at all");
        for path in paths {
            let path = path.trim_end_matches('.');
            assert!(root.join(path).exists(), "{file} names {path}, which is not there");
        }
    }
}
