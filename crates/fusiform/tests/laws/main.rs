//! The three laws, over random bodies, poses, clocks and teleports, and what the kernels mean, said plainly.

mod activation;
mod bad_input;
mod bits;
mod clock;
mod displace;
mod flesh;
mod normals;
mod plain;
mod random;
mod rest;
mod sections;
mod shapes;
mod sheets;
mod shells;
mod slide;
mod volume;
