//! A validator for JSON Schema: 2020-12 unless a schema says otherwise, draft-07, and 2019-09 loosely.
//!
//! A schema is compiled once, and what is wrong with it is told then: no reference dangles and no
//! regular expression fails to compile while values are checked. Nothing is fetched and nothing is
//! evaluated as code. Schemas and values may come from strangers: every compilation and every check
//! is bounded by [`Limits`], and where a limit ends a check the answer says so and is never a pass.
//! `format` and `content…` are notes to the reader, as 2020-12 has it.

mod assert;
mod compile;
mod dialect;
mod doc;
mod endless;
mod equal;
mod error;
mod explain;
mod failure;
mod limits;
mod number;
mod parts;
mod pattern;
mod resources;
mod rule;
mod run;
mod types;
mod uri;

pub use error::{Fault, SchemaError};
pub use failure::{Exceeded, Failure, Refusal};
pub use limits::Limits;
pub use pattern::{Pattern, Patterns};

use crate::json::Json;
use doc::{Doc, Unread};

/// A compiled schema.
pub struct Schema {
    doc: Doc,
    nodes: Vec<rule::Node>,
    patterns: Vec<Box<dyn Pattern>>,
    /// Whether anything in it asks what has been evaluated.
    tracks: bool,
    /// The node that asks nothing.
    any: rule::Node,
}

impl Schema {
    /// Compiles a schema. The error says what is wrong with it, and where.
    pub fn compile<J: Json>(schema: &J, host: &dyn Patterns, limits: &Limits) -> Result<Schema, SchemaError> {
        Schema::of(Doc::read(schema, limits)?, host, limits)
    }

    fn of(doc: Doc, host: &dyn Patterns, limits: &Limits) -> Result<Schema, SchemaError> {
        let compiler = compile::Compiler::compile(&doc, host, limits)?;
        endless::refuse(&doc, &compiler.nodes)?;
        let (nodes, patterns, tracks) = (compiler.nodes, compiler.patterns, compiler.tracks);
        Ok(Schema { doc, nodes, patterns, tracks, any: rule::Node::default() })
    }

    /// Checks a value. The error says what is wrong with it, where, and by which rule, or why that
    /// could not be found out.
    pub fn check<J: Json>(&self, value: &J, limits: &Limits) -> Result<(), Refusal> {
        let doc = Doc::read(value, limits).map_err(|unread| match unread {
            Unread::NotJson(at) => Refusal::NotJson(at),
            Unread::Nesting => Refusal::Exceeded(Exceeded::Nesting),
            Unread::Values => Refusal::Exceeded(Exceeded::Values),
        })?;
        run::Run::check(self, &doc, limits)
    }
}
