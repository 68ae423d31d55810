//! The regular expressions of ECMA-262 by a native engine that stops when it has gone back too often.

use modelport::core::schema::{Pattern, Patterns};

pub struct Native;

struct Compiled(fancy_regex::Regex);

impl Patterns for Native {
    fn compile(&self, pattern: &str) -> Result<Box<dyn Pattern>, String> {
        let regex = fancy_regex::RegexBuilder::new(&translated(pattern)).backtrack_limit(100_000).build();
        regex.map(|regex| Box::new(Compiled(regex)) as Box<dyn Pattern>).map_err(|error| error.to_string())
    }
}

impl Pattern for Compiled {
    fn is_match(&self, text: &str) -> Result<bool, String> {
        self.0.is_match(text).map_err(|error| error.to_string())
    }
}

/// What means something else to the engine than to ECMA-262: the classes of letters, and sets within sets.
fn translated(pattern: &str) -> String {
    let mut out = String::new();
    let mut chars = pattern.chars();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        match (c, in_class) {
            ('\\', _) => match (chars.next(), in_class) {
                (Some('d'), false) => out += "[0-9]",
                (Some('d'), true) => out += "0-9",
                (Some('D'), _) => out += "[^0-9]",
                (Some('w'), false) => out += "[A-Za-z0-9_]",
                (Some('w'), true) => out += "A-Za-z0-9_",
                (Some('W'), _) => out += "[^A-Za-z0-9_]",
                (Some('s'), false) => out += "[\\s\\u{FEFF}]",
                (Some('s'), true) => out += "\\s\\u{FEFF}",
                (Some('S'), _) => out += "[^\\s\\u{FEFF}]",
                (Some('/'), _) => out.push('/'),
                (Some(other), _) => out.extend(['\\', other]),
                (None, _) => out.push('\\'),
            },
            ('[', false) => {
                in_class = true;
                out.push('[');
            }
            (']', true) => {
                in_class = false;
                out.push(']');
            }
            ('[' | '&' | '~', true) => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

#[test]
fn classes_are_those_of_ecma_262() {
    let is_match = |pattern, text| Native.compile(pattern).unwrap().is_match(text).unwrap();
    assert!(!is_match("^\\d$", "߀"));
    assert!(!is_match("^\\w$", "é"));
    assert!(is_match("^[[&]$", "["));
    assert!(is_match("^(?=a)\\S+$", "ab"));
}
