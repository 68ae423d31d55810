//! The browser edge: runs the core's state machines on JavaScript values, ports and promises.
//!
//! It stays thin: what is a rule is in the core. Everything here that listens, waits or owns a
//! closure gives it back when it is dropped.

mod check;
mod client_builder;
mod error;
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
mod value;

pub use client_builder::ClientBuilder;
pub use error::{describe, install_error_class, read as read_error, to_js};
pub use host::{Client, ClientOptions, OnFrame, Server, ServerOptions, Session, Waiter};
pub use link::{Arrival, Link};
pub use live::held;
pub use model_context::{AdoptOptions, Event as ModelContextEvent, ModelContext, report_to_js};
pub use outcome::Outcome;
pub use raw::set_guard;
pub use run::{Context, OnDone, OnProgress, Progress, abort as abort_run, in_flight as runs_in_flight};
pub use server_builder::ServerBuilder;
pub use spawn::{Done, settling};
pub use tool::{CoreTool, Handler, Tool, from_script};
pub use tools::{Changed, Follower, ToolManager};
