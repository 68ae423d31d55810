//! The foreign functions around the browser's registry.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/web/model_context/glue.js")]
extern "C" {
    #[wasm_bindgen(js_name = registryOf)]
    pub fn registry_of(document: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = currentDocument)]
    pub fn current_document() -> JsValue;
    #[wasm_bindgen(js_name = windowOf)]
    pub fn window_of(document: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = isFramed)]
    pub fn is_framed(document: &JsValue) -> bool;
    #[wasm_bindgen(js_name = originOf)]
    pub fn origin_of(document: &JsValue) -> String;
    pub fn register(
        registry: &JsValue,
        number: u32,
        dictionary: &JsValue,
        origins: &JsValue,
        call: &JsValue,
        done: &JsValue,
    ) -> JsValue;
    pub fn release(registry: &JsValue, registration: &JsValue);
    pub fn list(registry: &JsValue, origins: &JsValue) -> js_sys::Promise;
    #[wasm_bindgen(js_name = numberOf)]
    pub fn number_of(window: &JsValue) -> u32;
    #[wasm_bindgen(js_name = ownerOf)]
    pub fn owner_of(record: &JsValue) -> JsValue;
    pub fn execute(
        registry: &JsValue,
        record: &JsValue,
        input: &JsValue,
        signal: &JsValue,
        origins: &JsValue,
    ) -> js_sys::Promise;
    #[wasm_bindgen(js_name = reasonOf)]
    pub fn reason_of(words: &str) -> u32;
    pub fn settled(value: &JsValue) -> JsValue;
    pub fn escaped(text: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = newDiffer)]
    pub fn new_differ() -> js_sys::Function;
    #[wasm_bindgen(js_name = watchFrames)]
    pub fn watch_frames(document: &JsValue, changed: &JsValue) -> JsValue;
    pub fn adopted(
        dictionary: &JsValue,
        origin: &str,
        own: bool,
        original_name: &str,
        window: &JsValue,
        run: &JsValue,
    ) -> JsValue;
    pub fn probe(document: &JsValue) -> js_sys::Promise;
}
