//! Tool names: which ones the registry takes, and a name it takes for each one it refuses.
//!
//! A substitute is the name with every refused character replaced, followed by a checksum of the
//! whole name, so `"a b"` and `"a:b"` do not meet. It depends on nothing but the name, so it is the
//! same after every reload. Should it be in use already, another checksum is taken; the table
//! remembers which name stands for which.

use super::refusal::{Holder, Refusal};
use crate::core::code::Code;
use crate::core::digits::{decimal, digits};
use crate::core::slots::{Index, Slots};
use std::rc::Rc;

/// The longest name the registry takes.
pub const MAX_NAME_LENGTH: usize = 128;

/// Length of `-` and the checksum behind it.
const TAIL: usize = 1 + CHECKSUM;
const CHECKSUM: usize = 10;

/// Whether the registry takes the name as it is: 1 to 128 of `A-Z a-z 0-9 _ . -`.
pub fn is_carriable(name: &str) -> bool {
    (1..=MAX_NAME_LENGTH).contains(&name.len()) && name.bytes().all(is_carriable_byte)
}

fn is_carriable_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// The text with refused characters replaced and no longer than `length`.
pub(super) fn sanitise(text: &str, length: usize) -> String {
    let kept = |c: char| u8::try_from(c).is_ok_and(is_carriable_byte);
    text.chars().take(length).map(|c| if kept(c) { c } else { '_' }).collect()
}

/// A carriable stand-in for any name; each `round` gives another one.
pub fn substitute(name: &str, round: u32) -> String {
    let mut hash = fnv(fnv(OFFSET, name.as_bytes()), &round.to_le_bytes());
    let mut text = sanitise(name, MAX_NAME_LENGTH - TAIL);
    text.push('-');
    for _ in 0..CHECKSUM {
        text.push(char::from_digit((hash % 36) as u32, 36).unwrap_or('-'));
        hash /= 36;
    }
    text
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a: small, and the same in every build, which the standard hasher does not promise.
fn fnv(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Which registered name stands for which tool. No two tools ever share one.
#[derive(Debug, Default)]
pub struct Names {
    /// The tools registered under their own names.
    own: Index,
    /// The tools that have substitutes, by these, and the substitutes by tool.
    tools: Slots<Rc<str>>,
    substitutes: Slots<Rc<str>>,
}

impl Names {
    /// The table for a set of names, whatever order they come in: names the registry takes go first.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut sorted: Vec<&str> = names.into_iter().collect();
        sorted.sort_unstable_by_key(|name| (!is_carriable(name), *name));
        let mut table = Names::default();
        for name in sorted {
            table.assign(&Rc::from(name));
        }
        table
    }

    /// The registered name of a tool; one that has a name keeps it.
    pub fn assign(&mut self, tool: &Rc<str>) -> Rc<str> {
        if self.own.contains(&tool.into()) {
            return tool.clone();
        }
        if let Some(name) = self.substitutes.get(&tool.into()) {
            return name.clone();
        }
        let name = self.free_name(tool);
        if name == *tool {
            self.own.insert(tool.into());
        } else {
            self.tools.insert((&name).into(), tool.clone());
            self.substitutes.insert(tool.into(), name.clone());
        }
        name
    }

    /// The same where substitutes are not wanted: the name itself or the reason why not.
    pub fn assign_exact(&mut self, tool: &Rc<str>) -> Result<Rc<str>, Refusal> {
        if !is_carriable(tool) {
            return Err(Refusal::new(Code::NameNotCarriable, not_carriable(tool)));
        }
        if let Some(other) = self.tools.get(&tool.into()) {
            let reason = ["The name '", tool, "' stands for the tool '", other, "'."].concat();
            return Err(Refusal::taken(reason, Holder::Bridge));
        }
        self.forget_substitute(tool);
        self.own.insert(tool.into());
        Ok(tool.clone())
    }

    /// The tool a registered name stands for.
    pub fn tool<'a>(&'a self, registered: &'a Rc<str>) -> Option<&'a Rc<str>> {
        self.tools.get(&registered.into()).or_else(|| self.own.contains(&registered.into()).then_some(registered))
    }

    /// Frees the registered name of a tool.
    pub fn forget(&mut self, tool: &Rc<str>) {
        if self.own.remove(&tool.into()).is_none() {
            self.forget_substitute(tool);
        }
    }

    fn forget_substitute(&mut self, tool: &Rc<str>) {
        if let Some(name) = self.substitutes.remove(&tool.into()) {
            self.tools.remove(&(&name).into());
        }
    }

    fn is_taken(&self, name: &Rc<str>) -> bool {
        self.own.contains(&name.into()) || self.tools.contains(&name.into())
    }

    fn free_name(&self, tool: &Rc<str>) -> Rc<str> {
        let mut name = tool.clone();
        let mut round = 0;
        while !is_carriable(&name) || self.is_taken(&name) {
            name = substitute(tool, round).into();
            round += 1;
        }
        name
    }
}

fn not_carriable(name: &str) -> String {
    if name.is_empty() {
        return "A tool's name must not be empty.".to_owned();
    }
    let refused = |c: &char| !u8::try_from(*c).is_ok_and(is_carriable_byte);
    match name.chars().find(refused) {
        Some(c) => {
            // What may not be visible is shown by its number.
            let c = if matches!(c, ' '..='~') { c.into() } else { ["\\u{", &digits(c.into(), 16), "}"].concat() };
            ["The name '", name, "' contains '", &c, "'; only A-Z, a-z, 0-9, '_', '.' and '-' are accepted."].concat()
        }
        None => {
            let (length, limit) = (decimal(name.len() as u64), decimal(MAX_NAME_LENGTH as u64));
            ["The name is ", &length, " characters long; at most ", &limit, " are accepted."].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    #[test]
    fn c07_which_names_the_registry_takes() {
        for name in ["a".repeat(128).as_str(), "a.b-c_D9", "-", ".", "...", "0", "__proto__"] {
            assert!(is_carriable(name), "{name}");
        }
        for name in ["", "a\u{200b}b", "t\u{43e}ol", "a\u{ff0d}b", "a b", "a:b", "a/b", &"a".repeat(129)] {
            assert!(!is_carriable(name), "{name}");
        }
    }

    #[test]
    fn c07_a_blank_and_a_colon_do_not_meet() {
        let names = Names::of(["a b", "a:b", "a_b"]);
        assert_eq!((names.own.len(), names.tools.len()), (1, 2));
        assert_eq!(names.tool(&"a_b".into()).map(|tool| &**tool), Some("a_b"));
    }

    #[test]
    fn a_substitute_reads_like_the_name_and_is_the_same_in_every_build() {
        assert_eq!(substitute("a b", 0), substitute("a b", 0));
        assert!(substitute("a b", 0).starts_with("a_b-"));
        assert_ne!(substitute("a b", 0), substitute("a b", 1));
        assert_eq!(substitute(&"\u{e9}".repeat(500), 0).len(), MAX_NAME_LENGTH);
    }

    #[test]
    fn a_name_in_use_as_a_substitute_gets_one_of_its_own() {
        let mut names = Names::default();
        let mapped = names.assign(&Rc::from("a b"));
        let other = names.assign(&mapped);
        assert_ne!(mapped, other);
        assert_eq!(names.tool(&mapped).map(|tool| &**tool), Some("a b"));
        assert_eq!(names.assign_exact(&mapped).map_err(|refusal| refusal.code), Err(Code::NameTaken));
        names.forget(&Rc::from("a b"));
        assert_eq!(names.assign_exact(&mapped), Ok(mapped.clone()));
        assert_eq!(names.tool(&other), None);
    }

    #[test]
    fn the_reason_names_the_offending_character_or_the_length() {
        let reason = |name: &str| Names::default().assign_exact(&Rc::from(name)).err().map(|refusal| refusal.reason);
        assert!(reason("a b").is_some_and(|text| text.contains("' '")));
        assert!(reason(&"a".repeat(129)).is_some_and(|text| text.contains("129")));
        assert!(reason("").is_some_and(|text| text.contains("empty")));
    }

    proptest! {
        #[test]
        fn any_set_of_names_maps_without_collision_and_back(set in btree_set("[ -~\u{e9}\u{4e2d}]{0,140}", 0..30)) {
            let names = Names::of(set.iter().map(String::as_str));
            prop_assert_eq!(names.own.len() + names.tools.len(), set.len());
            for (registered, tool) in names.tools.iter() {
                prop_assert!(registered.name().is_some_and(|name| is_carriable(name)));
                prop_assert!(registered.name().is_some_and(|name| !names.own.contains(&name.into())));
                prop_assert!(set.contains(&**tool));
            }
        }

        #[test]
        fn carriable_names_stay_and_the_table_depends_on_the_set_alone(set in btree_set("[a-c .:-]{1,4}", 0..30)) {
            // A set that contains its own substitutes is the hard case.
            let mut hard: Vec<String> = set.iter().cloned().collect();
            hard.extend(set.iter().map(|name| substitute(name, 0)));
            let forward = Names::of(hard.iter().map(String::as_str));
            let backward = Names::of(hard.iter().rev().map(String::as_str));
            prop_assert_eq!(forward.substitutes.len(), backward.substitutes.len());
            for name in &hard {
                let id = name.as_str().into();
                prop_assert_eq!(forward.substitutes.get(&id), backward.substitutes.get(&id));
                prop_assert_eq!(forward.own.contains(&id), is_carriable(name));
            }
        }
    }
}
