//! What a check finds out about a value that does not pass.

use std::fmt;

/// One thing wrong with a value, told so that a language model can put it right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The JSON Pointer of the place in the value.
    pub at: String,
    /// The keyword that was not met; `false schema` where the schema is `false`.
    pub keyword: &'static str,
    /// The JSON Pointer of that keyword in the schema, behind all references.
    pub rule: String,
    /// What to do, such as `must be string, but is 3`; without a full stop.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at.as_str() {
            "" => write!(formatter, "the value {} (rule: #{})", self.message, self.rule),
            at => write!(formatter, "{at} {} (rule: #{})", self.message, self.rule),
        }
    }
}

/// Which limit ended a check that could not be finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// The value is nested too deeply.
    Nesting,
    /// There are too many values in it.
    Values,
    /// Too many subschemas were at work inside each other.
    Depth,
    /// It took too many steps.
    Steps,
    /// A text is too long to try a regular expression on.
    PatternText,
    /// The engine gave a regular expression up; why, in its own words.
    Pattern(String),
}

/// Why a value is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It breaks the schema.
    Invalid {
        /// What is wrong: at least one thing, unless the limit is none.
        failures: Vec<Failure>,
        /// Whether there may be more that is not told.
        more: bool,
    },
    /// The value at this JSON Pointer has no form in JSON.
    NotJson(String),
    /// Whether it meets the schema could not be found out within the limits.
    Exceeded(Exceeded),
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = match self {
            Refusal::Invalid { failures, more } => {
                for (place, failure) in failures.iter().enumerate() {
                    let before = if place > 0 { "; " } else { "" };
                    write!(formatter, "{before}{failure}")?;
                }
                return formatter.write_str(if *more { "; and there may be more" } else { "" });
            }
            Refusal::NotJson(at) => return write!(formatter, "{at} has no form in JSON"),
            Refusal::Exceeded(exceeded) => match exceeded {
                Exceeded::Nesting => "it is nested too deeply",
                Exceeded::Values => "there are too many values in it",
                Exceeded::Depth => "the schema goes too deep for it",
                Exceeded::Steps => "it takes too many steps",
                Exceeded::PatternText => "a text in it is too long for a regular expression",
                Exceeded::Pattern(why) => why,
            },
        };
        write!(formatter, "the value could not be checked against the schema: {limit}")
    }
}

impl std::error::Error for Refusal {}
