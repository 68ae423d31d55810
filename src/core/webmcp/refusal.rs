//! Why a tool is not in the registry: what we find out beforehand and what the registry says.

use crate::core::code::Code;

/// Who has a name that is taken, as far as one can tell by looking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holder {
    /// A script of the document, whatever it is: nothing else was found.
    #[default]
    Script,
    /// A form of the document whose attributes make it a tool.
    Form,
    /// A bridge of ours, be it another one of this document or even of another copy of this package.
    Bridge,
}

impl Holder {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Holder::Script => "script",
            Holder::Form => "form",
            Holder::Bridge => "bridge",
        }
    }
}

/// The reason one tool is not registered.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// What kind of reason; the part to branch on.
    pub code: Code,
    /// A sentence for people.
    pub reason: String,
    /// Who has the name, if it is taken.
    pub by: Holder,
}

impl Refusal {
    /// A refusal in our own words.
    pub fn new(code: Code, reason: impl Into<String>) -> Self {
        Refusal { code, reason: reason.into(), by: Holder::default() }
    }

    /// Somebody has the name.
    pub fn taken(reason: impl Into<String>, by: Holder) -> Self {
        Refusal { by, ..Refusal::new(Code::NameTaken, reason) }
    }

    /// What an exception of `registerTool` means.
    ///
    /// The exception's name decides. Its text, which no specification fixes, is looked at only where
    /// the registry uses one name for several reasons. `with_origins` tells whether the registration
    /// named origins.
    pub fn from_exception(name: &str, message: &str, with_origins: bool) -> Self {
        let says = |words: &[&str]| words.iter().any(|word| contains(message, word));
        let code = match name {
            "NotAllowedError" => Code::BlockedByPolicy,
            "InvalidStateError" if says(&["duplicate", "already"]) => Code::NameTaken,
            "InvalidStateError" if says(&["description"]) => Code::DescriptionMissing,
            "InvalidStateError" if says(&["tool name", "invalid name"]) => Code::NameNotCarriable,
            "InvalidStateError" if says(&["active", "detached"]) => Code::NotActive,
            "SecurityError" if says(&["domain", "keyed", "agent cluster"]) => Code::NotOriginKeyed,
            "SecurityError" if with_origins || says(&["exposedto", "secure origin"]) => Code::OriginRefused,
            "SecurityError" => Code::NotOriginKeyed,
            "TypeError" if says(&["'description'"]) => Code::DescriptionMissing,
            // Everything else we hand over is text and booleans; only a schema can fail to convert.
            "TypeError" | "RangeError" | "DataCloneError" => Code::SchemaNotSerialisable,
            _ => Code::RegistryFailed,
        };
        let reason = match (name.is_empty(), message.is_empty()) {
            (_, false) => message.to_owned(),
            (false, true) => name.to_owned(),
            (true, true) => "The registry refused the tool and gave no reason.".to_owned(),
        };
        Refusal::new(code, reason)
    }

    /// Whether only another tool can cure this, so that trying the same one again is pointless.
    pub fn is_lasting(&self) -> bool {
        matches!(self.code, Code::DescriptionMissing | Code::NameNotCarriable | Code::SchemaNotSerialisable)
    }

    /// Whether the name is held by somebody else, who may let go of it.
    pub fn is_blocked(&self) -> bool {
        self.code == Code::NameTaken
    }
}

/// Whether a text contains a word, in capitals or not. The search of `str` is many times the code.
fn contains(text: &str, word: &str) -> bool {
    text.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(name: &str, message: &str, with_origins: bool) -> Code {
        Refusal::from_exception(name, message, with_origins).code
    }

    #[test]
    fn c09_gates_are_told_apart_and_never_taken_for_a_taken_name() {
        let policy = "Access to the feature \"tools\" is disallowed by permissions policy.";
        let domain = "document.modelContext cannot be used when document.domain is enabled.";
        assert_eq!(code("NotAllowedError", policy, false), Code::BlockedByPolicy);
        assert_eq!(code("NotAllowedError", "Duplicate tool name", false), Code::BlockedByPolicy);
        assert_eq!(code("SecurityError", domain, false), Code::NotOriginKeyed);
        assert_eq!(code("SecurityError", domain, true), Code::NotOriginKeyed);
        assert_eq!(code("InvalidStateError", "The document is not active.", false), Code::NotActive);
    }

    #[test]
    fn b1_a_duplicate_is_a_taken_name() {
        assert_eq!(code("InvalidStateError", "Duplicate tool name", false), Code::NameTaken);
    }

    #[test]
    fn b10_name_and_description() {
        assert_eq!(code("InvalidStateError", "Invalid tool name", false), Code::NameNotCarriable);
        assert_eq!(code("InvalidStateError", "Description is required", false), Code::DescriptionMissing);
        let missing =
            "Failed to read the 'description' property from 'ModelContextTool': Required member is undefined.";
        assert_eq!(code("TypeError", missing, false), Code::DescriptionMissing);
    }

    #[test]
    fn b9_a_schema_that_has_no_json_form() {
        assert_eq!(code("TypeError", "Converting circular structure to JSON", false), Code::SchemaNotSerialisable);
        assert_eq!(code("TypeError", "Failed to convert value to 'object'.", false), Code::SchemaNotSerialisable);
    }

    #[test]
    fn b22_an_origin_the_registry_refuses() {
        let text = "Only secure origins are allowed in the exposedTo list.";
        assert_eq!(code("SecurityError", text, true), Code::OriginRefused);
        assert_eq!(code("SecurityError", "worded anew", true), Code::OriginRefused);
        assert_eq!(code("SecurityError", "worded anew", false), Code::NotOriginKeyed);
    }

    #[test]
    fn what_is_not_known_is_a_failure_of_the_registry_and_never_without_words() {
        for name in ["UnknownError", "AbortError", "InvalidStateError", ""] {
            let refusal = Refusal::from_exception(name, "", false);
            assert_eq!(refusal.code, Code::RegistryFailed);
            assert!(!refusal.reason.is_empty());
        }
    }

    #[test]
    fn only_what_the_tool_itself_causes_is_lasting() {
        assert!(Refusal::new(Code::DescriptionMissing, "").is_lasting());
        assert!(!Refusal::new(Code::NameTaken, "").is_lasting());
        assert!(Refusal::new(Code::NameTaken, "").is_blocked());
        assert!(!Refusal::new(Code::BlockedByPolicy, "").is_lasting());
    }
}
