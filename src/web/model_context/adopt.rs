//! Other documents' tools as ordinary callable tools.

use super::{ModelContext, raw};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::webmcp::{Adopted, Filter, Handles, Listed, Refusal, adopt, envelope};
use crate::json::Json;
use crate::web::error::{describe, to_js};
use std::rc::{Rc, Weak};
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

impl AdoptOptions {
    /// The origins as the registry wants them.
    pub(super) fn wanted(&self) -> JsValue {
        strings(self.origins.as_deref())
    }
}

/// A list of strings as JavaScript wants it; nothing for none.
pub(super) fn strings(list: Option<&[String]>) -> JsValue {
    let Some(list) = list else { return JsValue::UNDEFINED };
    let array = js_sys::Array::new();
    for text in list {
        array.push(&JsValue::from_str(text));
    }
    array.into()
}

impl ModelContext {
    /// The tools the registry lists, as ones that can be called. What JavaScript gets of each is its
    /// dictionary with `execute`, `own`, `origin`, `originalName` and `window`.
    pub async fn adopt(&self, options: AdoptOptions) -> Result<Vec<JsValue>, JsValue> {
        let filter = self.filter(&options).map_err(|refusal| to_js(&Error::new(refusal.code, refusal.reason)))?;
        let listed = self.list(&options).await?;
        let (records, listing) = self.read(&listed, filter.window);
        let adoption = adopt(&listing, &filter, &mut Handles::default());
        let mut tools = Vec::new();
        for tool in &adoption.tools {
            if let Some(record) = records.get(tool.index) {
                tools.push(self.adopted(tool, record, &options));
            }
        }
        Ok(tools)
    }

    /// The registry's records. The error has a code for each of the gates a document may stand before.
    pub(super) async fn list(&self, options: &AdoptOptions) -> Result<JsValue, JsValue> {
        let listed = JsFuture::from(raw::list(&self.inner.registry, &options.wanted())).await;
        listed.map_err(|thrown| {
            let name = thrown.member("name").and_then(|name| name.as_string()).unwrap_or_default();
            let Refusal { code, reason } =
                Refusal::from_exception(&name, &describe(&thrown), options.origins.is_some());
            // No schema was handed over, so none is at fault: this registry cannot list.
            let code = if code == Code::SchemaNotSerialisable { Code::RegistryFailed } else { code };
            to_js(&Error::new(code, reason))
        })
    }

    pub(super) fn filter(&self, options: &AdoptOptions) -> Result<Filter, Refusal> {
        let document = &self.inner.document;
        let origins = options.origins.as_deref().unwrap_or_default();
        let window = raw::number_of(&raw::window_of(document));
        let mut filter = Filter::new(window, raw::origin_of(document)).with_origins(origins)?;
        filter.own = !options.foreign;
        filter.frames = !options.no_frames;
        filter.debugging = options.debugging;
        filter.only = options.only;
        Ok(filter)
    }

    /// A listing's records, each with what the rules ask about it.
    pub(super) fn read(&self, listed: &JsValue, own_window: u32) -> (Vec<JsValue>, Vec<Listed<JsValue>>) {
        let records = listed.items().unwrap_or_default();
        let mut listing = Vec::new();
        for record in &records {
            listing.push(self.listed(record, own_window));
        }
        (records, listing)
    }

    /// A tool as JavaScript gets it.
    pub(super) fn adopted(&self, tool: &Adopted<JsValue>, record: &JsValue, options: &AdoptOptions) -> JsValue {
        let window = raw::owner_of(record);
        let run = runner(Rc::downgrade(&self.inner), record.clone(), options.wanted());
        raw::adopted(&tool.dictionary, &tool.place.origin, tool.own, &tool.place.name, &window, &run)
    }

    fn listed(&self, record: &JsValue, own_window: u32) -> Listed<JsValue> {
        let window = raw::number_of(&raw::owner_of(record));
        let name = record.member("name").and_then(|name| name.as_string());
        let ours = name.filter(|_| window == own_window).and_then(|name| {
            self.inner.pump.look(|bridge| bridge.published(&name).map(|offer| offer.dictionary.clone())).flatten()
        });
        let origin: Rc<str> = record.member("origin").and_then(|origin| origin.as_string()).unwrap_or_default().into();
        Listed { record: record.clone(), window, origin, authored: ours }
    }
}

/// What runs an adopted tool. The closure belongs to the tool and goes when the tool is collected.
/// A bridge that is gone changes nothing: the tool is its owner's.
fn runner(inner: Weak<super::Inner>, record: JsValue, wanted: JsValue) -> JsValue {
    let registry = inner.upgrade().map_or(JsValue::UNDEFINED, |inner| inner.registry.clone());
    Closure::<dyn Fn(JsValue, JsValue) -> js_sys::Promise>::new(move |input: JsValue, signal: JsValue| {
        let (registry, record, wanted) = (registry.clone(), record.clone(), wanted.clone());
        crate::web::spawn::promise(async move {
            let running = raw::execute(&registry, &record, &input, &signal, &wanted);
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

/// What a rejection of the registry means. The caller's own reason passes as it is. The browser has
/// one fixed sentence for every tool that threw, and that the words are lost is said.
fn failure(thrown: &JsValue, signal: &JsValue) -> JsValue {
    if signal.member("aborted").is_some_and(|aborted| aborted.is_truthy()) {
        return thrown.clone();
    }
    let name = thrown.member("name").and_then(|name| name.as_string()).unwrap_or_default();
    let words = describe(thrown);
    let error = match name.as_str() {
        "InvalidStateError" | "NotFoundError" => Error::new(Code::ToolGone, words),
        "NotAllowedError" => Error::new(Code::BlockedByPolicy, words),
        "SecurityError" => Error::new(Code::NotOriginKeyed, words),
        "TypeError" => Error::new(Code::InvalidArgument, words),
        "UnknownError" => match raw::reason_of(&words) {
            0 => Error::new(Code::ToolError, "The tool failed; the browser hides why."),
            1 => Error::new(Code::ToolGone, "The tool is no longer there."),
            _ => Error::new(Code::ToolError, words),
        },
        _ => Error::new(Code::ToolError, words),
    };
    to_js(&error)
}
