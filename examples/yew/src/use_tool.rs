//! Tools that live as long as the component that offers them. Nothing of this depends on seats.

use modelport::{Error, ModelContext, Tool, ToolManager};
use yew::platform::spawn_local;
use yew::prelude::*;

/// The tools of the components below, published as long as the component that calls this lives; and whether the
/// browser has a registry to publish to.
#[hook]
pub fn use_published() -> (ToolManager, bool) {
    let tools = use_memo((), |()| ToolManager::new());
    let bridge = use_memo((), |()| ModelContext::current());
    let published = (tools.clone(), bridge.clone());
    use_effect_with((), move |()| {
        let (tools, bridge) = published;
        if let Some(bridge) = &*bridge {
            let publishing = bridge.publish(&tools);
            spawn_local(async move { complain(publishing.await.map(drop)) });
        }
        move || {
            if let Some(bridge) = &*bridge {
                bridge.destroy();
            }
        }
    });
    ((*tools).clone(), bridge.is_some())
}

/// Offers a tool as long as the component that calls this lives, or until what it depends on changes.
#[hook]
pub fn use_tool<D: PartialEq + 'static>(dependencies: D, make: impl FnOnce() -> Tool + 'static) {
    let tools = use_context::<ToolManager>();
    use_effect_with((dependencies, tools), move |(_, tools)| {
        let added = tools.as_ref().map(|tools| tools.add_scoped(make()));
        let guard = added.and_then(|added| added.map_err(|error| complain(Err(error))).ok());
        move || drop(guard)
    });
}

fn complain(outcome: Result<(), Error>) {
    if let Err(error) = outcome {
        wasm_bindgen::throw_str(&format!("{}: {error}", error.code));
    }
}
