//! Animations: one palette over all frames, and dithering that stands still.

use crate::{Picture, PictureError, color::bayer};
use std::borrow::Cow;

/// Colours of the palette; the 256th entry means "as in the frame before".
const N_COLOR: usize = 255;
const UNCHANGED: u8 = 255;
/// Browsers slow down anything faster.
const MAX_FPS: f32 = 50.0;

/// An animation that loops for ever, at most 50 frames per second.
///
/// All frames share one palette and one fixed dither pattern, so what does not move does not flicker.
///
/// # Errors
/// When there are no frames, their sizes differ, or `fps` is not above 0.
pub fn gif(frames: &[Picture], fps: f32) -> Result<Vec<u8>, PictureError> {
    Ok(gif_while(frames, fps, |_| true)?.unwrap_or_default())
}

/// The same as long as `goes_on`, which hears how much is done, 0 to 1, says so; nothing when it says no.
///
/// # Errors
/// As [`gif()`].
pub fn gif_while(
    frames: &[Picture],
    fps: f32,
    mut goes_on: impl FnMut(f32) -> bool,
) -> Result<Option<Vec<u8>>, PictureError> {
    let first = frames.first().ok_or(PictureError::NoPictures { what: "a GIF" })?;
    check(frames, first, fps)?;
    let palette = Palette::new(frames);
    let refused = |error: gif::EncodingError| PictureError::Encode { format: "GIF", reason: error.to_string() };
    let mut bytes = Vec::new();
    let (width, height) = (first.width as u16, first.height as u16);
    let mut encoder = gif::Encoder::new(&mut bytes, width, height, &palette.bytes()).map_err(refused)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(refused)?;
    let mut before: Vec<u8> = Vec::new();
    let mut pairs = vec![None; 1 << 18];
    for (i, frame) in frames.iter().enumerate() {
        if !goes_on(i as f32 / frames.len() as f32) {
            return Ok(None);
        }
        let indices = palette.dither(frame, &mut pairs);
        let buffer = match before.is_empty() {
            true => indices.clone(),
            false => indices.iter().zip(&before).map(|(a, b)| if a == b { UNCHANGED } else { *a }).collect(),
        };
        let time = |i: usize| (i as f32 * 100.0 / fps.min(MAX_FPS)).round() as u32;
        let frame = gif::Frame {
            // rounded so that the sum stays true: 30 fps is 3, 4, 3 hundredths
            delay: (time(i + 1) - time(i)).min(u32::from(u16::MAX)) as u16,
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            width,
            height,
            buffer: Cow::Owned(buffer),
            ..gif::Frame::default()
        };
        encoder.write_frame(&frame).map_err(refused)?;
        before = indices;
    }
    drop(encoder);
    Ok(Some(bytes))
}

fn check(frames: &[Picture], first: &Picture, fps: f32) -> Result<(), PictureError> {
    if !(fps > 0.0 && fps.is_finite()) {
        return Err(crate::surface::setting("the GIF", "the frame rate", fps, "above 0"));
    }
    for (i, frame) in frames.iter().enumerate() {
        frame.check()?;
        if (frame.width, frame.height) != (first.width, first.height) {
            return Err(PictureError::FrameSize {
                frame: i,
                width: frame.width,
                height: frame.height,
                first_width: first.width,
                first_height: first.height,
            });
        }
    }
    Ok(())
}

type Rgb = [f32; 3];

struct Palette {
    colors: Vec<Rgb>,
}

/// Two palette entries whose mixture comes nearest to a colour.
type Pair = (u8, u8);

impl Palette {
    fn new(frames: &[Picture]) -> Self {
        Self { colors: median_cut(histogram(frames)) }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.colors.iter().flatten().map(|c| (c + 0.5) as u8).collect();
        bytes.resize(256 * 3, 0);
        bytes
    }

    /// Palette index of every pixel; depends on the colour and the place of a pixel only.
    fn dither(&self, frame: &Picture, pairs: &mut [Option<Pair>]) -> Vec<u8> {
        let width = frame.width as usize;
        frame
            .pixels
            .chunks_exact(3)
            .enumerate()
            .map(|(i, rgb)| {
                let color = [f32::from(rgb[0]), f32::from(rgb[1]), f32::from(rgb[2])];
                let (a, b) = *pairs[key(rgb)].get_or_insert_with(|| self.pair(color));
                let share = self.share(color, a, b);
                if bayer(i % width, i / width) < share { b } else { a }
            })
            .collect()
    }

    /// The nearest colour, and the one that with it comes closest without being far apart.
    fn pair(&self, color: Rgb) -> Pair {
        let nearest = self.best(|i| distance2(self.colors[i], color));
        let partner = self.best(|i| {
            let (a, b) = (self.colors[usize::from(nearest)], self.colors[i]);
            let t = self.share(color, nearest, i as u8);
            let mixed: Rgb = std::array::from_fn(|c| a[c] + (b[c] - a[c]) * t);
            // visible grain grows with the contrast of the pair
            distance2(mixed, color) + 0.04 * distance2(a, b)
        });
        (nearest, partner)
    }

    fn best(&self, cost: impl Fn(usize) -> f32) -> u8 {
        let (mut best, mut least) = (0, f32::INFINITY);
        for i in 0..self.colors.len() {
            let cost = cost(i);
            if cost < least {
                (best, least) = (i, cost);
            }
        }
        best as u8
    }

    /// How much of `b` makes `a` most like the colour, 0..1.
    fn share(&self, color: Rgb, a: u8, b: u8) -> f32 {
        let (a, b) = (self.colors[usize::from(a)], self.colors[usize::from(b)]);
        let length2 = distance2(a, b);
        if length2 == 0.0 {
            return 0.0;
        }
        let along: f32 = (0..3).map(|c| (color[c] - a[c]) * (b[c] - a[c])).sum();
        (along / length2).clamp(0.0, 1.0)
    }
}

fn distance2(a: Rgb, b: Rgb) -> f32 {
    // the eye sees steps in green best and in blue least
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    0.9 * d[0] * d[0] + 1.5 * d[1] * d[1] + 0.6 * d[2] * d[2]
}

/// Six bits of each channel.
fn key(rgb: &[u8]) -> usize {
    rgb.iter().fold(0, |key, c| key << 6 | usize::from(c >> 2))
}

/// One occupied cell of the colour cube: mean colour and number of pixels.
#[derive(Clone, Copy)]
struct Bin {
    mean: Rgb,
    count: f32,
}

fn histogram(frames: &[Picture]) -> Vec<Bin> {
    let mut sums = vec![([0_u64; 3], 0_u64); 1 << 18];
    for frame in frames {
        for rgb in frame.pixels.chunks_exact(3) {
            let bin = &mut sums[key(rgb)];
            bin.1 += 1;
            for (sum, value) in bin.0.iter_mut().zip(rgb) {
                *sum += u64::from(*value);
            }
        }
    }
    let occupied = sums.into_iter().filter(|(_, n)| *n > 0);
    occupied
        .map(|(sum, n)| Bin {
            mean: sum.map(|s| s as f32 / n as f32),
            // square root: a large backdrop must not take all the colours
            count: (n as f32).sqrt(),
        })
        .collect()
}

/// Heckbert: *Color Image Quantization for Frame Buffer Display*, SIGGRAPH 82; here the box with
/// the largest spread (variance times count) is cut next, at its mean.
fn median_cut(bins: Vec<Bin>) -> Vec<Rgb> {
    let measure = |bins: Vec<Bin>| {
        let (axis, spread) = widest(&bins);
        (bins, axis, spread)
    };
    let mut boxes = vec![measure(bins)];
    while boxes.len() < N_COLOR {
        let mut worst = 0;
        for i in 1..boxes.len() {
            if boxes[i].2 > boxes[worst].2 {
                worst = i;
            }
        }
        if boxes[worst].2 <= 0.0 {
            break;
        }
        let (bins, axis, _) = boxes.swap_remove(worst);
        let middle = mean(&bins)[axis];
        let (low, high): (Vec<Bin>, Vec<Bin>) = bins.into_iter().partition(|bin| bin.mean[axis] <= middle);
        boxes.extend([measure(low), measure(high)]);
    }
    boxes.iter().map(|(bins, ..)| mean(bins)).collect()
}

fn mean(bins: &[Bin]) -> Rgb {
    let total: f32 = bins.iter().map(|bin| bin.count).sum();
    std::array::from_fn(|c| bins.iter().map(|bin| bin.mean[c] * bin.count).sum::<f32>() / total.max(1e-9))
}

/// The axis along which the colours spread most, and how much; 0 for a single colour.
fn widest(bins: &[Bin]) -> (usize, f32) {
    let center = mean(bins);
    let spread: Rgb = std::array::from_fn(|c| {
        bins.iter().map(|bin| bin.count * (bin.mean[c] - center[c]) * (bin.mean[c] - center[c])).sum()
    });
    let axis = (0..3).fold(0, |best, c| if spread[c] > spread[best] { c } else { best });
    (axis, if bins.len() > 1 { spread[axis] } else { 0.0 })
}
