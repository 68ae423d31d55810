//! The foreign functions the edge uses, as they are. Words of the protocol cross by their numbers.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/web/glue.js")]
extern "C" {
    pub fn kind(value: &JsValue) -> u32;
    pub fn learn(lines: &str);
    pub fn word(number: u32) -> JsValue;
    pub fn is(value: &JsValue, number: u32) -> bool;
    pub fn member(object: &JsValue, name: &JsValue) -> JsValue;
    pub fn get(object: &JsValue, number: u32) -> JsValue;
    pub fn which(object: &JsValue, number: u32) -> i32;
    #[wasm_bindgen(js_name = numberAt)]
    pub fn number_at(object: &JsValue, number: u32) -> f64;
    pub fn sight(value: &JsValue, a: u32, b: u32, c: u32, d: u32, e: u32) -> u32;
    #[allow(clippy::too_many_arguments, reason = "four members in one crossing")]
    pub fn object(
        base: &JsValue,
        copies: bool,
        name1: u32,
        value1: &JsValue,
        name2: u32,
        value2: &JsValue,
        name3: u32,
        value3: &JsValue,
        name4: u32,
        value4: &JsValue,
    ) -> JsValue;
    pub fn frame(id: f64, id_text: &JsValue, method: u32, method_text: &JsValue, name: u32, value: &JsValue)
    -> JsValue;
    #[wasm_bindgen(js_name = textResult)]
    pub fn text_result(text: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = wordOf)]
    pub fn word_of(value: &JsValue) -> i32;
    pub fn without(object: &JsValue, number: u32) -> JsValue;
    pub fn fits(value: &JsValue, depth: f64, values: f64, length: f64) -> bool;
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
    #[wasm_bindgen(js_name = takeThrown)]
    pub fn take_thrown() -> JsValue;
    pub fn settle(waiters: &JsValue, number: u32, went_well: bool, value: &JsValue);
    pub fn tell(waiters: &JsValue, number: u32, progress: &JsValue) -> bool;
    pub fn soon(callback: &JsValue);
    pub fn now() -> f64;
    pub fn describe(thrown: &JsValue) -> String;
    #[wasm_bindgen(js_name = makeError)]
    pub fn make_error(class: &JsValue, code: &str, message: &str, rpc_code: Option<i32>, data: &JsValue) -> JsValue;
}

#[wasm_bindgen(module = "/src/web/link.js")]
extern "C" {
    #[wasm_bindgen(js_name = openPort)]
    pub fn open_port(port: &JsValue, options: &JsValue, arrive: &JsValue, limit: usize) -> JsValue;
    #[wasm_bindgen(js_name = openCarrier)]
    pub fn open_carrier(carrier: &JsValue, arrive: &JsValue, limit: usize) -> JsValue;
    pub fn send(link: &JsValue, frame: &JsValue) -> bool;
    pub fn start(link: &JsValue);
    pub fn negotiated(link: &JsValue, revision: &str);
    pub fn held(link: &JsValue) -> usize;
    pub fn release(link: &JsValue, closes: bool);
}

#[wasm_bindgen(module = "/src/web/quick.js")]
extern "C" {
    #[wasm_bindgen(js_name = newTools)]
    pub fn new_tools() -> JsValue;
    pub fn changed(tools: &JsValue);
    pub fn tool(tool: &JsValue, has_schema: bool, caller: &JsValue, is_old: bool) -> JsValue;
    pub fn serve(link: &JsValue, tools: &JsValue, stamp: &JsValue, find: &JsValue, core: &JsValue);
    #[wasm_bindgen(js_name = callOver)]
    pub fn call_over(link: &JsValue, meta: &JsValue, ids: &JsValue, hand: &JsValue, enter: &JsValue) -> JsValue;
}

#[wasm_bindgen(module = "/src/web/live.js")]
extern "C" {
    #[wasm_bindgen(js_name = setTimer)]
    pub fn set_timer(ring: &JsValue, wait: f64) -> JsValue;
    #[wasm_bindgen(js_name = clearTimer)]
    pub fn clear_timer(timer: &JsValue);
}

// What a script imports in its turn is shipped only if it is named here too.
#[wasm_bindgen(module = "/src/web/survey.js")]
extern "C" {
    pub fn weight(value: &JsValue) -> f64;
}

#[wasm_bindgen(module = "/src/web/port.js")]
extern "C" {
    #[allow(dead_code)]
    #[wasm_bindgen(js_name = openPort)]
    fn open_bare_port(port: &JsValue) -> JsValue;
}

#[wasm_bindgen(module = "/src/web/copy.js")]
extern "C" {
    #[allow(dead_code)]
    #[wasm_bindgen(js_name = copy)]
    fn deep_copy(value: &JsValue) -> JsValue;
}

#[wasm_bindgen(module = "/src/web/liveness.js")]
extern "C" {
    #[allow(dead_code)]
    fn attend(tell: &JsValue) -> JsValue;
}

#[wasm_bindgen(module = "/src/web/run.js")]
extern "C" {
    #[wasm_bindgen(js_name = abortContext)]
    pub fn abort_context(context: &JsValue, text: &str);
    /// Scripts' tools are run by this function from now on.
    #[wasm_bindgen(js_name = setGuard)]
    pub fn set_guard(guard: &JsValue);
    #[wasm_bindgen(js_name = newHooks)]
    pub fn new_hooks(
        returned: &JsValue,
        threw: &JsValue,
        progressed: &JsValue,
        asked: &JsValue,
        logged: &JsValue,
    ) -> JsValue;
    #[wasm_bindgen(js_name = begunTool)]
    pub fn begun_tool(params: &JsValue) -> JsValue;
    pub fn caller(via: &str, client: &JsValue, capabilities: &JsValue) -> JsValue;
    pub fn reply(context: &JsValue, key: &str, went_well: bool, value: &JsValue);
    pub fn invoke(
        tool: &JsValue,
        arguments: &JsValue,
        run: u32,
        hooks: &JsValue,
        caller: &JsValue,
        params: &JsValue,
        signal: &JsValue,
    ) -> u32;
    #[wasm_bindgen(js_name = takeOutcome)]
    pub fn take_outcome() -> JsValue;
}

#[wasm_bindgen(module = "/src/web/seal.js")]
extern "C" {
    #[wasm_bindgen(js_name = newSealer)]
    pub fn new_sealer(sealer: &JsValue, lifetime: f64) -> JsValue;
    pub fn seal(sealer: &JsValue, caller: &str, text: &str, bound: &JsValue, done: &JsValue);
    pub fn open(sealer: &JsValue, caller: &str, sealed: &str, bound: &JsValue, done: &JsValue);
}
