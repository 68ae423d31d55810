//! The protocol, the registry of tools and the rules of the bridge as state machines.
//!
//! No I/O, no async, no clock, no browser: time is an input, and running a tool or sending a
//! message is an effect that the caller carries out.

pub mod asking;
pub mod calls;
pub mod client;
pub mod code;
pub mod digits;
pub mod error;
pub mod frame;
pub mod limits;
pub mod machine;
pub mod message;
pub mod revision;
pub mod schema;
pub mod server;
pub mod slots;
pub mod tool;
pub mod webmcp;
