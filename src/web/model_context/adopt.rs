//! Other documents' tools as ordinary callable tools.

use super::calls::settle;
use super::{ModelContext, raw};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::webmcp::{Adopted, Filter, Handles, Listed, Place, Refusal, adopt, envelope};
use crate::json::Json;
use crate::web::error::{describe, to_js};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Which tools [`ModelContext::adopt`] takes.
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
    pub(crate) fn adopt_then(&self, options: AdoptOptions, done: impl FnOnce(Result<Vec<JsValue>, JsValue>) + 'static) {
        let filter = match self.filter(&options) {
            Ok(filter) => filter,
            Err(refusal) => return done(Err(to_js(&Error::new(refusal.code, refusal.reason)))),
        };
        let listing = raw::list(&self.inner.registry, &options.wanted());
        let context = self.clone();
        raw::when(&listing, move |listed| {
            done(match listed {
                Ok(listed) => Ok(context.take(&listed, &filter, &options)),
                Err(thrown) => Err(unlisted(&thrown, &options)),
            });
        });
    }

    fn take(&self, listed: &JsValue, filter: &Filter, options: &AdoptOptions) -> Vec<JsValue> {
        let (records, listing) = self.read(listed, filter.window);
        let adoption = adopt(&listing, filter, &mut Handles::default());
        let mut tools = Vec::new();
        for tool in &adoption.tools {
            if let Some(record) = records.get(tool.index) {
                tools.push(self.adopted(tool, record, options, &JsValue::UNDEFINED));
            }
        }
        tools
    }

    pub(super) fn filter(&self, options: &AdoptOptions) -> Result<Filter, Refusal> {
        let document = &self.inner.document;
        let origins = options.origins.as_deref().unwrap_or_default();
        let window = raw::number_of(&raw::window_of(document));
        let mut filter = Filter::new(window, raw::origin_of(document)).with_origins::<JsValue>(origins)?;
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

    /// A tool as JavaScript gets it; `busy` tells whether news of the registry are under way.
    pub(super) fn adopted(
        &self,
        tool: &Adopted<JsValue>,
        record: &JsValue,
        options: &AdoptOptions,
        busy: &JsValue,
    ) -> JsValue {
        let Place { origin, name, .. } = &tool.place;
        let finish = FINISH.with(Clone::clone);
        let (registry, wanted) = (&self.inner.registry, options.wanted());
        raw::adopted(&tool.dictionary, origin, tool.own, name, record, registry, &wanted, busy, &finish)
    }

    fn listed(&self, record: &JsValue, own_window: u32) -> Listed<JsValue> {
        let window = raw::number_of(&raw::owner_of(record));
        let name = record.member("name").and_then(|name| name.as_string());
        let ours = name.filter(|_| window == own_window).and_then(|name| {
            self.inner.pump.look(|bridge| bridge.published(&name).map(|offer| offer.dictionary().clone())).flatten()
        });
        let origin: Rc<str> = record.member("origin").and_then(|origin| origin.as_string()).unwrap_or_default().into();
        Listed { record: record.clone(), window, origin, authored: ours }
    }
}

thread_local! {
    /// Hears how a call of an adopted tool ended. It belongs to no bridge: one that is gone changes
    /// nothing about the tools it adopted, which are their owners'.
    static FINISH: JsValue = raw::hook(|failed, answer, signal, resolve, reject| {
        match opened(failed != 0, answer, &signal) {
            Ok(value) => settle(&resolve.into(), &value),
            Err(thrown) => settle(&reject.into(), &thrown),
        }
    });
}

/// What the caller of an adopted tool gets.
fn opened(failed: bool, answer: JsValue, signal: &JsValue) -> Result<JsValue, JsValue> {
    if failed {
        return Err(failure(&answer, signal));
    }
    match envelope::open(&answer) {
        Some(result) => match envelope::unfold(&result) {
            Ok(value) => Ok(value.unwrap_or(JsValue::UNDEFINED)),
            Err(error) => Err(to_js(&error)),
        },
        None => Ok(answer),
    }
}

/// Why the registry could not be listed, with a code for each of the gates a document may stand before.
pub(super) fn unlisted(thrown: &JsValue, options: &AdoptOptions) -> JsValue {
    let name = thrown.member("name").and_then(|name| name.as_string()).unwrap_or_default();
    let Refusal { code, reason, .. } = Refusal::from_exception(&name, &describe(thrown), options.origins.is_some());
    // No schema was handed over, so none is at fault: this registry cannot list.
    let code = if code == Code::SchemaNotSerialisable { Code::RegistryFailed } else { code };
    to_js(&Error::new(code, reason))
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
