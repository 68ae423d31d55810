//! The foreign functions and objects the edge uses, as they are. Objects that may be a page's own
//! are structural: what counts is that they have the member.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/web/glue.js")]
extern "C" {
    pub fn kind(value: &JsValue) -> u32;
    pub fn get(object: &JsValue, name: &JsValue) -> JsValue;
    #[allow(clippy::too_many_arguments, reason = "four members in one crossing")]
    pub fn object(
        key1: &JsValue,
        value1: &JsValue,
        key2: &JsValue,
        value2: &JsValue,
        key3: &JsValue,
        value3: &JsValue,
        key4: &JsValue,
        value4: &JsValue,
    ) -> JsValue;
    pub fn set(object: &JsValue, name: &JsValue, value: &JsValue);
    pub fn merged(a: &JsValue, b: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = withoutNulls)]
    pub fn without_nulls(object: &JsValue) -> JsValue;
    pub fn entries(object: &JsValue) -> js_sys::Array;
    pub fn items(value: &JsValue) -> Option<js_sys::Array>;
    #[wasm_bindgen(js_name = isWellFormed)]
    pub fn is_well_formed(text: &JsValue) -> bool;
    #[wasm_bindgen(catch)]
    pub fn copied(object: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub fn stringify(value: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub fn plain(value: &JsValue) -> Result<JsValue, JsValue>;
    pub fn parse(text: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = sameJson)]
    pub fn same_json(one: &JsValue, other: &JsValue) -> bool;
    pub fn post(target: &JsValue, message: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = postEither)]
    pub fn post_either(target: &JsValue, message: &JsValue) -> JsValue;
    pub fn now() -> f64;
    pub fn describe(thrown: &JsValue) -> String;
    #[wasm_bindgen(js_name = newContext)]
    pub fn new_context(run: u32, hooks: &JsValue, caller: &JsValue, signal: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = abortContext)]
    pub fn abort_context(context: &JsValue, text: &str);
    #[wasm_bindgen(js_name = newHooks)]
    pub fn new_hooks(returned: &JsValue, threw: &JsValue, progressed: &JsValue) -> JsValue;
    pub fn invoke(tool: &JsValue, arguments: &JsValue, context: &JsValue, run: u32, hooks: &JsValue);
    #[wasm_bindgen(js_name = makeError)]
    pub fn make_error(class: &JsValue, code: &str, message: &str, rpc_code: Option<i32>, data: &JsValue) -> JsValue;
}

#[wasm_bindgen]
extern "C" {
    /// Anything messages can be posted to: a port, a worker, a worker's own scope.
    #[derive(Clone)]
    pub type PostTarget;
    #[wasm_bindgen(method, structural, catch)]
    pub fn start(this: &PostTarget) -> Result<(), JsValue>;
    #[wasm_bindgen(method, structural, catch)]
    pub fn close(this: &PostTarget) -> Result<(), JsValue>;

    /// A carrier with the official SDK's `Transport` interface.
    #[derive(Clone)]
    pub type Carrier;
    #[wasm_bindgen(method, structural, catch, js_name = start)]
    pub fn start_carrier(this: &Carrier) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, structural, catch)]
    pub fn send(this: &Carrier, message: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, structural, catch, js_name = close)]
    pub fn close_carrier(this: &Carrier) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, structural, setter)]
    pub fn set_onmessage(this: &Carrier, handler: &JsValue);
    #[wasm_bindgen(method, structural, setter)]
    pub fn set_onerror(this: &Carrier, handler: &JsValue);
    #[wasm_bindgen(method, structural, setter)]
    pub fn set_onclose(this: &Carrier, handler: &JsValue);
    #[wasm_bindgen(method, structural, catch, js_name = setProtocolVersion)]
    pub fn set_protocol_version(this: &Carrier, version: &str) -> Result<(), JsValue>;
}
