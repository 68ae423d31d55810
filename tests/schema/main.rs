//! The validator for JSON Schema, from outside: the official suite, schemas from the wild, another
//! validator's opinion, and its bounds.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod bounds;
mod field;
mod patterns;
mod random;
mod samples;
mod suite;

use modelport::core::schema::{Limits, Schema, SchemaError};
use serde_json::Value;

fn compile(schema: &Value) -> Result<Schema, SchemaError> {
    Schema::compile(schema, &patterns::Native, &Limits::default())
}
