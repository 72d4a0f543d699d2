//! Files that a .gltf names: buffers and images in its folder, or up and down the folders around it.

use super::Gltf;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// A reader for files that a .gltf in that folder names: what [`Gltf::read`] and [`Gltf::embed_images`] ask for.
///
/// Names are relative. They may climb, as in `../textures/skin.png`, but not to the root of all files, and no link on
/// the way may lead out of the highest folder that they name: a file from a stranger is not to fetch what it likes.
pub fn read_beside(folder: &Path) -> impl Fn(&str) -> Result<Vec<u8>, String> + use<> {
    // the folder of a bare name is the empty one, which is no place
    let folder = folder.join(".");
    move |uri| {
        let path = place_beside(&folder, uri)?;
        // a pipe or a device may never end
        match std::fs::metadata(&path) {
            Ok(there) if !there.is_file() => Err("it is not a file".into()),
            _ => std::fs::read(&path).map_err(|error| error.to_string()),
        }
    }
}

/// Where a URI leads from the folder of the .gltf that names it, all links followed.
///
/// # Errors
/// As [`read_beside`], in a sentence, when there is nothing or it may not be read from there.
pub fn place_beside(folder: &Path, uri: &str) -> Result<PathBuf, String> {
    let name = percent_encoding::percent_decode_str(uri).decode_utf8_lossy().into_owned();
    let climb = climb(Path::new(&name)).filter(|_| !has_scheme(uri) && !has_scheme(&name));
    let climb = climb.ok_or("only files with a relative name are read")?;
    let home = folder.canonicalize().map_err(|error| error.to_string())?;
    // a folder that is the root itself was chosen by who gave the file; climbing there was chosen by the file
    let top = home.ancestors().nth(climb).filter(|top| climb == 0 || top.parent().is_some());
    let top = top.ok_or("its name climbs to the root of all files")?;
    let path = folder.join(&name).canonicalize().map_err(|error| error.to_string())?;
    match path.starts_with(top) {
        true => Ok(path),
        false => Err(format!("a link leads out of {}", top.display())),
    }
}

/// How many folders up a relative name goes at its highest; nothing for another kind of name.
fn climb(name: &Path) -> Option<usize> {
    let (mut depth, mut highest) = (0_isize, 0);
    for part in name.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
        highest = highest.min(depth);
    }
    Some(highest.unsigned_abs())
}

/// Whether it begins as `http:` or `C:` do (RFC 3986, 3.1).
fn has_scheme(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

impl Gltf {
    /// Images that are named, not held: moved elsewhere, the file would lose them. Puts them into the buffer, so that
    /// nothing is written beside the file, and says which it could not.
    pub fn embed_images(&mut self, beside: impl Fn(&str) -> Result<Vec<u8>, String>) -> Vec<String> {
        let mut lost = Vec::new();
        // an image that is named a thousand times is held once
        let mut known: HashMap<String, usize> = HashMap::new();
        for i in 0..self.json["images"].as_array().map_or(0, Vec::len) {
            let Some(uri) = self.json["images"][i]["uri"].as_str().filter(|uri| !uri.starts_with("data:")) else {
                continue;
            };
            let uri = uri.to_owned();
            let read = || {
                let bytes = beside(&uri)?;
                let kind = image_kind(&bytes).ok_or("it is no PNG, JPEG, WebP or KTX2")?;
                Ok((bytes, kind))
            };
            match read() {
                Ok((bytes, kind)) => {
                    let view = *known.entry(uri).or_insert_with(|| self.append_view(&bytes, None));
                    hold_image(&mut self.json["images"][i], view, kind);
                }
                Err::<_, String>(error) => {
                    lost.push(format!("image {uri:?} stays where it is, and may not be found: {error}"));
                }
            }
        }
        lost
    }
}

fn hold_image(image: &mut Value, view: usize, kind: &str) {
    if let Some(image) = image.as_object_mut() {
        image.shift_remove("uri");
        image.insert("bufferView".into(), json!(view));
        image.insert("mimeType".into(), json!(kind));
    }
}

/// What the first bytes say: names of images often lie.
fn image_kind(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0xAB, b'K', b'T', b'X', b' ', b'2', b'0', 0xBB, ..] => Some("image/ktx2"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `project/models/hero`, `project/textures`, and things outside `project`.
    fn folders(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("fusiform-{name}-{}", std::process::id()));
        for folder in ["project/models/hero", "project/textures", "outside"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        std::fs::write(root.join("project/models/hero/a b.bin"), b"beside").unwrap();
        std::fs::write(root.join("project/textures/skin.png"), b"above").unwrap();
        std::fs::write(root.join("outside/secret"), b"secret").unwrap();
        root
    }

    #[test]
    fn names_are_decoded_and_may_climb() {
        let root = folders("climb");
        let beside = read_beside(&root.join("project/models/hero"));
        for uri in ["a%20b.bin", "./a b.bin", "../hero/a b.bin"] {
            assert_eq!(beside(uri).unwrap(), b"beside", "{uri}");
        }
        for uri in ["../../textures/skin.png", "%2e%2e/../textures/skin.png"] {
            assert_eq!(beside(uri).unwrap(), b"above", "{uri}");
        }
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn names_that_are_not_relative_are_refused() {
        let root = folders("elsewhere");
        let beside = read_beside(&root.join("project/models/hero"));
        let absolute = root.join("outside/secret").display().to_string();
        let schemes = ["http://host/a", "file:a b.bin", "file%3Aa b.bin", "C:a b.bin", "//host/a"];
        for uri in [&schemes[..], &["/dev/null", &absolute, ".", "..", ""]].concat() {
            assert!(beside(uri).is_err(), "{uri}");
        }
        let to_root = "../".repeat(64) + absolute.trim_start_matches('/');
        assert!(beside(&to_root).unwrap_err().contains("root"), "{to_root}");
        std::fs::remove_dir_all(root).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_may_lead_about_the_folders_that_a_name_names_but_not_out_of_them() {
        let root = folders("links");
        let hero = root.join("project/models/hero");
        let link = |to: &str, from: &Path| std::os::unix::fs::symlink(root.join(to), from).unwrap();
        link("project/models/hero/a b.bin", &hero.join("near.bin"));
        link("outside/secret", &hero.join("far.bin"));
        link("outside", &root.join("project/textures/linked"));
        let beside = read_beside(&hero);
        assert_eq!(beside("near.bin").unwrap(), b"beside");
        for uri in ["far.bin", "../hero/far.bin", "../../textures/linked/secret"] {
            assert!(beside(uri).unwrap_err().contains("a link leads out of"), "{uri}");
        }
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn images_are_brought_along_once_and_those_that_cannot_are_told() {
        let names = ["skin.png", "gone.jpg", "notes.png", "skin.png", "data:,x"];
        let images: Vec<Value> = names.iter().map(|uri| json!({ "uri": uri })).collect();
        let text = json!({ "asset": { "version": "2.0" }, "images": images }).to_string();
        let mut file = Gltf::read(text.as_bytes(), |_| Err("no buffers".into())).unwrap();
        let jpeg = [0xFF, 0xD8, 0xFF, 0xE0];
        let lost = file.embed_images(|uri| match uri {
            "skin.png" => Ok(jpeg.into()),
            "notes.png" => Ok(b"root:x:0:0".into()),
            _ => Err("it is not there".into()),
        });
        assert!(lost.len() == 2 && lost[0].contains("gone.jpg") && lost[1].contains("notes.png"), "{lost:?}");
        let held = json!({ "bufferView": 0, "mimeType": "image/jpeg" });
        assert!(file.json["images"][0] == held && file.json["images"][3] == held, "{}", file.json);
        assert_eq!(
            (&file.json["images"][1]["uri"], &file.json["images"][4]["uri"]),
            (&"gone.jpg".into(), &"data:,x".into())
        );
        assert_eq!(file.bytes, jpeg);
    }
}
