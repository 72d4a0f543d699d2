//! AnyPath: a path in a JSON file, also one that is no text.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A path, as text where it is text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct AnyPath(pub PathBuf);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<Written> for AnyPath {
    fn from(written: Written) -> Self {
        match written {
            Written::Text(text) => Self(text.into()),
            #[cfg(unix)]
            Written::Bytes(bytes) => {
                use std::os::unix::ffi::OsStringExt as _;
                Self(std::ffi::OsString::from_vec(bytes).into())
            }
            #[cfg(not(unix))]
            Written::Bytes(bytes) => Self(String::from_utf8_lossy(&bytes).into_owned().into()),
        }
    }
}

impl From<AnyPath> for Written {
    fn from(AnyPath(path): AnyPath) -> Self {
        match path.into_os_string().into_string() {
            Ok(text) => Self::Text(text),
            Err(name) => Self::Bytes(name.into_encoded_bytes()),
        }
    }
}
