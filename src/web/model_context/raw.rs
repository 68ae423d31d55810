//! The foreign functions around the browser's registry.

use std::cell::Cell;
use wasm_bindgen::prelude::*;

type Hear = dyn Fn(u32, JsValue, JsValue, JsValue, JsValue);

/// A function for JavaScript to call, which goes when nobody there has it any more. All are of one
/// type, as each further type of closure would cost every page that loads the wasm.
pub fn hook(hear: impl Fn(u32, JsValue, JsValue, JsValue, JsValue) + 'static) -> JsValue {
    let hear: Box<Hear> = Box::new(hear);
    Closure::wrap(hear).into_js_value()
}

/// Hears how a promise ends.
pub fn when(promise: &JsValue, done: impl FnOnce(Result<JsValue, JsValue>) + 'static) {
    let done = Cell::new(Some(done));
    let done = hook(move |failed, value, _, _, _| {
        if let Some(done) = done.take() {
            done(if failed == 0 { Ok(value) } else { Err(value) });
        }
    });
    when_settled(promise, &done);
}

#[wasm_bindgen(module = "/src/web/model_context/registrar.js")]
extern "C" {
    pub fn sketch(tool: &JsValue) -> u32;
    #[wasm_bindgen(catch, js_name = projectedText)]
    pub fn projected_text(tool: &JsValue, name: &str, carried: u32) -> Result<String, JsValue>;
    #[wasm_bindgen(js_name = originOfUrl)]
    pub fn origin_of_url(url: &str) -> Option<String>;
    #[wasm_bindgen(js_name = newRegistrar)]
    pub fn new_registrar(document: &JsValue, registry: &JsValue, call: &JsValue, done: &JsValue) -> Registrar;
}

#[wasm_bindgen]
extern "C" {
    /// What registers tools and lets go of them.
    pub type Registrar;
    #[wasm_bindgen(method, structural)]
    pub fn register(this: &Registrar, number: u32, tool: &JsValue, name: &str, carried: u32, origins: &JsValue);
    /// Hands over what was confirmed and not told yet.
    #[wasm_bindgen(method, structural)]
    pub fn tell(this: &Registrar);
    #[wasm_bindgen(method, structural)]
    pub fn release(this: &Registrar, number: u32);
    #[wasm_bindgen(method, structural, js_name = releaseAll)]
    pub fn release_all(this: &Registrar);
}

#[wasm_bindgen(module = "/src/web/model_context/glue.js")]
extern "C" {
    #[wasm_bindgen(js_name = registryOf)]
    pub fn registry_of(document: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = currentDocument)]
    pub fn current_document() -> JsValue;
    #[wasm_bindgen(js_name = windowOf)]
    pub fn window_of(document: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = originOf)]
    pub fn origin_of(document: &JsValue) -> String;
    pub fn list(registry: &JsValue, origins: &JsValue) -> JsValue;
    pub fn later(hook: &JsValue);
    pub fn soon(hook: &JsValue, number: u32);
    #[wasm_bindgen(js_name = when)]
    fn when_settled(promise: &JsValue, done: &JsValue);
    #[wasm_bindgen(js_name = numberOf)]
    pub fn number_of(window: &JsValue) -> u32;
    #[wasm_bindgen(js_name = ownerOf)]
    pub fn owner_of(record: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = reasonOf)]
    pub fn reason_of(words: &str) -> u32;
    pub fn settled(value: &JsValue) -> JsValue;
    pub fn escaped(text: &JsValue) -> JsValue;
    pub fn on(target: &JsValue, event: &str, listener: &JsValue) -> Stop;
    pub fn listen(document: &JsValue, registry: &JsValue, tell: &JsValue) -> Stop;
    #[wasm_bindgen(js_name = newLooker)]
    pub fn new_looker(registry: &JsValue, origins: &JsValue, take: &JsValue) -> Looker;
    #[wasm_bindgen(js_name = newWatch)]
    pub fn new_watch(registry: &JsValue, tell: &JsValue) -> Looker;
    #[wasm_bindgen(js_name = watchFrames)]
    pub fn watch_frames(document: &JsValue, changed: &JsValue) -> Stop;
    #[allow(clippy::too_many_arguments, reason = "a tool in one crossing")]
    pub fn adopted(
        dictionary: &JsValue,
        origin: &str,
        own: bool,
        original_name: &str,
        record: &JsValue,
        registry: &JsValue,
        origins: &JsValue,
        busy: &JsValue,
        finish: &JsValue,
    ) -> JsValue;
    pub fn report(text: &str, lengths: &[u32], counts: &[usize]) -> JsValue;
    pub fn probe(document: &JsValue) -> js_sys::Promise;
}

#[wasm_bindgen]
extern "C" {
    /// Ends something.
    #[derive(Clone)]
    #[wasm_bindgen(extends = js_sys::Function)]
    pub type Stop;

    /// Lists the registry and hands on what it found, when asked to.
    #[derive(Clone)]
    #[wasm_bindgen(extends = js_sys::Function)]
    pub type Looker;
    /// Whether a listing is under way: a function.
    #[wasm_bindgen(method, structural, getter)]
    pub fn busy(this: &Looker) -> JsValue;
}
