//! Files that characters and motions come in. Bytes in, checked values out; nothing here opens a file.

pub mod bvh;
