// One light from above the eye's left, a soft one from the sky, a rim from behind.
struct Frame {
    clip_from_model: mat4x4<f32>,
    eye: vec4<f32>,
    key: vec4<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;

struct Corner {
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec4<f32>,
}

struct Point {
    @builtin(position) @invariant clip: vec4<f32>,
    @location(0) place: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec4<f32>,
}

fn on_screen(in: Corner) -> Point {
    var out: Point;
    out.clip = frame.clip_from_model * vec4<f32>(in.place, 1.0);
    out.place = in.place;
    out.normal = in.normal;
    out.color = in.color;
    return out;
}

@vertex
fn corner(in: Corner) -> Point {
    return on_screen(in);
}

// Cross-sections: centre, b and c of each, one after the other in rows of 128.
@group(1) @binding(0) var sections: texture_2d<f32>;

struct Section {
    center: vec3<f32>,
    b: vec3<f32>,
    c: vec3<f32>,
}

// A corner in its section, and its neighbours in theirs: of the corner, before it, after it, around it.
struct LoftedCorner {
    @location(0) place: vec2<f32>,
    @location(1) around: vec2<f32>,
    @location(2) color: vec4<f32>,
    @location(3) before: vec2<f32>,
    @location(4) after: vec2<f32>,
    @location(5) sections: vec4<u32>,
}

fn section(i: u32) -> Section {
    let at = vec2<u32>(3u * (i % 128u), i / 128u);
    let next = vec2<u32>(1u, 0u);
    return Section(
        textureLoad(sections, at, 0).xyz,
        textureLoad(sections, at + next, 0).xyz,
        textureLoad(sections, at + 2u * next, 0).xyz,
    );
}

fn along(cut: Section, way: vec2<f32>) -> vec3<f32> {
    return cut.b * way.x + cut.c * way.y;
}

fn inside(cut: Section, at: vec2<f32>) -> vec3<f32> {
    return cut.center + along(cut, at);
}

// It faces across what leads around the belly and what leads along it.
fn placed(in: LoftedCorner) -> Corner {
    let lengthwise = inside(section(in.sections.z), in.after) - inside(section(in.sections.y), in.before);
    let across = cross(along(section(in.sections.w), in.around), lengthwise);
    let size = length(across);
    let normal = select(vec3<f32>(0.0), across / size, size > 0.0);
    return Corner(inside(section(in.sections.x), in.place), normal, in.color);
}

@vertex
fn lofted_corner(in: LoftedCorner) -> Point {
    return on_screen(placed(in));
}

// Panels show the texture's bytes as they are: they are to be what a screen wants.
fn for_screen(color: vec4<f32>) -> vec4<f32> {
    let linear = clamp(color.rgb, vec3<f32>(0.0), vec3<f32>(1.0));
    let curved = 1.055 * pow(linear, vec3<f32>(1.0 / 2.4)) - 0.055;
    return vec4<f32>(select(curved, 12.92 * linear, linear <= vec3<f32>(0.0031308)), color.a);
}

// Colour under the light; how much it is seen from the side.
fn lit(in: Point) -> vec4<f32> {
    let to_eye = normalize(frame.eye.xyz - in.place);
    var normal = in.normal / max(length(in.normal), 1e-6);
    if (dot(normal, to_eye) < 0.0) {
        normal = -normal;
    }
    let key = max(dot(normal, frame.key.xyz), 0.0);
    let sky = 0.5 + 0.5 * normal.y;
    let rim = pow(1.0 - max(dot(normal, to_eye), 0.0), 3.0);
    let shine = pow(max(dot(normal, normalize(frame.key.xyz + to_eye)), 0.0), 40.0);
    let light = 0.95 * key + mix(vec3<f32>(0.16, 0.14, 0.13), vec3<f32>(0.42, 0.44, 0.48), sky) + 0.15 * rim;
    return vec4<f32>(in.color.rgb * light + 0.06 * shine, rim);
}

@fragment
fn point(in: Point) -> @location(0) vec4<f32> {
    if (dot(in.normal, in.normal) < 1e-12) {
        return for_screen(in.color);
    }
    return for_screen(vec4<f32>(lit(in).rgb, in.color.a));
}

// Glass is clearest where one looks straight at it, and has an outline.
@fragment
fn glass(in: Point) -> @location(0) vec4<f32> {
    let seen = lit(in);
    return for_screen(vec4<f32>(seen.rgb, mix(0.6 * in.color.a, 0.9, seen.a)));
}

// Edges lie as much nearer to the eye as keeps them before their surface, whatever the distance.
fn edge_on_screen(in: Corner) -> Point {
    var out: Point;
    out.place = mix(in.place, frame.eye.xyz, 0.0008);
    out.clip = frame.clip_from_model * vec4<f32>(out.place, 1.0);
    out.normal = in.normal;
    out.color = in.color;
    return out;
}

@vertex
fn edge_corner(in: Corner) -> Point {
    return edge_on_screen(in);
}

@vertex
fn lofted_edge_corner(in: LoftedCorner) -> Point {
    return edge_on_screen(placed(in));
}

@fragment
fn edge(in: Point) -> @location(0) vec4<f32> {
    return for_screen(vec4<f32>(0.02, 0.02, 0.02, 0.4));
}
