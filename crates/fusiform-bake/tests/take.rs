//! Takes: a loop has no seam, and any take can be repeated to the bit.

use fusiform::{Body, Detail};
use fusiform_athlete::{Athlete, athlete};
use fusiform_bake::Take;
use glam::Vec3;

fn frames(take: &mut Take) -> Vec<Vec<Vec3>> {
    take.rewind();
    let n = take.times().len();
    (0..n)
        .map(|_| {
            take.advance(Detail::POSITIONS);
            take.state().positions().to_vec()
        })
        .collect()
}

fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).fold(0.0, |far: f32, (a, b)| far.max(a.distance(*b)))
}

#[test]
fn a_looping_clip_ends_where_it_began_flesh_and_all() {
    let Athlete { character, musculature } = athlete(3_700).expect("the range is allowed");
    let body = Body::bind(&character, &musculature).expect("the athlete is sound");
    let clip = character.clips.iter().position(|clip| clip.name == "combo").expect("it has that clip");
    let seam = |looped| {
        let frames = frames(&mut Take::of(&body, &character, clip, &[], 30.0, Some(looped)));
        apart(&frames[0], &frames[frames.len() - 1])
    };
    let (with, without) = (seam(true), seam(false));
    println!("seam {:.4} mm as a loop, {:.4} mm from rest", 1e3 * with, 1e3 * without);
    // a hundredth of a millimetre between laps, and as much again for the clip's own ends
    assert!(with < 5e-5, "{with} m");
    assert!(with <= without, "{with} m against {without} m");
}

#[test]
fn a_take_that_is_played_again_gives_the_same_bits_and_further_frames_change_none_of_them() {
    let Athlete { character, musculature } = athlete(3_700).expect("the range is allowed");
    let body = Body::bind(&character, &musculature).expect("the athlete is sound");
    let mut take = Take::of(&body, &character, 0, &[], 30.0, None);
    let first = frames(&mut take);
    assert_eq!(first, frames(&mut take));
    let middle = 0.5 * (take.times()[3] + take.times()[4]);
    take.add_midway_frames(&[middle]);
    let more = frames(&mut take);
    assert_eq!((more.len(), take.times()[4]), (first.len() + 1, middle));
    assert_eq!((&more[..4], &more[5..]), (&first[..4], &first[4..]));
}
