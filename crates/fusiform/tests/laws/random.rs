//! Random bodies that leave nothing out: zero-length muscles, up-vectors along the chord, coincident vertices, zero
//! weights, every dial, every base, bones of every shape, one layer or several.

use fusiform::musculature::{
    Activation, Along, Attachment, Base, Bone, BoneShape, Contraction, Driver, Dynamics, Follow, FrameRule, Integrator,
    Layer, NormalWeighting, Path, PoseShape, Profile, Sculpt, ShellMode, Sigmoids, Signal, Spacing, Tissue,
    TissueIntegrator, TissueRest, Volume, WrapFrame,
};
use fusiform::{
    BindError, Body, Character, Mesh, Muscle, Musculature, Physique, Pose, Skeleton, SparseWeights, Transform,
};
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;

/// How often a law is tried; `LAWS_TIMES=20` tries each of them twenty times as often.
pub fn cases(cases: u32) -> ProptestConfig {
    let times = std::env::var("LAWS_TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    ProptestConfig::with_cases(cases * times)
}

/// A character, its muscles, and how many of each a pose and an activation need.
#[derive(Clone, Debug)]
pub struct Subject {
    pub character: Character,
    pub musculature: Musculature,
}

pub fn vec3(size: f32) -> impl Strategy<Value = Vec3> {
    (-size..=size, -size..=size, -size..=size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

pub fn rotation() -> impl Strategy<Value = Quat> {
    (vec3(1.0), -3.1_f32..3.1).prop_map(|(axis, angle)| Quat::from_axis_angle(axis.normalize_or(Vec3::Y), angle))
}

fn skeleton() -> impl Strategy<Value = Skeleton> {
    let joint = (any::<prop::sample::Index>(), vec3(0.4), rotation());
    prop::collection::vec(joint, 1..7).prop_map(|joints| {
        let names: Vec<String> = (0..joints.len()).map(|i| format!("joint{i}")).collect();
        let rows: Vec<_> = joints
            .iter()
            .enumerate()
            .map(|(i, (parent, translation, rotation))| {
                let rest = Transform { translation: *translation, rotation: *rotation, ..Transform::IDENTITY };
                (names[i].as_str(), (i > 0).then(|| parent.index(i.max(1))), rest)
            })
            .collect();
        Skeleton::from_rest(&rows)
    })
}

fn mesh(n_joint: usize) -> impl Strategy<Value = Mesh> {
    let influence = (0..n_joint as u16, prop_oneof![1 => Just(0.0), 4 => 0.01_f32..1.0]);
    let vertex = (vec3(0.5), prop::collection::vec(influence, 1..6), any::<bool>());
    let triangle = [any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()];
    (prop::collection::vec(vertex, 3..60), prop::collection::vec(triangle, 1..80)).prop_map(|(vertices, triangles)| {
        let n = vertices.len();
        let mut mesh = Mesh { name: "skin".into(), ..Mesh::default() };
        for (at, mut influences, twin) in vertices {
            let sum: f32 = influences.iter().map(|i| i.1).sum();
            if sum == 0.0 {
                influences[0].1 = 1.0;
            }
            let sum = if sum == 0.0 { 1.0 } else { sum };
            mesh.weights.push_vertex(influences.into_iter().map(|(joint, w)| (joint, w / sum)));
            let last = mesh.positions.last().copied();
            mesh.positions.push(if twin { last.unwrap_or(at) } else { at });
        }
        mesh.triangles = triangles.iter().map(|t| t.map(|i| i.index(n) as u32)).collect();
        mesh
    })
}

/// Another path, profile or contraction than Lee's, or none.
#[derive(Clone, Debug)]
struct Dials {
    path: Option<Path>,
    profile: Option<Profile>,
    contraction: Option<Contraction>,
    dynamics: Option<Dynamics>,
    carrier: Option<String>,
}

/// Another profile than Lee's.
fn profile() -> impl Strategy<Value = Profile> {
    let ellipsoid = (0.0_f32..0.1, 0.0_f32..0.1).prop_map(|(width, height)| Profile::Ellipsoid { width, height });
    let (share, slope) = (|| prop_oneof![Just(0.0), 0.0_f32..1.0], || -0.3_f32..0.3);
    let cubics = (0.05_f32..0.95, 0.001_f32..0.1, share(), share(), (slope(), slope(), 0.3_f32..3.0)).prop_map(
        |(peak_at, peak, from, to, (start, end, ellipse))| Profile::TwoCubics {
            peak_at,
            peak,
            ends: [from * peak, to * peak],
            slopes: [start, end],
            ellipse,
        },
    );
    let sigmoid = (sigmoids(), any::<bool>()).prop_map(|(shape, flat)| Profile::Sigmoid { shape, flat });
    prop_oneof![ellipsoid, cubics, sigmoid]
}

/// Two sigmoids of unlike sides, each with some radius everywhere.
fn sigmoids() -> impl Strategy<Value = Sigmoids> {
    let half = || (-4.0_f32..6.0, 0.0_f32..20.0, -0.05_f32..0.1, 0.06_f32..0.1).prop_map(|(a, b, c, d)| [a, b, c, d]);
    (half(), half(), 0.0_f32..0.99).prop_map(|(origin, insertion, eccentricity)| Sigmoids {
        origin,
        insertion,
        eccentricity,
    })
}

/// Rates of any size: what they make of a section is limited.
fn rates() -> impl Strategy<Value = Sigmoids> {
    prop_oneof![prop::array::uniform9(-0.5_f32..0.5), prop::array::uniform9(-1e6_f32..1e6)]
        .prop_map(Sigmoids::from_numbers)
}

/// Soft bodies, up to the ends of what the document accepts.
fn soft_body() -> impl Strategy<Value = Dynamics> {
    let stiffness = || prop_oneof![Just(0.0), 0.0_f32..200.0, 0.0_f32..1e5, Just(1e9)];
    let mass = prop_oneof![4 => 0.01_f32..5.0, 1 => Just(1e-6), 1 => Just(1e9)];
    let rest = (prop_oneof![Just(0.0), 0.0_f32..=1.0], 0.0_f32..2.0, 0.01_f32..1.0);
    (stiffness(), stiffness(), mass, rest).prop_map(|(stiffness, goal, mass, (damping, gravity, reach))| {
        Dynamics::SoftBody { stiffness, goal, mass, damping, gravity, reach }
    })
}

fn dials(n_joint: usize) -> impl Strategy<Value = Dials> {
    let knot = || (0..n_joint, vec3(0.3)).prop_map(|(j, point)| Attachment { joint: format!("joint{j}"), point });
    let tendon = || prop_oneof![Just(0.0), 0.0_f32..0.3, Just(5.0)];
    let line = (prop::collection::vec(knot(), 0..4), tendon(), tendon())
        .prop_map(|(via, from, to)| Path::Polyline { via, tendons: [from, to] });
    // fans at either end, curves of unlike lengths, bent or straight, bellies fewer and more than points
    let curve = |points| prop::collection::vec(knot(), points);
    let curves = (curve(1..5), curve(0..4), curve(2..5), any::<bool>());
    let sheet = (curves, 1_u8..=16, tendon(), tendon()).prop_map(|(curves, bellies, from, to)| {
        let (few, middle, many, fan_at_origin) = curves;
        let (origin, insertion) = if fan_at_origin { (few, many) } else { (many, few) };
        Path::Sheet { origin, middle, insertion, bellies, tendons: [from, to] }
    });
    let path = prop_oneof![line, sheet];
    let profile = profile();
    let tone = (0.0_f32..1.0, 0.0_f32..1.0).prop_map(|(tone, isometric)| Contraction::Tone { tone, isometric });
    let volume = prop_oneof![Just(Volume::Cones), Just(Volume::Exact)];
    let cones = (volume, 0.0_f32..4.0).prop_map(|(volume, isometric)| Contraction::Cones { volume, isometric });
    let tension = (0.05_f32..20.0, 0.0_f32..1.0, any::<bool>())
        .prop_map(|(ratio, tension, paper)| Contraction::TensionRatio { ratio, tension, paper });
    let identified = (rates(), rates()).prop_map(|(by_length, by_tension)| {
        let strength = 0.0;
        Contraction::Identified { by_length, by_tension, strength }
    });
    // about one axis or about several, of one joint or of two; grids follow when their size is known
    let turn = (0..n_joint.min(2), vec3(1.0), 1..4_usize, any::<bool>());
    let shapes = (turn, 0.0_f32..1.0).prop_map(|((joints, axis, n, one_axis), tone)| {
        let shape = |i: usize| {
            let axis = if one_axis { Vec3::Y } else { (axis + Vec3::Z * i as f32).normalize_or(Vec3::X) };
            let turn = Quat::from_axis_angle(axis, 0.4 + 0.6 * i as f32);
            let turns = (0..=joints).map(|j| (format!("joint{j}"), turn)).collect();
            PoseShape { turns, sculpt: Sculpt::default() }
        };
        Contraction::PoseShapes { shapes: (0..n).map(shape).collect(), tone, isometric: tone }
    });
    (
        prop::option::of(path),
        prop::option::of(profile),
        prop_oneof![
            Just(None),
            tone.prop_map(Some),
            shapes.prop_map(Some),
            cones.prop_map(Some),
            tension.prop_map(Some),
            identified.prop_map(Some)
        ],
        prop::option::weighted(0.4, soft_body()),
        prop::option::of((0..n_joint).prop_map(|j| format!("joint{j}"))),
    )
        .prop_map(|(path, profile, contraction, dynamics, carrier)| Dials {
            path,
            profile,
            contraction,
            dynamics,
            carrier,
        })
}

impl Dials {
    fn turn(self, mut muscle: Muscle) -> Muscle {
        let points = muscle.rings * muscle.sectors;
        muscle.path = self.path.unwrap_or(muscle.path);
        muscle.profile = self.profile.unwrap_or(muscle.profile);
        muscle.contraction = self.contraction.unwrap_or(muscle.contraction);
        muscle.dynamics = self.dynamics.unwrap_or(muscle.dynamics);
        muscle.carrier = self.carrier;
        if let Contraction::Identified { .. } = muscle.contraction {
            // it goes with its own profile and with a single line
            if !matches!(muscle.profile, Profile::Sigmoid { .. }) {
                muscle.profile =
                    Profile::Sigmoid { shape: Sigmoids::spindle(0.04, 0.6), flat: points.is_multiple_of(2) };
            }
            if matches!(muscle.path, Path::Sheet { .. }) {
                muscle.path = Path::Polyline { via: Vec::new(), tendons: [0.0; 2] };
            }
            muscle.frame = if points.is_multiple_of(3) { FrameRule::Halves } else { muscle.frame };
        }
        if let (Path::Sheet { .. }, Profile::Sine { size, .. }) = (&muscle.path, &mut muscle.profile) {
            *size += 0.002;
        }
        if let (Path::Sheet { .. }, Profile::TwoCubics { slopes, .. }) = (&muscle.path, &mut muscle.profile) {
            *slopes = [0.0; 2]; // a belly that has run out half-way is refused
        }
        if let (Path::Sheet { .. }, Profile::Ellipsoid { width, height }) = (&muscle.path, &mut muscle.profile) {
            (*width, *height) = (*width + 0.002, *height + 0.002);
        }
        if let Contraction::PoseShapes { shapes, .. } = &mut muscle.contraction {
            for (k, shape) in shapes.iter_mut().enumerate() {
                shape.sculpt.factors = (0..points).map(|i| 0.3 * f32::from((i + k as u16) % 5)).collect();
            }
        }
        muscle
    }
}

fn layer() -> impl Strategy<Value = Layer> {
    let slippage = || prop_oneof![Just(1.0), 0.05_f32..20.0];
    let mode = prop_oneof![
        Just(ShellMode::Basic { paper: false }),
        slippage().prop_map(|slippage| ShellMode::Stretch { slippage }),
        slippage().prop_map(|slippage| ShellMode::Star { slippage }),
        (slippage(), prop::collection::vec(vec3(1.0), 0..4))
            .prop_map(|(slippage, offsets)| ShellMode::Trajectory { slippage, offsets }),
    ];
    let radii = (prop_oneof![Just(1e-4), 0.01_f32..10.0], 0.0_f32..1.0, prop_oneof![Just(0.999), 0.0_f32..0.999]);
    let shells = (radii, 0.0_f32..=1.0, mode).prop_map(|((drop_off, stickiness, hardness), weight, mode)| {
        Layer::Shells { muscles: Vec::new(), drop_off, stickiness, hardness, weight, mode }
    });
    let displace = (prop_oneof![Just(0.0), 0.0_f32..0.2], prop_oneof![Just(Along::Radius), Just(Along::Up)])
        .prop_map(|(fat, along)| Layer::Displace { muscles: Vec::new(), fat, along });
    let shrink = prop_oneof![Just(0.0), Just(1.0), 0.0_f32..=1.0];
    let share = || prop_oneof![Just(1.0), 0.0_f32..=1.0];
    let wrap = (shrink, any::<bool>(), share(), share()).prop_map(|(shrink, full, slide, sink)| {
        let frame = if full { WrapFrame::Full } else { WrapFrame::Normal };
        Layer::Wrap { muscles: Vec::new(), shrink, frame, slide, sink }
    });
    let reach = prop_oneof![Just(1e-4), 0.01_f32..0.3];
    let slide = (prop_oneof![Just(0.0), 0.0_f32..0.2, Just(10.0)], reach, 0.0_f32..0.3)
        .prop_map(|(max, reach, fat)| Layer::Slide { bones: Vec::new(), max, reach, fat });
    prop_oneof![(1_u8..7).prop_map(|nearest| Layer::Blend { nearest }), shells, displace, wrap, slide]
}

/// Flesh of any weight and stiffness; the reference integrator where it takes no more steps than a test can wait for.
fn tissue() -> impl Strategy<Value = Layer> {
    let stiffness = |usual: f32, most: f32| prop_oneof![Just(0.0), Just(usual), Just(most), 0.0..usual];
    let springs = (stiffness(1e4, 1e9), stiffness(1e5, 1e9), stiffness(1e2, 1e9), stiffness(1e7, 1e12));
    let mass = prop_oneof![3 => 1.0_f32..100.0, 1 => Just(1e-3), 1 => Just(1e6)];
    let shape = (0.0_f32..0.1, 0_u16..6, 0.05_f32..2.0, 0.0_f32..2.0, 0.001_f32..0.3);
    (springs, mass, prop_oneof![Just(0.02), 0.0_f32..10.0], shape, any::<bool>(), prop::bool::weighted(0.2)).prop_map(
        |((skin, belly, goal, anchor), mass, damping, (depth, links, muscularity, gravity, reach), bind, verlet)| {
            let of = Tissue { mass, damping, depth, links, muscularity, gravity, reach, ..Tissue::default() };
            let rest = if bind { TissueRest::Bind } else { TissueRest::Posed };
            let of = Tissue { skin, belly, goal, anchor, rest, ..of };
            let integrator = TissueIntegrator::Verlet;
            let (skin, belly, goal, anchor, mass, damping) = (100.0, 100.0, 10.0, 1e3, 50.0, 0.02);
            Layer::Tissue(match verlet {
                true => Tissue { skin, belly, goal, anchor, mass, damping, integrator, ..of },
                false => of,
            })
        },
    )
}

/// A bone among the skin: a capsule of any taper, an ellipsoid, or a box with seams.
fn bone(n_joint: usize) -> impl Strategy<Value = Bone> {
    let place = || vec3(0.4);
    let radius = || 0.02_f32..0.15;
    let half = (radius(), radius(), radius()).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    let shape = prop_oneof![
        (place(), place(), radius(), radius()).prop_map(|(from, to, a, b)| BoneShape::Capsule {
            from,
            to,
            radii: [a, b]
        }),
        (place(), rotation(), half.clone()).prop_map(|(center, turn, half_axes)| BoneShape::Ellipsoid {
            center,
            turn,
            half_axes
        }),
        (place(), half).prop_map(|(center, half)| split_box(center, half)),
    ];
    (0..n_joint, shape).prop_map(|(j, shape)| Bone { name: String::new(), joint: format!("joint{j}"), shape })
}

/// A box as files have it: every face with corners of its own.
pub fn split_box(center: Vec3, half: Vec3) -> BoneShape {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for side in [-1.0_f32, 1.0] {
            let (out, u) = (Vec3::AXES[axis] * side, Vec3::AXES[(axis + 1) % 3]);
            let v = out.cross(u);
            let first = positions.len() as u32;
            positions.extend([-u - v, u - v, u + v, v - u].map(|w| center + half * (out + w)));
            triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|i| first + i)));
        }
    }
    BoneShape::Mesh { node: String::new(), positions, triangles }
}

fn muscle(n_joint: usize) -> impl Strategy<Value = Muscle> {
    (curved_muscle(n_joint), dials(n_joint)).prop_map(|(muscle, dials)| dials.turn(muscle))
}

fn curved_muscle(n_joint: usize) -> impl Strategy<Value = Muscle> {
    let ends = (0..n_joint, 0..n_joint, vec3(0.3), vec3(0.3), prop::bool::weighted(0.15));
    let shape = (0.0_f32..0.1, 0.2_f32..4.0, 0.3_f32..2.0, 3_u16..13, 3_u16..13, any::<bool>());
    let path = (vec3(0.1), any::<bool>(), any::<bool>(), prop::option::of(vec3(1.0)), prop::bool::weighted(0.2));
    let answer = (0.0_f32..3.0, 0.1_f32..5.0, 0.0_f32..1.0);
    let spring = (any::<bool>(), any::<bool>(), 0.0_f32..20_000.0, 0.01_f32..5.0, 0.0_f32..1.0);
    (ends, shape, path, answer, spring).prop_map(|(ends, shape, path, answer, spring)| {
        let (from, to, origin, insertion, no_length) = ends;
        let (size, taper, aspect, rings, sectors, sculpted) = shape;
        let (offset, even, lee, up, along) = path;
        let (to, insertion) = if no_length { (from, origin) } else { (to, insertion) };
        let factors = (0..rings * sectors).map(|i| 0.5 + f32::from(i % 7) * 0.2).collect();
        Muscle {
            name: String::new(),
            origin: Attachment { joint: format!("joint{from}"), point: origin },
            insertion: Attachment { joint: format!("joint{to}"), point: insertion },
            path: Path::Bezier {
                offset,
                spacing: if even { Spacing::ArcLength } else { Spacing::Parameter },
                held: if lee { 0.0 } else { answer.2 },
            },
            profile: Profile::Sine { size, taper, aspect },
            contraction: Contraction::Bulge { bulge: answer.0, stretch_ratio: answer.1, isometric: answer.2 },
            dynamics: if spring.0 {
                let integrator = if spring.1 { Integrator::Exact } else { Integrator::Verlet };
                Dynamics::Spring {
                    stiffness: spring.2,
                    mass: spring.3,
                    damping: spring.4,
                    integrator,
                    reach: 0.01 + answer.2,
                }
            } else {
                Dynamics::None
            },
            frame: if lee { FrameRule::Lee } else { FrameRule::Carried },
            // along the chord, or nearly: the paper's frame has no direction there
            up: if along { Some(insertion - origin) } else { up },
            rings,
            sectors,
            sculpt: sculpted.then_some(Sculpt { factors }),
            follow: Follow { slide: answer.2, sink: 1.0 - answer.2, turn: answer.2 },
            carrier: None,
            influence: None,
        }
    })
}

/// Drivers of any joint and of lengths, steep or gentle, that say nothing in the bind pose.
fn drivers(n_joint: usize) -> impl Strategy<Value = Vec<Driver>> {
    let angle = (0..n_joint, prop::option::of(vec3(1.0))).prop_map(|(joint, axis)| Signal::JointAngle {
        joint: format!("joint{joint}"),
        axis: axis.map(|axis| axis.normalize_or(Vec3::Z)),
    });
    let signal = prop_oneof![angle, Just(Signal::Shortening)];
    let step = || prop_oneof![Just(1e-6), 0.01_f32..1.0, 1.0_f32..170.0];
    let driver = (signal, step(), step(), 0.0_f32..=1.0, 0.0_f32..=1.0).prop_map(|(signal, down, up, low, high)| {
        Driver { muscles: Vec::new(), signal, remap: vec![[-down, low], [0.0, 0.0], [up, high]] }
    });
    prop::collection::vec(driver, 0..4)
}

fn musculature(n_joint: usize, n_vertex: Vec<usize>) -> impl Strategy<Value = Musculature> {
    let muscles = prop::collection::vec(muscle(n_joint), 0..12);
    let layers = (prop::collection::vec(layer(), 0..4), prop::option::weighted(0.3, tissue()))
        .prop_map(|(layers, last)| layers.into_iter().chain(last).collect());
    let looks = (any::<bool>(), layers, any::<bool>(), 0_usize..4);
    let weight = (any::<prop::sample::Index>(), prop_oneof![1 => Just(0.0), 4 => 0.0_f32..1.5]);
    let row = prop::collection::vec(weight, 0..4);
    let rows: Vec<_> = n_vertex.into_iter().map(|n| prop::collection::vec(row.clone(), n)).collect();
    let bones = prop::collection::vec(bone(n_joint), 0..4);
    (muscles, looks, rows, bones, drivers(n_joint)).prop_map(|(mut muscles, looks, rows, mut bones, drivers)| {
        bones.iter_mut().enumerate().for_each(|(i, bone)| bone.name = format!("bone{i}"));
        muscles.iter_mut().enumerate().for_each(|(i, m)| m.name = format!("muscle{i}"));
        let sparse = |rows: Vec<Vec<(prop::sample::Index, f32)>>| {
            let mut weights = SparseWeights::default();
            for row in rows {
                let of = |(index, w): (prop::sample::Index, f32)| (index.index(muscles.len().max(1)) as u16, w);
                weights.push_vertex(row.into_iter().map(of).filter(|_| !muscles.is_empty()));
            }
            weights
        };
        let physique = [Physique::ATHLETE, Physique::BRUTE, Physique::GAUNT, Physique::JELLY][looks.3];
        Musculature {
            base: if looks.0 { Base::Linear } else { Base::DualQuaternion },
            layers: looks.1,
            normals: if looks.2 { NormalWeighting::Area } else { NormalWeighting::Angle },
            weights: rows.into_iter().map(sparse).collect(),
            muscles,
            bones,
            physique,
            activation: Activation { drivers, ..Activation::default() },
        }
    })
}

/// Any body the document accepts.
pub fn subject() -> impl Strategy<Value = Subject> {
    skeleton().prop_flat_map(|skeleton| {
        let n_joint = skeleton.joints.len();
        prop::collection::vec(mesh(n_joint), 1..3).prop_flat_map(move |meshes| {
            let n_vertex = meshes.iter().map(|m| m.positions.len()).collect();
            let character = Character { name: "random".into(), skeleton: skeleton.clone(), meshes, clips: Vec::new() };
            musculature(n_joint, n_vertex).prop_map(move |musculature| waited_for(character.clone(), musculature))
        })
    })
}

/// The subject; where the reference integrator would take too many steps for it, the other.
pub fn waited_for(character: Character, mut musculature: Musculature) -> Subject {
    if let Err(BindError::Tissue { .. }) = Body::bind(&character, &musculature)
        && let Some(Layer::Tissue(tissue)) = musculature.layers.last_mut()
    {
        tissue.integrator = TissueIntegrator::Implicit;
    }
    Subject { character, musculature }
}

/// A frame's input: how each joint is turned, where the character stands, how long the frame takes.
#[derive(Clone, Debug)]
pub struct Frame {
    pub turns: Vec<Quat>,
    pub stand: Vec3,
    pub heading: Quat,
    pub dt: f32,
    pub activation: f32,
}

pub fn frame() -> impl Strategy<Value = Frame> {
    let dt = prop_oneof![Just(1.0 / 1000.0), Just(1.0 / 60.0), Just(1.0), 0.0005_f32..1.0];
    let stand = prop_oneof![6 => vec3(1.0), 1 => vec3(1000.0)];
    (prop::collection::vec(rotation(), 7), stand, rotation(), dt, 0.0_f32..1.0)
        .prop_map(|(turns, stand, heading, dt, activation)| Frame { turns, stand, heading, dt, activation })
}

impl Frame {
    pub fn pose(&self, skeleton: &Skeleton) -> Vec<Affine3A> {
        let mut pose = Pose::rest(skeleton);
        for (local, turn) in pose.local.iter_mut().zip(&self.turns) {
            local.rotation = (local.rotation * *turn).normalize();
        }
        pose.model_matrices(skeleton)
    }

    pub fn world_from_model(&self) -> Affine3A {
        Affine3A::from_rotation_translation(self.heading, self.stand)
    }
}
