//! Hints about other people's tools, in MCP's words.
//!
//! Nothing is invented: a hint nobody gave stays away, and `null` counts as not given.

use crate::json::{Json, Key};

/// The hints WebMCP knows, in the order browsers list them.
const WEBMCP: [Key; 4] = [Key::ConsequentialHint, Key::Debugging, Key::ReadOnlyHint, Key::UntrustedContentHint];

/// The annotations of a tool somebody else registered, in MCP's words.
///
/// The browser fills in `false` for every hint its author left out, so four times `false` says
/// nothing. `debugging` is a filter and not a hint; [`is_debugging`] reads it.
pub fn from_webmcp<J: Json>(annotations: &J) -> Option<J> {
    let mut hints = Vec::new();
    let mut says_something = false;
    for key in WEBMCP {
        let Some(value) = flag(annotations, key) else { continue };
        says_something = says_something || value;
        if key == Key::Debugging {
            continue;
        }
        hints.push((key, J::bool(value)));
        // The other direction would claim that a tool is harmless, which nobody said.
        if key == Key::ConsequentialHint && value {
            hints.push((Key::DestructiveHint, J::bool(true)));
        }
    }
    if hints.is_empty() || !says_something { None } else { Some(J::object(&hints)) }
}

/// Whether a tool is meant for people who debug the page.
pub fn is_debugging<J: Json>(annotations: &J) -> bool {
    flag(annotations, Key::Debugging) == Some(true)
}

fn flag<J: Json>(annotations: &J, key: Key) -> Option<bool> {
    annotations.get(key)?.as_bool()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn b14_four_times_false_says_nothing() {
        let silent = json!({ "consequentialHint": false, "debugging": false, "readOnlyHint": false, "untrustedContentHint": false });
        assert_eq!(from_webmcp(&silent), None);
        assert_eq!(from_webmcp(&json!({})), None);
        assert_eq!(from_webmcp(&Value::Null), None);
    }

    #[test]
    fn two_complementary_triples_come_back() {
        assert_eq!(
            from_webmcp(&json!({ "consequentialHint": true, "readOnlyHint": false, "untrustedContentHint": true })),
            Some(
                json!({ "consequentialHint": true, "destructiveHint": true, "readOnlyHint": false, "untrustedContentHint": true })
            ),
        );
        assert_eq!(
            from_webmcp(&json!({ "consequentialHint": false, "readOnlyHint": true, "untrustedContentHint": false })),
            Some(json!({ "consequentialHint": false, "readOnlyHint": true, "untrustedContentHint": false })),
        );
    }

    #[test]
    fn adopted_annotations_lose_only_debugging() {
        let hints = json!({ "debugging": true, "readOnlyHint": true });
        assert!(is_debugging(&hints));
        assert_eq!(from_webmcp(&hints), Some(json!({ "readOnlyHint": true })));
        assert_eq!(from_webmcp(&json!({ "debugging": true })), None);
        assert!(!is_debugging(&json!({ "debugging": "true" })));
    }
}
