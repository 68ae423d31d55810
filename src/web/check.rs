//! The arguments of a tool in Rust against its schema, by the core's validator and the browser's `RegExp`.

use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::schema::{Limits, Pattern, Patterns, Schema};
use crate::json::Json;
use crate::web::error::describe;
use js_sys::{Array, Function, Reflect, RegExp};
use serde_json::Value;
use wasm_bindgen::prelude::*;

/// A schema that is ready to check.
pub struct Check {
    schema: Schema,
    limits: Limits,
}

impl Check {
    /// The check of a tool's own schema. The error says what is wrong with the schema, and where.
    pub fn new(schema: &Value) -> Result<Self, Error> {
        let limits = Limits::default();
        match Schema::compile(schema, &Browser, &limits) {
            Ok(schema) => Ok(Check { schema, limits }),
            Err(error) => Err(Error::new(Code::InvalidArgument, error.to_string())),
        }
    }

    /// What is wrong with the arguments, for a model to put right.
    pub fn complaint(&self, arguments: &JsValue) -> Option<String> {
        let value = match arguments.to_value() {
            Ok(value) => value,
            Err(reason) => return Some(reason),
        };
        let refusal = self.schema.check(&value, &self.limits).err()?;
        Some(["The tool did not run: its arguments do not fit.\n", &refusal.to_string()].concat())
    }
}

struct Browser;

impl Patterns for Browser {
    fn compile(&self, pattern: &str) -> Result<Box<dyn Pattern>, String> {
        let class = Reflect::get(&js_sys::global(), &JsValue::from_str("RegExp"));
        let class: Function = class.and_then(|class| class.dyn_into()).map_err(|thrown| describe(&thrown))?;
        // Constructed by hand, as a pattern that is none throws.
        let made = |flags: &str| Reflect::construct(&class, &Array::of2(&JsValue::from_str(pattern), &flags.into()));
        let made = made("u").or_else(|_| made("")).map_err(|thrown| describe(&thrown))?;
        Ok(Box::new(Expression(made.unchecked_into())))
    }
}

struct Expression(RegExp);

impl Pattern for Expression {
    fn is_match(&self, text: &str) -> Result<bool, String> {
        Ok(self.0.test(text))
    }
}
