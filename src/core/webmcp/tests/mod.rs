//! The bridge against a page in a test tube.

mod follow;
mod property;
mod publish;
mod world;
