//! Hints about a tool, between MCP's words and WebMCP's.
//!
//! Nothing is invented: a hint nobody gave stays away, and `null` counts as not given.

use crate::json::{Json, Key, put};

/// The hints WebMCP knows, in the order browsers list them.
const WEBMCP: [Key; 4] = [Key::ConsequentialHint, Key::Debugging, Key::ReadOnlyHint, Key::UntrustedContentHint];

/// A tool's annotations as WebMCP takes them; `None` if none of the hints has a meaning there.
///
/// An explicit `destructiveHint: true` becomes `consequentialHint: true`. Its default does not count:
/// MCP's default is true, and would flag nearly every tool.
pub fn to_webmcp<J: Json>(annotations: &J) -> Option<J> {
    let destructive = flag(annotations, Key::DestructiveHint) == Some(true);
    let mut hints = Vec::new();
    for key in WEBMCP {
        let given = flag(annotations, key);
        let value = if key == Key::ConsequentialHint && destructive { Some(true) } else { given };
        put(&mut hints, key, value.map(J::bool));
    }
    if hints.is_empty() { None } else { Some(J::object(&hints)) }
}

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
    fn only_an_explicit_destructive_hint_is_consequential() {
        assert_eq!(to_webmcp(&json!({ "destructiveHint": true })), Some(json!({ "consequentialHint": true })));
        assert_eq!(to_webmcp(&json!({ "destructiveHint": false })), None);
        assert_eq!(
            to_webmcp(&json!({ "destructiveHint": true, "consequentialHint": false })),
            Some(json!({ "consequentialHint": true })),
        );
        assert_eq!(to_webmcp(&json!({ "consequentialHint": false })), Some(json!({ "consequentialHint": false })));
    }

    #[test]
    fn c08_null_is_absent_and_foreign_words_do_not_travel() {
        assert_eq!(to_webmcp(&json!({ "readOnlyHint": null, "openWorldHint": true, "futureHint": 1 })), None);
        assert_eq!(to_webmcp(&json!({ "readOnlyHint": "yes" })), None);
        assert_eq!(to_webmcp(&json!({})), None);
        assert_eq!(to_webmcp(&Value::Null), None);
    }

    #[test]
    fn hints_webmcp_shares_travel_as_they_are() {
        let hints = json!({ "debugging": true, "readOnlyHint": false, "untrustedContentHint": true });
        assert_eq!(to_webmcp(&hints), Some(hints));
    }

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
