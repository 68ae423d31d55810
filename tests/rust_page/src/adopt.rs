//! Other people's tools in Rust: the registry's, once and live, and what becomes of a call that nobody waits for.

use futures_util::future::{Either, select};
use modelport::{AdoptOptions, Availability, Error, ModelContext, ModelContextEvent, NoArguments, Tool, ToolManager};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

fn document() -> Result<web_sys::Document, Error> {
    web_sys::window().and_then(|window| window.document()).ok_or_else(|| JsValue::from_str("no document").into())
}

thread_local! {
    static LIVE: RefCell<Option<(ModelContext, ToolManager)>> = const { RefCell::new(None) };
}

/// What the registry's tool "shout" says, called as a tool of this page, and what it is known as.
#[wasm_bindgen]
pub async fn adopt() -> Result<String, JsValue> {
    let document = document()?;
    let events = Rc::new(RefCell::new(Vec::new()));
    let heard = events.clone();
    let bridge = ModelContext::with_events(&document, move |event| {
        if let ModelContextEvent::Activated(name, _) = event {
            heard.borrow_mut().push(name);
        }
    });
    let bridge = bridge.ok_or("this browser has no registry")?;
    let (availability, advice) = ModelContext::probe(&document).await;
    let tools = ToolManager::new();
    let mut names = Vec::new();
    for tool in bridge.adopt(AdoptOptions::default()).await? {
        names.push(tool.name());
        tools.add(tool)?;
    }
    let shouted = tools.call("shout", &json!({ "text": "hello" })).await?;
    let refused = tools.call("shout", &json!({})).await?;
    let live = bridge.adopt_live(AdoptOptions::default()).await?;
    let seen = json!({
        "ready": availability == Availability::Ready && !advice.is_empty(),
        "names": names,
        "shouted": shouted.value::<String>()?,
        "refused": refused.is_error(),
        "live": live.names(),
        "activated": *events.borrow(),
    });
    LIVE.with(|kept| kept.replace(Some((bridge, live))));
    Ok(seen.to_string())
}

/// The names that the live adoption has now.
#[wasm_bindgen]
pub fn adopted() -> String {
    LIVE.with_borrow(|live| json!(live.as_ref().map(|(_, tools)| tools.names()))).to_string()
}

/// Whether a tool's future is dropped when its caller's is.
#[wasm_bindgen]
pub async fn give_up() -> Result<bool, JsValue> {
    let tools = ToolManager::new();
    let dropped = Rc::new(Cell::new(false));
    let flag = dropped.clone();
    tools.add(Tool::new("endless").handler(async move |_: NoArguments, _| {
        let _guard = OnDrop(flag.clone());
        std::future::pending::<()>().await;
        Ok(())
    }))?;
    {
        let empty = json!({});
        let (call, soon) = (pin!(tools.call("endless", &empty)), pin!(a_moment()));
        if let Either::Left(_) = select(call, soon).await {
            return Ok(false);
        }
    }
    if dropped.get() {
        return Ok(false);
    }
    // The call is gone; the tool's task notices when it is woken.
    a_moment().await;
    Ok(dropped.get())
}

/// What is due by now has happened.
async fn a_moment() {
    for _ in 0..3 {
        drop(wasm_bindgen_futures::JsFuture::from(js_sys::Promise::resolve(&JsValue::NULL)).await);
    }
}

struct OnDrop(Rc<Cell<bool>>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

/// A tool as JavaScript wrote it, called from Rust.
#[wasm_bindgen]
pub async fn call_script(tool: JsValue) -> Result<String, JsValue> {
    let tools = ToolManager::new();
    tools.add(Tool::from_js(tool))?;
    let name = tools.names().remove(0);
    Ok(tools.call(&name, &json!({ "n": 2 })).await?.value::<Value>()?.to_string())
}
