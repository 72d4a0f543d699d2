//! Pairs on creatures.
