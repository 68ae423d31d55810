//! The two ends of a conversation in the browser: a server with its sessions, and a client.

mod client;
mod quick;
mod server;
mod session;
mod work;

pub use client::{Client, ClientOptions, OnFrame, Waiter};
pub use server::{Server, ServerOptions};
pub use session::Session;
