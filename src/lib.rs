//! Modelport makes a web page a first-class citizen of the Model Context Protocol (MCP) and of
//! WebMCP, the browser's own tool registry. A page writes each tool once, into a `ToolManager`; publishes
//! it to the browser, serves it to MCP clients, and calls other people's tools as if they were its own.
//!
#![cfg_attr(target_arch = "wasm32", doc = "```no_run")]
#![cfg_attr(not(target_arch = "wasm32"), doc = "```ignore")]
//! use modelport::{Error, ModelContext, Tool, ToolManager};
//!
//! #[derive(serde::Deserialize)]
//! struct Add { a: f64, b: f64 }
//!
//! # async fn publish() -> Result<(), Error> {
//! let tools = ToolManager::new();
//! tools.add(
//!     Tool::new("add")
//!         .description("Adds two numbers")
//!         .handler(async |Add { a, b }, _| Ok(a + b)),
//! )?;
//! if let Some(bridge) = ModelContext::current() {
//!     bridge.publish(&tools).await?; // and follows every later change of `tools`
//! }
//! # Ok(()) }
//! ```
//!
//! - `Tool` and `ToolManager`: what models read, the async closure that runs it, `ToolGuard`s that take a tool
//!   away when a component goes; with the feature `schemars`, schemas derived from types.
//! - `ModelContext`: the bridge to `document.modelContext` (WebMCP): `publish`, `adopt`.
//! - `Server` and `Client`, over a `Transport`: MCP in both of its eras, for tools, resources, prompts, completion,
//!   logging, questions to the user.
//! - [`Error`] with a [`Code`]; `Failure` for handlers, which takes any error by `?`.
//!
//! All of these but errors exist for wasm32 only; `examples/` of the repository has pages in plain wasm-bindgen,
//! Leptos and Yew. The feature `npm` is for the npm package alone.
//!
//! # The map
//!
//! - [`json`]: the trait through which everything looks at JSON, whoever owns it.
//! - [`core`]: protocol, tool registry and bridge rules as state machines, tested natively.
//! - `web` (wasm32 only): runs those machines in a browser; the crate's API for Rust front ends.
//! - `api` (wasm32 only): what JavaScript sees of `web`.
//!
//! What holds everywhere: a request gets exactly one answer; a call settles exactly once; effects
//! run in the order they were produced, with no borrow held; nothing a peer or a page sends can
//! panic; JavaScript values that are only passed on never enter wasm memory.

#![deny(missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod core;
pub mod json;

#[cfg(target_arch = "wasm32")]
mod api;
#[cfg(target_arch = "wasm32")]
mod web;

pub use crate::core::code::Code;
pub use crate::core::error::Error;
pub use crate::core::limits::Limits;
pub use crate::core::revision::Revision;
pub use crate::core::tool::{CallToolResult, Progress};
pub use crate::core::webmcp::{Describe, Holder, Options as PublishOptions, Refusal, Report};
#[cfg(target_arch = "wasm32")]
pub use web::{
    AdoptOptions, Answer, Availability, CallOptions, Changed, Client, ClientBuilder, Context, Failure, Follower,
    ModelContext, ModelContextEvent, NoArguments, Server, ServerBuilder, ServerInfo, Session, Tool, ToolGuard,
    ToolManager, Transport,
};

/// The README's own example is compiled with those of the documentation.
#[cfg(all(doctest, target_arch = "wasm32", feature = "schemars"))]
#[doc = include_str!("../README.md")]
mod readme {}

/// Costs 1.5 kB of brotli less than the allocator of std, and no time or memory that could be measured.
#[cfg(all(target_arch = "wasm32", feature = "npm"))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
