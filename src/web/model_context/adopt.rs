//! Other documents' tools as ordinary callable tools.

use super::{ModelContext, raw};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::webmcp::{Filter, Handles, Listed, adopt, envelope};
use crate::json::Json;
use crate::web::error::{describe, to_js};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Which tools to adopt.
#[derive(Clone, Debug, Default)]
pub struct AdoptOptions {
    /// Other origins whose tools are wanted too.
    pub origins: Option<Vec<String>>,
    /// Leave out this document's own origin, unless it is named.
    pub only: bool,
    /// Include tools marked `debugging`.
    pub debugging: bool,
    /// Leave out the tools this bridge published.
    pub foreign: bool,
    /// Leave out the tools of other frames.
    pub no_frames: bool,
}

impl ModelContext {
    /// The tools the registry lists, as ones that can be called. What JavaScript gets of each is its
    /// dictionary with `execute`, `own`, `origin`, `originalName` and `window`.
    pub async fn adopt(&self, options: AdoptOptions) -> Result<Vec<JsValue>, JsValue> {
        let inner = &self.inner;
        let origins = options.origins.clone().unwrap_or_default();
        let mut filter = Filter::new(raw::number_of(&raw::window_of(&inner.document)), raw::origin_of(&inner.document))
            .with_origins(&origins)
            .map_err(|refusal| to_js(&Error::new(refusal.code, refusal.reason)))?;
        filter.own = !options.foreign;
        filter.frames = !options.no_frames;
        filter.debugging = options.debugging;
        filter.only = options.only;

        let wanted = match &options.origins {
            Some(origins) => JsValue::array(origins.iter().map(|origin| JsValue::from_str(origin)).collect()),
            None => JsValue::UNDEFINED,
        };
        let records = JsFuture::from(raw::list(&inner.registry, &wanted)).await?.items().unwrap_or_default();
        let listing: Vec<Listed<JsValue>> = records.iter().map(|record| self.listed(record, filter.window)).collect();
        let adoption = adopt(&listing, &filter, &mut Handles::default());
        let tools = adoption.tools.into_iter().filter_map(|tool| {
            let record = records.get(tool.index)?;
            let run = self.runner(record.clone());
            let (place, window) = (tool.place, raw::owner_of(record));
            Some(raw::adopted(&tool.dictionary, &place.origin, tool.own, &place.name, &window, &run))
        });
        Ok(tools.collect())
    }

    /// A record with what the rules ask about it.
    fn listed(&self, record: &JsValue, own_window: u32) -> Listed<JsValue> {
        let window = raw::number_of(&raw::owner_of(record));
        let name = record.member("name").and_then(|name| name.as_string());
        let ours = name.filter(|_| window == own_window).and_then(|name| {
            self.inner.pump.look(|bridge| bridge.published(&name).map(|offer| offer.dictionary.clone())).flatten()
        });
        let origin: Rc<str> = record.member("origin").and_then(|origin| origin.as_string()).unwrap_or_default().into();
        Listed { record: record.clone(), window, origin, authored: ours }
    }

    /// What runs an adopted tool. The closure belongs to the tool and goes when the tool is collected.
    fn runner(&self, record: JsValue) -> JsValue {
        let registry = self.inner.registry.clone();
        Closure::<dyn Fn(JsValue, JsValue) -> js_sys::Promise>::new(move |input: JsValue, signal: JsValue| {
            let (registry, record) = (registry.clone(), record.clone());
            crate::web::spawn::promise(async move {
                let running = raw::execute(&registry, &record, &input, &signal);
                let answer = match JsFuture::from(running).await {
                    Ok(answer) => answer,
                    Err(thrown) => return Err(failure(&thrown, &signal)),
                };
                match envelope::open(&answer) {
                    Some(result) => envelope::unfold(&result)
                        .map(|value| value.unwrap_or(JsValue::UNDEFINED))
                        .map_err(|error| to_js(&error)),
                    None => Ok(answer),
                }
            })
        })
        .into_js_value()
    }
}

/// What a rejection of the registry means. The caller's own reason passes as it is; the browser's
/// fixed sentence hides the tool's words, and that is said.
fn failure(thrown: &JsValue, signal: &JsValue) -> JsValue {
    if signal.member("aborted").is_some_and(|aborted| aborted.is_truthy()) {
        return thrown.clone();
    }
    let name = thrown.member("name").and_then(|name| name.as_string()).unwrap_or_default();
    let words = describe(thrown);
    let error = match name.as_str() {
        "InvalidStateError" => Error::new(Code::ToolGone, words),
        "NotAllowedError" => Error::new(Code::BlockedByPolicy, words),
        "SecurityError" => Error::new(Code::NotOriginKeyed, words),
        "TypeError" => Error::new(Code::InvalidArgument, words),
        _ => Error::new(Code::ToolError, format!("The browser hides why the tool failed, and says: {words}")),
    };
    to_js(&error)
}
