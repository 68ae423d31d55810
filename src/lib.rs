//! Modelport makes a web page a first-class citizen of the Model Context Protocol (MCP) and of
//! WebMCP, the browser's own tool registry.
//!
//! The map:
//! - [`json`]: the trait through which everything looks at JSON, whoever owns it.
//! - [`core`]: protocol, tool registry and bridge rules as state machines, tested natively.
//! - `web` (wasm32 only): runs those machines in a browser; the crate's API for Rust front ends.
//! - `api` (wasm32 only): what JavaScript sees of `web`.
//!
//! What holds everywhere: a request gets exactly one answer; a call settles exactly once; effects
//! run in the order they were produced, with no borrow held; nothing a peer or a page sends can
//! panic; JavaScript values that are only passed on never enter wasm memory.

pub mod core;
pub mod json;

#[cfg(target_arch = "wasm32")]
mod api;
#[cfg(target_arch = "wasm32")]
pub mod web;

#[cfg(target_arch = "wasm32")]
pub use web::{Client, Context, ModelContext, Server, Tool, ToolManager};

/// Costs 1.5 kB of brotli less than the allocator of std, and no time or memory that could be measured.
#[cfg(all(target_arch = "wasm32", feature = "npm"))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
