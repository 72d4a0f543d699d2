//! What can be wrong with a request for a picture, and how to mend it.

/// Why a picture could not be made. Every message names the element and the cure.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The scene holds no surface at all.
    #[error("the scene has no surfaces; add at least one surface with triangles")]
    EmptyScene,
    /// A surface without triangles.
    #[error("surface \"{surface}\" has no triangles; leave it out or give it some")]
    NoTriangles {
        /// Name of the surface.
        surface: String,
    },
    /// A NaN or infinite number.
    #[error("surface \"{surface}\": the {what} of vertex {vertex} is not a finite number; mend or remove that vertex")]
    NotFinite {
        /// Name of the surface.
        surface: String,
        /// Which array: position, normal or colour.
        what: &'static str,
        /// Index into that array.
        vertex: usize,
    },
    /// An array whose length does not fit the number of vertices.
    #[error("surface \"{surface}\" has {found} {what} for {n_vertex} vertices; give {expected}")]
    Length {
        /// Name of the surface.
        surface: String,
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Number of positions.
        n_vertex: usize,
        /// The lengths that would be right.
        expected: &'static str,
    },
    /// A triangle that refers to a vertex that is not there.
    #[error(
        "surface \"{surface}\": triangle {triangle} uses vertex {index}, but there are only {n_vertex}; correct the triangle list"
    )]
    Index {
        /// Name of the surface.
        surface: String,
        /// Index of the triangle.
        triangle: usize,
        /// The index that is out of range.
        index: u32,
        /// Number of positions.
        n_vertex: usize,
    },
    /// A setting of a surface or scene outside its range.
    #[error("{place}: {what} is {value}; it must be {range}")]
    Setting {
        /// Which surface, or the scene, camera or quality.
        place: String,
        /// Name of the setting.
        what: &'static str,
        /// Its value.
        value: f32,
        /// What is allowed.
        range: &'static str,
    },
    /// A picture of no pixels, or of too many.
    #[error("a picture of {width}x{height} pixels cannot be made; both sides must be 1 to {MAX_SIDE}")]
    Size {
        /// Width asked for.
        width: u32,
        /// Height asked for.
        height: u32,
    },
    /// A pixel buffer whose length does not match its sides.
    #[error("the picture says {width}x{height} but holds {bytes} bytes; it must hold 3 bytes for every pixel")]
    Buffer {
        /// Width stated.
        width: u32,
        /// Height stated.
        height: u32,
        /// Length of the buffer.
        bytes: usize,
    },
    /// A view that is neither a name nor two angles.
    #[error(
        "\"{text}\" is not a view; use front, back, left, right, three-quarter, three-quarter-back, top, or azimuth,elevation in degrees such as 35,10"
    )]
    View {
        /// The text given.
        text: String,
    },
    /// A composition or animation of nothing.
    #[error("{what} needs at least one picture; none was given")]
    NoPictures {
        /// What was asked for.
        what: &'static str,
    },
    /// Frames of an animation must all have one size.
    #[error(
        "frame {frame} is {width}x{height} pixels but frame 0 is {first_width}x{first_height}; render all frames at one size"
    )]
    FrameSize {
        /// Index of the frame that differs.
        frame: usize,
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
        /// Width of frame 0.
        first_width: u32,
        /// Height of frame 0.
        first_height: u32,
    },
    /// The encoder refused.
    #[error("could not encode the {format}: {reason}; try a smaller picture")]
    Encode {
        /// PNG or GIF.
        format: &'static str,
        /// In the encoder's own words.
        reason: String,
    },
}

/// Longest side of a picture, in pixels.
pub const MAX_SIDE: u32 = 16_384;
