//! What is wrong with a schema.

use super::doc::Unread;
use std::fmt;

/// The sort of what is wrong with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `$schema` names a dialect that is not honoured.
    Dialect,
    /// A keyword has a value it cannot have.
    Keyword,
    /// A reference leads nowhere.
    Dangling,
    /// A reference leads to another document. None is ever fetched.
    Remote,
    /// A regular expression does not compile.
    Pattern,
    /// A schema refers to itself without going deeper into the value.
    Endless,
    /// The schema is not JSON.
    NotJson,
    /// The schema is larger than the limits allow.
    TooLarge,
}

/// A schema that cannot be used: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    /// The sort of fault.
    pub fault: Fault,
    /// The JSON Pointer of the place in the schema.
    pub at: String,
    /// A sentence about it that ends without a full stop.
    pub message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "at #{}: {}", self.at, self.message)
    }
}

impl std::error::Error for SchemaError {}

impl From<Unread> for SchemaError {
    fn from(unread: Unread) -> Self {
        let (fault, at, message) = match unread {
            Unread::NotJson(at) => (Fault::NotJson, at, "this has no form in JSON"),
            Unread::Nesting => (Fault::TooLarge, String::new(), "the schema is nested too deeply"),
            Unread::Values => (Fault::TooLarge, String::new(), "there are too many values in the schema"),
        };
        SchemaError { fault, at, message: message.to_owned() }
    }
}
