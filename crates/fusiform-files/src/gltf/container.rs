//! The container: .glb or .gltf, with buffers inside, embedded or beside it.
//!
//! Whatever it was, in memory it is one JSON document and one buffer, as a .glb has it: buffers beside the file and
//! embedded ones are appended to it, and buffer views moved accordingly.

use super::shape;
use crate::FileError;
use base64::Engine as _;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// A glTF file in memory: its own JSON, in order, and its bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Gltf {
    /// The document, as it came but for what we own.
    pub json: Value,
    /// What its one buffer holds.
    pub bytes: Vec<u8>,
}

const MAGIC: &[u8; 4] = b"glTF";
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BIN_CHUNK: u32 = 0x004E_4942;

/// Required extensions that do not change what is read here, or that are read.
const HARMLESS: [&str; 6] = [
    "KHR_mesh_quantization",
    "KHR_lights_punctual",
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "FUSIFORM_musculature",
];

impl Gltf {
    /// Read a .glb or .gltf. `beside` gives the bytes of a file that it names.
    ///
    /// # Errors
    /// When the bytes are no glTF 2.0, are cut off, or need something that is not there.
    pub fn read(bytes: &[u8], beside: impl Fn(&str) -> Result<Vec<u8>, String>) -> Result<Self, FileError> {
        let (text, bin) = if bytes.starts_with(MAGIC) { chunks(bytes)? } else { (bytes, None) };
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let json: Value = serde_json::from_slice(text).map_err(|error| {
            FileError::new("JSON", format!("it cannot be read: {error}"))
                .cure("give a .glb or .gltf file; for another format, export to glTF first")
        })?;
        check_version(&json)?;
        shape::check(&json)?;
        check_extensions(&json)?;
        let mut file = Self { json, bytes: Vec::new() };
        file.gather(bin, beside)?;
        Ok(file)
    }

    /// As a .glb.
    ///
    /// # Errors
    /// When it is larger than a .glb can be.
    pub fn to_glb(&self) -> Result<Vec<u8>, FileError> {
        let mut json = self.json.clone();
        self.declare_buffer(&mut json, None);
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let bin = self.bytes.len().next_multiple_of(4);
        let chunk = |len: usize| if len == 0 { 0 } else { 8 + len };
        let total = 12 + chunk(text.len()) + chunk(bin);
        if u32::try_from(total).is_err() {
            return Err(FileError::new("container", "it is larger than the 4 GiB that a .glb can be")
                .cure("bake fewer clips, or fewer frames a second"));
        }
        let mut out = Vec::with_capacity(total);
        out.extend_from_slice(MAGIC);
        for word in [2, total as u32, text.len() as u32, JSON_CHUNK] {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out.extend_from_slice(&text);
        if bin > 0 {
            out.extend_from_slice(&(bin as u32).to_le_bytes());
            out.extend_from_slice(&BIN_CHUNK.to_le_bytes());
            out.extend_from_slice(&self.bytes);
            out.resize(total, 0);
        }
        Ok(out)
    }

    /// As a .gltf that needs no other file: the buffer is embedded, so that it is written whole or not at all.
    #[must_use]
    pub fn to_gltf(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        let embedded = base64::engine::general_purpose::STANDARD.encode(&self.bytes);
        self.declare_buffer(&mut json, Some(format!("data:application/octet-stream;base64,{embedded}")));
        let mut text = format!("{json:#}").into_bytes();
        text.push(b'\n');
        text
    }

    /// Put all buffers one after the other, each at a multiple of eight bytes, and move the views.
    fn gather(
        &mut self,
        bin: Option<&[u8]>,
        beside: impl Fn(&str) -> Result<Vec<u8>, String>,
    ) -> Result<(), FileError> {
        let buffers = self.json.get("buffers").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut held_at: Vec<(usize, u64)> = Vec::with_capacity(buffers.len());
        // a file that is named a thousand times is held once
        let mut known: HashMap<(&str, u64), usize> = HashMap::new();
        for (i, buffer) in buffers.iter().enumerate() {
            let wanted = buffer.get("byteLength").and_then(Value::as_u64).unwrap_or(0);
            let uri = buffer.get("uri").and_then(Value::as_str);
            if let Some(&start) = uri.and_then(|uri| known.get(&(uri, wanted))) {
                held_at.push((start, wanted));
                continue;
            }
            self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
            held_at.push((self.bytes.len(), wanted));
            known.extend(uri.map(|uri| ((uri, wanted), self.bytes.len())));
            let held = buffer_bytes(i, buffer, bin, &beside)?;
            let bytes = usize::try_from(wanted).ok().and_then(|wanted| held.get(..wanted)).ok_or_else(|| {
                let message = format!("it says it has {wanted} bytes, but there are {}", held.len());
                FileError::new(format!("buffer {i}"), message).cure("the file was cut off: copy or download it again")
            })?;
            self.bytes.extend_from_slice(bytes);
            if u32::try_from(self.bytes.len()).is_err() {
                return Err(FileError::new(format!("buffer {i}"), "with it the file is larger than 4 GiB")
                    .cure("export the character alone"));
            }
        }
        let views = self.json.get_mut("bufferViews").and_then(Value::as_array_mut);
        for (i, view) in views.into_iter().flatten().enumerate() {
            move_view(&format!("buffer view {i}"), view, &held_at)?;
        }
        Ok(())
    }

    fn declare_buffer(&self, json: &mut Value, uri: Option<String>) {
        let Some(root) = json.as_object_mut() else { return };
        if self.bytes.is_empty() {
            root.shift_remove("buffers");
            return;
        }
        let first = root.get("buffers").and_then(|buffers| buffers.get(0)).and_then(Value::as_object);
        let mut buffer: Map<String, Value> = first.cloned().unwrap_or_default();
        buffer.shift_remove("uri");
        buffer.insert("byteLength".into(), json!(self.bytes.len()));
        if let Some(uri) = uri {
            buffer.insert("uri".into(), json!(uri));
        }
        root.insert("buffers".into(), json!([buffer]));
    }
}

/// Views, and what extensions keep beside them, into the one buffer.
fn move_view(place: &str, view: &mut Value, held_at: &[(usize, u64)]) -> Result<(), FileError> {
    let Some(fields) = view.as_object_mut() else { return Ok(()) };
    if let Some(buffer) = fields.get("buffer").and_then(Value::as_u64) {
        let Some(&(start, length)) = usize::try_from(buffer).ok().and_then(|buffer| held_at.get(buffer)) else {
            return Err(FileError::new(
                place,
                format!("it refers to buffer {buffer}, but there are {}", held_at.len()),
            ));
        };
        if length == 0 {
            return Err(FileError::new(place, format!("it refers to buffer {buffer}, which has no bytes")));
        }
        if buffer > 0 || start > 0 {
            let offset = fields.get("byteOffset").and_then(Value::as_u64).unwrap_or(0);
            fields.insert("buffer".into(), json!(0));
            fields.insert("byteOffset".into(), json!(offset.saturating_add(start as u64)));
        }
    }
    for (_, extension) in fields.get_mut("extensions").and_then(Value::as_object_mut).into_iter().flatten() {
        move_view(place, extension, held_at)?;
    }
    Ok(())
}

/// The JSON and the binary chunk of a .glb.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), FileError> {
    let cut = || FileError::new("container", "the file ends early").cure("copy or download it again");
    let word = |at: usize| -> Result<u32, FileError> {
        let four = bytes.get(at..at.saturating_add(4)).and_then(|four| four.try_into().ok());
        four.map(u32::from_le_bytes).ok_or_else(cut)
    };
    if word(4)? != 2 {
        return Err(FileError::new("container", format!("it is glTF version {}; version 2 is read", word(4)?))
            .cure("convert it to glTF 2.0 first"));
    }
    // what follows the length that it tells is not its own
    let bytes = bytes.get(..word(8)? as usize).ok_or_else(cut)?;
    let (mut at, mut json, mut bin) = (12, None, None);
    while at < bytes.len() && (json.is_none() || bin.is_none()) {
        let (length, kind) = (word(at)? as usize, word(at + 4)?);
        let chunk = bytes.get(at + 8..(at + 8).saturating_add(length)).ok_or_else(cut)?;
        match kind {
            JSON_CHUNK if json.is_none() => json = Some(chunk),
            BIN_CHUNK if bin.is_none() => bin = Some(chunk),
            _ => {}
        }
        at += 8 + length.next_multiple_of(4);
    }
    json.map(|json| (json, bin)).ok_or_else(|| FileError::new("container", "it has no JSON"))
}

fn check_version(json: &Value) -> Result<(), FileError> {
    match json["asset"]["version"].as_str() {
        Some(version) if version.starts_with("2.") => Ok(()),
        Some(version) => Err(FileError::new("asset", format!("it is glTF version {version}; version 2 is read"))
            .cure("convert it to glTF 2.0 first")),
        None => Err(FileError::new("asset", "it does not say that it is glTF")
            .cure("give a .glb or .gltf file; for another format, export to glTF first")),
    }
}

fn check_extensions(json: &Value) -> Result<(), FileError> {
    let required = json["extensionsRequired"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut unknown = required.filter(|name| !HARMLESS.iter().any(|known| name.starts_with(known)));
    let Some(name) = unknown.next() else { return Ok(()) };
    let cure = match name.contains("meshopt") || name.contains("draco") {
        true => "decompress it first, for example with `npx @gltf-transform/cli copy in.glb out.glb`",
        false => "export it without that extension",
    };
    Err(FileError::new("extensionsRequired", format!("it cannot be read without {name}, which is not read")).cure(cure))
}

fn buffer_bytes<'a>(
    i: usize,
    buffer: &Value,
    bin: Option<&'a [u8]>,
    beside: &impl Fn(&str) -> Result<Vec<u8>, String>,
) -> Result<std::borrow::Cow<'a, [u8]>, FileError> {
    let place = format!("buffer {i}");
    let Some(uri) = buffer.get("uri").and_then(Value::as_str) else {
        return match bin {
            Some(bin) if i == 0 => Ok(bin.into()),
            _ => Err(FileError::new(place, "it has neither bytes nor the name of a file that has")),
        };
    };
    if let Some(embedded) = uri.strip_prefix("data:") {
        let text = embedded.split_once(";base64,").map(|(_, text)| text);
        let decoded = text.and_then(|text| base64::engine::general_purpose::STANDARD.decode(text).ok());
        return decoded.map(Into::into).ok_or_else(|| FileError::new(place, "its embedded bytes are not base64"));
    }
    beside(uri).map(Into::into).map_err(|error| {
        FileError::new(place, format!("{uri:?} cannot be read: {error}"))
            .cure("put the file beside the .gltf, or export a .glb, which holds everything")
    })
}
