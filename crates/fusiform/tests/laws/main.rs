//! The three laws, over random bodies, poses, clocks and teleports, and what the kernels mean, said plainly.

mod bad_input;
mod bits;
mod clock;
mod flesh;
mod plain;
mod random;
mod rest;
mod shapes;
mod shells;
mod volume;
