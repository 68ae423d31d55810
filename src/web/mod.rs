//! The browser edge: runs the core's state machines on JavaScript values, ports and promises.
//!
//! It stays thin: what is a rule is in the core. Everything here that listens, waits or owns a
//! closure gives it back when it is dropped.

mod check;
mod client_builder;
mod client_calls;
mod error;
mod failure;
mod host;
mod link;
mod live;
mod model_context;
mod outcome;
mod pump;
mod raw;
mod run;
mod server_builder;
mod spawn;
mod tool;
mod tools;
mod transport;
mod value;

pub use client_builder::ClientBuilder;
pub use client_calls::{CallOptions, ServerInfo};
pub use failure::{Answer, Failure};
pub use host::{Client, Server, Session};
pub use model_context::{AdoptOptions, Availability, Event as ModelContextEvent, ModelContext};
pub use run::Context;
pub use server_builder::ServerBuilder;
pub use tool::{NoArguments, Tool};
pub use tools::{Changed, Follower, ToolGuard, ToolManager};
pub use transport::Transport;

// What JavaScript's half of the crate is made of.
pub(crate) use error::{describe, install_error_class, read as read_error, to_js};
pub(crate) use host::{ClientOptions, OnFrame, ServerOptions, Waiter};
pub(crate) use live::held;
pub(crate) use model_context::report_to_js;
pub(crate) use outcome::Outcome;
pub(crate) use raw::set_guard;
pub(crate) use run::{OnProgress, Progress, abort as abort_run};
pub(crate) use spawn::settling;
pub(crate) use tool::from_script;
