//! Step: the frame, muscles first, then the skin that follows them, then its normals.

use super::batch::WINDOW;
use super::belly::Paths;
use super::contract::Answer;
use super::hold::{self, Carriers};
use super::lanes::{LANES, Lane, Lane3};
use super::normals::{self, Around};
use super::shells::{self, Bulges, Shell};
use super::skin::{self, DualQuat};
use super::slide;
use super::spring::{self, Exact};
use super::star::CELLS;
use super::threads::Spread;
use super::wrap::{self, Found, WrapRest, WrapTable};
use super::{Body, BodyState, LayerTable, StepInput, attach, belly, blend, displace, path, threads};
use crate::musculature::{Base, Integrator};
use glam::{Mat3, Vec2, Vec3, Vec4};
use std::ops::Range;

/// Batches that go through all layers together: few, so that the memory of all layers streams side by side.
pub(super) const BLOCK: usize = 8;

impl Body {
    pub(super) fn step_muscles(&self, state: &mut BodyState, input: &StepInput) {
        let muscles = &*self.muscles;
        attach::ends(muscles, input.pose, &mut state.origin, &mut state.insertion);
        path::anchors(muscles, &state.turn, &state.origin, &state.insertion, &mut state.anchor, &mut state.chord_turn);
        for m in 0..muscles.len() {
            state.length[m] = (state.insertion[m] - state.origin[m]).length().max(muscles.shortest_length);
        }
        state.belly.copy_from_slice(&state.length);
        state.lines.pull(muscles, input.pose, &mut state.length, &mut state.belly, &mut state.anchor);
        state.sheets.pull(muscles, input.pose, &mut state.length, &mut state.belly, &mut state.anchor);
        self.drive.activate(muscles, &state.turn, &state.length, input.activation, &mut state.activation);
        let ends = (&*state.origin, &*state.insertion);
        hold::middles(muscles, &self.hold, &state.rows, ends, &state.chord_turn, &mut state.anchor);
        self.step_springs(state, input);
        for m in 0..muscles.len() {
            state.growth[m] = muscles.answer[m].growth(muscles.rest_belly[m], state.belly[m], state.activation[m]);
        }
        state.sheets.contract(&muscles.sheet, &state.activation);
        for shapes in &muscles.shapes {
            shapes.weights(&state.turn, &mut state.shape_weight[shapes.first..][..shapes.len()]);
        }
        self.load_curves(state);
        self.step_surfaces(state, input);
        if self.follows_rings() {
            self.pull_rings(state);
        }
        if input.detail.skin && self.has_shells() {
            self.shape_shells(state);
        }
        for m in 0..state.displacing.len() {
            state.displacing[m] = displace::Line::new(&state.record_of(muscles, m), &muscles.section[m]);
        }
    }

    /// The curves of all muscles, eight to a group.
    fn load_curves(&self, state: &mut BodyState) {
        let muscles = &*self.muscles;
        for m in 0..muscles.len() {
            let (from, to) = state.curve_ends(muscles, m);
            let (curves, lane) = (&mut state.curves[m / LANES], m % LANES);
            let ends = (from, state.middle[m], to);
            let of_joint = &state.turn[usize::from(muscles.origin_joint[m])];
            // a polyline's chord says little about its pieces: its rings turn with the joint, then onto their own tangents
            let is_line = muscles.group[m / LANES].line[lane].is_some();
            let halves = muscles.group[m / LANES].halves[lane].then_some(muscles.half_joint[m]);
            let halves = halves.map(|of| of.map(|joint| &state.turn[usize::from(joint)]));
            let turn = if is_line { of_joint } else { &state.chord_turn[m] };
            let [turn, end_turn] = halves.unwrap_or([turn; 2]);
            curves.set(lane, ends, turn, &state.growth[m]);
            let columns = [end_turn.x_axis, end_turn.y_axis, end_turn.z_axis];
            curves.end_turn.iter_mut().zip(columns).for_each(|(lanes, column)| lanes.set(lane, column));
            curves.sections[lane] = match &muscles.answer[m] {
                Answer::Identified(of) => Some(of.now(muscles.rest_belly[m], state.belly[m], state.activation[m])),
                _ => None,
            };
            curves.jiggle.set(lane, state.middle[m] - state.anchor[m]);
            curves.up.set(lane, *of_joint * muscles.up[m]);
        }
    }

    /// What the skin does that follows rings.
    fn pull_rings(&self, state: &mut BodyState) {
        let (muscles, step) = (&*self.muscles, self.offset_step);
        let sections = state.sections.as_deref_mut().unwrap_or_default();
        for group in 0..muscles.group.len() {
            let mut carriers = Carriers::default();
            for (lane, m) in (group * LANES..muscles.len()).take(LANES).enumerate() {
                hold::load(&self.hold, m, &state.rows, lane, &mut carriers);
            }
            let paths = Paths { curves: &state.curves[group], lines: &state.lines };
            let any = muscles.group[group].any_line || muscles.group[group].any_uneven;
            let pulls = if any { belly::pulls_of_any_kind } else { belly::pulls };
            let out = (&mut *state.pulls, &mut *sections);
            pulls(self.instructions, muscles, &self.hold, group, paths, &carriers, step, out);
        }
        for shapes in &muscles.shapes {
            let m = shapes.muscle;
            let rings = muscles.ring_start[m] as usize..muscles.ring_start[m + 1] as usize;
            let weights = &state.shape_weight[shapes.first..][..shapes.len()];
            let grown = Vec2::new(state.growth[m].b, state.growth[m].c);
            shapes.swell(weights, &muscles.rest[m], grown, step, &mut state.pulls[rings]);
        }
        for (pull, shift) in state.pulls.iter_mut().zip(&state.surfaces.ring_shift) {
            let m = &mut pull.since_bind;
            (m[3], m[7], m[11]) = (m[3] + shift.x, m[7] + shift.y, m[11] + shift.z);
        }
    }

    /// The ellipsoids of all muscles, and how far their shapes stand out of them.
    fn shape_shells(&self, state: &mut BodyState) {
        for m in 0..self.muscles.len() {
            let rest = &self.muscles.ellipsoid[m];
            let (carried, inverse) = rest.carried(&state.rows[rest.carrier], &state.turn[rest.carrier]);
            let axes = state.turn[rest.carrier] * rest.carrier_axes;
            state.shells[m] = Shell::new(&carried, &inverse, &state.ellipsoid_of(&self.muscles, m), axes);
        }
        for (shapes, cells) in self.muscles.shapes.iter().zip(state.bulges.chunks_mut(CELLS)) {
            shapes.bulges(&state.shape_weight[shapes.first..][..shapes.len()], cells);
        }
    }

    /// Carry every spring over the frame, from its anchor to the curve's middle point.
    fn step_springs(&self, state: &mut BodyState, input: &StepInput) {
        let dt = input.dt.clamp(0.0, 1.0);
        if state.exact_for != dt {
            for (exact, oscillator) in state.exact.iter_mut().zip(&self.muscles.spring) {
                *exact = oscillator.map_or(Exact::default(), |o| Exact::new(o, dt));
            }
            state.exact_for = dt;
        }
        let to_world = Mat3::from(input.world_from_model.matrix3);
        let model_from_world = to_world.inverse();
        let height = self.height * to_world.x_axis.length().max(to_world.y_axis.length()).max(to_world.z_axis.length());
        for m in 0..self.muscles.len() {
            state.middle[m] = state.anchor[m];
            let Some(oscillator) = self.muscles.spring[m] else { continue };
            let spring = &mut state.spring[m];
            let anchor = input.world_from_model.transform_point3(state.anchor[m]);
            if !spring::settle(spring, anchor, dt, height, input.teleport) && dt > 0.0 {
                let velocity = (anchor - spring.anchor) / dt;
                spring.anchor = anchor;
                match self.muscles.integrator[m] {
                    Integrator::Exact => state.exact[m].step(spring, velocity),
                    Integrator::Verlet => spring::verlet(oscillator, spring, velocity, dt),
                }
            }
            let moved = spring::held(model_from_world * spring.displacement, self.muscles.reach[m]);
            state.middle[m] += if moved.is_finite() { moved } else { Vec3::ZERO };
        }
    }

    pub(super) fn step_skin(&self, spread: Spread, state: &mut BodyState, input: &StepInput) {
        if self.is_dual() {
            for ((dual, rows), turn) in state.dual.iter_mut().zip(&state.rows).zip(&state.turn) {
                *dual = DualQuat::new(rows, turn);
            }
        } else {
            skin::widen(&state.rows, &mut state.wide);
        }
        self.carry_bones(state);
        let mut positions = std::mem::take(&mut state.positions);
        self.skin_windows(spread, state, &mut positions[..self.n_vertex()]);
        state.positions = positions;
        self.step_flesh(spread, state, input);
    }

    /// Where the bones are that layers of slide use.
    fn carry_bones(&self, state: &mut BodyState) {
        let BodyState { rows, slides, .. } = state;
        for layer in &*self.layers {
            if let LayerTable::Slide(table) = layer {
                table.carry(|joint| attach::matrix_of(&rows[joint]), slides);
            }
        }
    }

    fn skin_windows(&self, spread: Spread, state: &BodyState, positions: &mut [Vec3]) {
        let scratch = || ([Lane3::default(); BLOCK], [Vec4::ZERO; WINDOW], Found::default());
        threads::for_each_chunk(spread, positions, WINDOW, scratch, |(lanes, seats, found), window, positions| {
            let first = window * WINDOW / LANES;
            let end = first + positions.len().div_ceil(LANES);
            for start in (first..end).step_by(BLOCK) {
                let batches = start..end.min(start + BLOCK);
                let skin = &mut lanes[..batches.len()];
                self.skin_batches(batches.clone(), state, found, skin);
                if self.skin.in_order[window] {
                    skin::write(self.instructions, skin, &mut positions[(start - first) * LANES..]);
                } else {
                    skin::seat(self.instructions, &self.skin.place[batches], skin, seats);
                }
            }
            if !self.skin.in_order[window] {
                skin::unseat(self.instructions, seats, positions);
            }
        });
    }

    /// Joints, then every layer, on a block of batches small enough to stay in the nearest cache.
    fn skin_batches(&self, batches: Range<usize>, state: &BodyState, found: &mut Found, skin: &mut [Lane3]) {
        self.move_by_joints(batches.clone(), &self.skin.bind[batches.clone()], state, skin);
        let by_joints = &mut [Lane3::default(); BLOCK][..skin.len()];
        if self.surfaces.wrapped {
            by_joints.copy_from_slice(skin);
        }
        for ((layer, rest), wrap_rest) in self.layers.iter().zip(&*self.rest_draw).zip(&*self.rest_wrap) {
            match layer {
                LayerTable::Blend(table) => {
                    let bind = &self.skin.bind[batches.clone()];
                    blend::apply(self.instructions, table, batches.clone(), bind, &state.pulls, skin);
                }
                LayerTable::Shells(table) => {
                    let bulges = self.bulges(state);
                    shells::apply(self.instructions, table, rest, batches.clone(), &state.shells, bulges, skin);
                }
                LayerTable::Displace(table) => {
                    displace::apply(
                        self.instructions,
                        table,
                        &self.muscles.section,
                        batches.clone(),
                        &state.displacing,
                        skin,
                    );
                }
                LayerTable::Wrap(table) => {
                    self.wrap((table, wrap_rest), batches.clone(), state, by_joints, found, skin);
                }
                LayerTable::Slide(table) => {
                    slide::apply(self.instructions, table, rest, batches.clone(), &state.slides, skin);
                }
            }
        }
    }

    /// Where their joints alone carry those batches, if they are at `bind` in the bind pose.
    fn move_by_joints(&self, batches: Range<usize>, bind: &[Lane3], state: &BodyState, skin: &mut [Lane3]) {
        match self.base {
            Base::Linear => skin::linear(self.instructions, &self.skin, batches, bind, &state.wide, skin),
            Base::DualQuaternion => {
                skin::dual_quaternion(self.instructions, &self.skin, batches, bind, &state.dual, skin);
            }
        }
    }

    /// Let those batches follow bellies, `by_joints` being where their joints alone carry them.
    fn wrap(
        &self,
        (table, rest): (&WrapTable, &WrapRest),
        batches: Range<usize>,
        state: &BodyState,
        by_joints: &[Lane3],
        found: &mut Found,
        skin: &mut [Lane3],
    ) {
        let records = &state.surfaces.records;
        if !table.shrinks() {
            return wrap::apply(self.instructions, table, rest, batches, records, by_joints, found, skin);
        }
        for (batch, skin) in batches.zip(skin) {
            let mut shrunk = [Lane3::default(); wrap::MOST_MUSCLES];
            for (slot, shrunk) in table.slots(batch).zip(&mut shrunk) {
                let bind = std::slice::from_ref(rest.shrunk(slot));
                self.move_by_joints(batch..batch + 1, bind, state, std::slice::from_mut(shrunk));
            }
            let skin = std::slice::from_mut(skin);
            wrap::apply(self.instructions, table, rest, batch..batch + 1, records, &shrunk, found, skin);
        }
    }

    fn bulges<'a>(&'a self, state: &'a BodyState) -> Bulges<'a> {
        Bulges { of_muscle: &self.muscles.shapes_of, cells: &state.bulges }
    }

    /// δ₀ of every layer of shells, clearances of every layer of slide and what skin that wraps hangs on: the frame itself in
    /// the bind pose, so that rest is exact whatever it rounds.
    pub(super) fn record_rest(&mut self) {
        let entries = |layer: &LayerTable| match layer {
            LayerTable::Blend(_) | LayerTable::Displace(_) | LayerTable::Wrap(_) => 0,
            LayerTable::Shells(table) => table.n_entry(),
            LayerTable::Slide(table) => table.n_entry(),
        };
        let mut rest: Vec<Vec<Lane>> = self.layers.iter().map(|layer| vec![Lane::default(); entries(layer)]).collect();
        self.rest_draw = rest.iter().map(|of| of.clone().into()).collect();
        let wrap_rest = |layer: &LayerTable| {
            if let LayerTable::Wrap(table) = layer { WrapRest::new(table) } else { WrapRest::default() }
        };
        let mut wraps: Vec<WrapRest> = self.layers.iter().map(wrap_rest).collect();
        self.rest_wrap = wraps.clone().into();
        if !self.has_shells() && !self.surfaces.wrapped && self.n_slide() == 0 {
            return;
        }
        let (state, found) = (BodyState::new(self), &mut Found::default());
        for batch in 0..self.skin.bind.len() {
            let (batches, skin) = (batch..batch + 1, &mut [Lane3::default()]);
            self.move_by_joints(batches.clone(), &self.skin.bind[batches.clone()], &state, skin);
            let by_joints = *skin;
            for ((layer, rest), wrap_rest) in self.layers.iter().zip(&mut rest).zip(&mut wraps) {
                match layer {
                    LayerTable::Blend(table) => {
                        let bind = &self.skin.bind[batches.clone()];
                        blend::apply(self.instructions, table, batches.clone(), bind, &state.pulls, skin);
                    }
                    LayerTable::Shells(table) => {
                        shells::record(table, batches.clone(), &state.shells, self.bulges(&state), skin, rest);
                    }
                    LayerTable::Displace(table) => {
                        displace::apply(
                            self.instructions,
                            table,
                            &self.muscles.section,
                            batches.clone(),
                            &state.displacing,
                            skin,
                        );
                    }
                    LayerTable::Wrap(table) => {
                        wrap::record(table, batch, &state.surfaces.records, &by_joints[0], found, wrap_rest);
                        self.wrap((table, wrap_rest), batches.clone(), &state, &by_joints, found, skin);
                    }
                    LayerTable::Slide(table) => slide::record(table, batches.clone(), &state.slides, skin, rest),
                }
            }
        }
        self.rest_draw = rest.into_iter().map(Into::into).collect();
        self.rest_wrap = wraps.into();
    }

    pub(super) fn step_normals(&self, spread: Spread, state: &mut BodyState) {
        let BodyState { positions, normals, corner_normals, .. } = state;
        match &self.normals.around {
            Around::Walks(walks) => {
                let seats = || [Vec4::ZERO; WINDOW];
                threads::for_each_chunk(spread, normals, WINDOW, seats, |seats, i, normals| {
                    normals::by_area(self.instructions, walks, i, positions, seats, normals);
                });
            }
            Around::Corners { start, corner } => {
                let (rows, none) = (3 * WINDOW, || ());
                threads::for_each_chunk(spread, corner_normals, rows, none, |(), i, corners| {
                    normals::corners(&self.normals.triangles, i * rows, positions, corners);
                });
                threads::for_each_chunk(spread, normals, WINDOW, none, |(), i, normals| {
                    normals::by_angle(start, corner, i * WINDOW, corner_normals, normals);
                });
            }
        }
    }
}
