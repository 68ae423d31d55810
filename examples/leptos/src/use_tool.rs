//! Tools that live as long as the component that offers them. Nothing of this depends on the shopping list.

use leptos::prelude::*;
use leptos::task::spawn_local;
use modelport::{ModelContext, Tool, ToolManager};

/// Signals and contexts may cross threads, a page's tools may not: this is a handle to them.
type Tools = StoredValue<ToolManager, LocalStorage>;

/// Publishes the tools of the components below, as long as the one that calls this lives. Whether the browser has
/// a registry to publish to.
pub fn provide_tools() -> bool {
    let tools = ToolManager::new();
    provide_context::<Tools>(StoredValue::new_local(tools.clone()));
    let Some(bridge) = ModelContext::current() else { return false };
    let publishing = bridge.publish(&tools);
    spawn_local(async move {
        if let Err(error) = publishing.await {
            leptos::logging::error!("{}: {error}", error.code);
        }
    });
    // It belongs to the component from now on, and is dropped with it.
    StoredValue::new_local(bridge);
    true
}

/// Offers a tool as long as the component that calls this lives.
pub fn use_tool(tool: Tool) {
    let tools = expect_context::<Tools>();
    match tools.with_value(|tools| tools.add_scoped(tool)) {
        Ok(guard) => {
            StoredValue::new_local(guard);
        }
        Err(error) => leptos::logging::error!("{}: {error}", error.code),
    }
}
