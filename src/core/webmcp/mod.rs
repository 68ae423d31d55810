//! The rules of the bridge to `document.modelContext`, with no document in sight.
//!
//! Publishing is the state machine [`Bridge`]: told what pages, managers and the registry do, it says
//! what to register and what to let go of. Beside it stand the plain rules it and its callers need:
//! which [names] and [origins] the registry takes, what becomes of [annotations], how results and
//! failures survive the way through the registry ([envelope]), and how other people's tools are read.

mod adopt;
pub mod annotations;
mod bridge;
mod digest;
pub mod envelope;
mod handles;
mod job;
mod live;
pub mod names;
#[cfg(test)]
mod odd;
mod offer;
pub mod origins;
mod project;
mod records;
mod refusal;
mod report;
#[cfg(test)]
mod tests;

pub use adopt::{Adopted, Adoption, Filter, Listed, adopt};
pub use bridge::{Bridge, Effect, Input, Route};
pub use handles::{Handles, Place};
pub use live::{Difference, Live};
pub use offer::{Offer, Options};
pub use project::{Describe, Dictionary, Sketch};
pub use refusal::{Holder, Refusal};
pub use report::Report;
