//! What is drawn over the view: legible over anything, in whole, and saying what colours mean.

use crate::arm;
use crate::placing::place_of;
use crate::refitting::with_plane;
use crate::window::{
    Window, click, cut, drawn, look, on_arm, open, seen, settled, shapes, studio, studio_mut, view, words, written,
};
use egui::epaint::{ColorMode, PathStroke};
use egui::{Color32, Pos2, Rect, Shape, Theme, vec2};
use egui_kittest::kittest::Queryable;
use fusiform_picture::color::{bytes_from_linear, heat, tension};
use fusiform_studio::app::Begin;
use fusiform_studio::model::{Grip, Look, Play, Show, Tool, belly_line};
use glam::Vec3;

/// Lines over the view.
fn lines(window: &Window) -> Vec<Vec<Pos2>> {
    let view = view(window);
    let line = |(clip, shape): (Rect, Shape)| match shape {
        Shape::Path(path) if clip == view => Some(path.points),
        _ => None,
    };
    shapes(window).into_iter().filter_map(line).collect()
}

fn says(window: &Window, expected: &str) -> bool {
    words(window).iter().any(|(text, _)| text == expected)
}

fn is_dark(color: Color32) -> bool {
    color.r().max(color.g()).max(color.b()) < 60 && color.a() > 120
}

fn ink(stroke: &PathStroke) -> Color32 {
    match stroke.color {
        ColorMode::Solid(color) => color,
        ColorMode::UV(_) => Color32::TRANSPARENT,
    }
}

/// Whether a shape is a dark ground for what is drawn after it.
fn is_ground(ground: &Shape, of: &Shape) -> bool {
    match (ground, of) {
        (Shape::Rect(ground), Shape::Text(text)) => {
            is_dark(ground.fill) && ground.rect.contains_rect(text.galley.rect.translate(text.pos.to_vec2()))
        }
        (Shape::Path(ground), Shape::Path(path)) => ground.points == path.points && is_dark(ink(&ground.stroke)),
        (Shape::LineSegment { points, stroke }, Shape::LineSegment { points: of, .. }) => {
            points == of && is_dark(stroke.color)
        }
        (Shape::Circle(ground), Shape::Circle(circle)) => {
            ground.center == circle.center && (is_dark(ground.stroke.color) || is_dark(ground.fill))
        }
        _ => false,
    }
}

/// Whatever is written or drawn as a line over the view has something dark behind it.
fn assert_legible(window: &Window, what: &str) {
    let (view, all) = (view(window), shapes(window));
    let over: Vec<&Shape> = all.iter().filter(|(clip, _)| view.contains_rect(*clip)).map(|(_, shape)| shape).collect();
    for (i, shape) in over.iter().enumerate() {
        let needs_ground = match shape {
            Shape::Text(text) => text.galley.text() != "no graphics adapter",
            Shape::Path(path) => !path.stroke.is_empty(),
            Shape::Circle(circle) => !circle.stroke.is_empty(),
            Shape::LineSegment { .. } => true,
            _ => false,
        };
        let has_ground = over[..=i].iter().any(|ground| is_ground(ground, shape));
        assert!(has_ground || !needs_ground, "{what}: {shape:?}");
    }
}

/// Nothing that is written over the view is cut off, or written over something else.
fn assert_read_in_whole(window: &Window, what: &str) {
    let (view, words) = (view(window), words(window));
    for (i, (text, rect)) in words.iter().enumerate() {
        assert!(view.contains_rect(*rect), "{what}: {text} at {rect} is cut off by {view}");
        for (other, at) in &words[..i] {
            assert!(!at.intersects(*rect), "{what}: {text} at {rect} is written over {other} at {at}");
        }
    }
}

#[test]
fn chosen_muscles_are_marked_whatever_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    for (show, ..) in Show::ALL {
        studio_mut(&mut window).apply(Look::Show(show));
        for chosen in [Some(0), Some(1), None] {
            studio_mut(&mut window).apply(Look::Select(None, false));
            studio_mut(&mut window).apply(Look::Select(chosen, false));
            window.run_steps(2);
            for m in [0, 1] {
                let line = belly_line(&studio(&window).live, m);
                let ends = [line[0], line[line.len() - 1]].map(|end| seen(&window, end));
                let is_it = |of: &Vec<Pos2>| of.len() == line.len() && of[0] == ends[0] && of[of.len() - 1] == ends[1];
                let has_color = matches!(show, Show::Muscles | Show::Both);
                let expected = chosen == Some(m) && !has_color;
                assert_eq!(lines(&window).iter().any(is_it), expected, "{show:?}: {m} of {chosen:?}");
            }
        }
    }
}

#[test]
fn a_hint_is_read_in_whole_in_a_narrow_view_and_below_what_is_said_of_the_split() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    for (width, zoom) in [(1280.0, 1.0), (720.0, 1.0), (1280.0, 2.0)] {
        window.set_size(vec2(width, 800.0) / zoom);
        for tool in [Tool::Place, Tool::Create, Tool::Cut] {
            for split in [None, Some(0.5), Some(0.03), Some(0.97)] {
                window.state_mut().session_mut().unwrap().viewport.split = split;
                studio_mut(&mut window).apply(Look::Tool(tool));
                studio_mut(&mut window).apply(Look::Select(Some(0), false));
                window.run_steps(3);
                let what = format!("{tool:?} of {width} points with {split:?}");
                let hints =
                    words(&window).into_iter().filter(|(text, _)| text.contains("lick") || text.contains("Drag"));
                assert!(tool == Tool::Cut || hints.count() == 1, "{what}: {:?}", words(&window));
                assert_read_in_whole(&window, &what);
            }
        }
    }
}

#[test]
fn what_a_handle_is_called_is_read_in_whole_at_every_edge_of_the_view() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    click(&mut window, "Place");
    studio_mut(&mut window).apply(Look::Select(Some(0), false));
    for edge in [vec2(1.0, 0.5), vec2(0.0, 0.5), vec2(0.5, 0.0), vec2(1.0, 1.0)] {
        let (rect, place) = (view(&window), place_of(&window, 0, Grip::Insertion));
        let to = rect.shrink(12.0).lerp_inside(edge); // beyond, panels are sized
        for _ in 0..4 {
            let drag = (to - seen(&window, place)) / rect.height();
            let camera = &mut window.state_mut().session_mut().unwrap().viewport.camera;
            camera.pan(glam::Vec2::new(drag.x, drag.y), rect.aspect_ratio());
        }
        window.run_steps(2);
        let at = seen(&window, place);
        window.hover_at(at);
        window.run_steps(3);
        let told = words(&window);
        let label = told.iter().find(|(text, _)| text.contains("insertion"));
        let label = label.unwrap_or_else(|| panic!("{edge}: {at} in {rect}: {told:?}"));
        assert!(rect.contains_rect(label.1), "{edge}: {label:?}");
    }
}

#[test]
fn a_long_name_of_a_file_leaves_the_times_out_and_is_cut_short_where_there_is_no_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{}.glb", "a_character_with_a_long_name_".repeat(5)));
    std::fs::write(&path, arm::glb()).unwrap();
    let mut window = open(Begin::File(path));
    for (width, has_times) in [(1900.0, true), (1280.0, false), (640.0, false)] {
        window.set_size(vec2(width, 800.0));
        window.run_steps(4);
        settled(&mut window);
        let bar = window.get_by_label("Undo").rect();
        let row: Vec<_> =
            written(&window).into_iter().filter(|(_, rect, _)| bar.y_range().contains(rect.center().y)).collect();
        assert!(row.iter().any(|(text, ..)| text.starts_with("a_character")), "{row:?}");
        assert_eq!(row.iter().any(|(text, ..)| text.contains("solver")), has_times, "{width}");
        for (i, (text, rect, _)) in row.iter().enumerate() {
            assert!(rect.right() <= width, "{width}: {text} at {rect}");
            let over = row[..i].iter().find(|(_, at, _)| at.shrink(0.5).intersects(*rect));
            assert!(over.is_none(), "{width}: {text} is written over {over:?}");
        }
    }
}

#[test]
fn what_tools_draw_is_legible_over_light_and_dark() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = with_plane(folder.path());
    for theme in [Theme::Light, Theme::Dark] {
        window.ctx.set_theme(theme);
        for tool in [Tool::Select, Tool::Cut, Tool::Pose, Tool::Place, Tool::Create, Tool::Sculpt] {
            studio_mut(&mut window).apply(Look::Tool(tool));
            window.state_mut().session_mut().unwrap().viewport.split = (tool == Tool::Pose).then_some(0.8);
            let limb = seen(&window, Vec3::new(0.0, 0.5, 0.0));
            window.hover_at(limb);
            window.run_steps(4);
            assert_legible(&window, &format!("{tool:?} {theme:?}"));
            assert_read_in_whole(&window, &format!("{tool:?} {theme:?}"));
            let expected = match tool {
                Tool::Cut => "flexor",
                Tool::Pose => "lower",
                _ => continue,
            };
            assert!(says(&window, expected), "{tool:?}: {:?}", words(&window));
        }
    }
}

/// The colours of the bar in the view, from 0 to 1.
fn bar(window: &Window) -> Option<[Color32; 2]> {
    let view = view(window);
    let of = |(clip, shape): (Rect, Shape)| match shape {
        Shape::Mesh(mesh) if clip == view => Some([mesh.vertices.first()?.color, mesh.vertices.last()?.color]),
        _ => None,
    };
    shapes(window).into_iter().find_map(of)
}

fn ends(colors: fn(f32) -> [f32; 3]) -> Option<[Color32; 2]> {
    Some([0.0, 1.0].map(|value| bytes_from_linear(colors(value))).map(|[r, g, b]| Color32::from_rgb(r, g, b)))
}

#[test]
fn a_legend_says_what_colours_mean_and_of_whom() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    let shown = |window: &mut Window, looks: &[Look]| {
        looks.iter().for_each(|look| studio_mut(window).apply(look.clone()));
        window.run_steps(3);
    };
    for show in [Show::Skin, Show::Muscles, Show::Both] {
        shown(&mut window, &[Look::Show(show)]);
        assert!(bar(&window).is_none() && !says(&window, "0"), "{show:?}");
    }
    for (look, whose) in [
        (Look::Show(Show::Weights), "Weights of all muscles"),
        (Look::Select(Some(0), false), "Weights of biceps.l"),
        (Look::Select(Some(1), true), "Weights of biceps.l, biceps.r"),
        (Look::Joint(Some(1)), "Weights of lower"),
    ] {
        shown(&mut window, &[look]);
        assert!(says(&window, whose), "{:?}", words(&window));
        assert_eq!(bar(&window), ends(heat));
        assert!(says(&window, "0") && says(&window, "1"));
    }
    shown(&mut window, &[Look::Show(Show::Tension)]);
    assert!(says(&window, "Tension") && says(&window, "0") && says(&window, "1"));
    assert_eq!(bar(&window), ends(tension));
}

#[test]
fn a_region_is_named_while_the_mouse_is_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = on_arm(folder.path());
    studio_mut(&mut window).apply(Look::Show(Show::Regions));
    cut(studio_mut(&mut window));
    for (height, bone) in [(0.1, "upper"), (0.5, "lower")] {
        let at = seen(&window, Vec3::new(0.0, height, 0.0));
        window.hover_at(at);
        window.run_steps(3);
        assert!(says(&window, bone), "{height}: {:?}", words(&window));
    }
    let beside = view(&window).left_top() + vec2(30.0, 60.0);
    window.hover_at(beside);
    window.run_steps(3);
    assert!(!says(&window, "lower") && bar(&window).is_none());
}

/// Pictures to look at, on the built-in character.
#[test]
fn all_that_is_drawn_over_the_athlete_is_read_in_whole() {
    let begin = Begin::Athlete(Some(3_700));
    let pictures = std::env::var_os("FUSIFORM_LOOK").and_then(|_| drawn(begin.clone(), "what is over the view"));
    let has_pictures = pictures.is_some();
    let mut window = pictures.unwrap_or_else(|| open(begin));
    let thigh = studio(&window).muscles().iter().position(|muscle| muscle.name == "rectus_femoris.l");
    let m = thigh.expect("it has one");
    cut(studio_mut(&mut window));
    window.ctx.set_pixels_per_point(1.0);
    for (theme, named) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        window.ctx.set_theme(theme);
        for zoom in [1.0, 2.0] {
            window.ctx.set_zoom_factor(zoom);
            for (tool, show) in [
                (Tool::Select, Show::Skin),
                (Tool::Select, Show::Weights),
                (Tool::Select, Show::Tension),
                (Tool::Select, Show::Regions),
                (Tool::Place, Show::Both),
                (Tool::Pose, Show::Skin),
                (Tool::Cut, Show::Regions),
            ] {
                let studio = studio_mut(&mut window);
                studio.apply(Look::Tool(tool));
                studio.apply(Look::Show(show));
                studio.apply(Look::Select(None, false));
                studio.apply(Look::Select(Some(m), false));
                studio.apply(Play::Tense(0.7));
                let viewport = &mut window.state_mut().session_mut().unwrap().viewport;
                viewport.split = (tool == Tool::Place).then_some(0.6);
                viewport.extras.bones = tool == Tool::Pose;
                window.run_steps(3);
                let line = belly_line(&super::window::studio(&window).live, m);
                let at = seen(&window, line[line.len() - 1]);
                window.hover_at(at);
                window.run_steps(3);
                let what = format!("over_{named}_{zoom}_{tool:?}_{show:?}");
                if has_pictures {
                    look(&mut window, &what);
                } else {
                    assert_read_in_whole(&window, &what);
                }
                assert_legible(&window, &what);
            }
        }
    }
}
