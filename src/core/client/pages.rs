//! Following a paged list without being led round in circles.

use super::super::code::Code;
use super::super::error::Error;
use super::super::limits::Limits;
use super::super::slots::Index;
use crate::json::{Json, Key, Kind};

/// Collects the entries of a list over its pages; entries of the same name count once.
pub struct Pages<J> {
    member: Key,
    /// The member that tells entries apart.
    name: Key,
    limits: Limits,
    entries: Vec<J>,
    names: Index,
    cursors: Index,
}

impl<J: Json> Pages<J> {
    /// For a list whose pages hold their entries under `member`.
    pub fn new(member: Key, limits: Limits) -> Self {
        let name = match member {
            Key::Resources => Key::Uri,
            Key::ResourceTemplates => Key::UriTemplate,
            _ => Key::Name,
        };
        Pages { member, name, limits, entries: Vec::new(), names: Index::default(), cursors: Index::default() }
    }

    /// Takes a page; gives the cursor of the next one, or `None` after the last.
    pub fn take(&mut self, page: &J) -> Result<Option<String>, Error> {
        let Some(entries) = page.get(self.member).and_then(|entries| entries.items()) else {
            return Err(Error::new(Code::InvalidResponse, ["the page has no array of ", self.member.name()].concat()));
        };
        for entry in entries {
            // A broken entry is left out so that it does not hide the others.
            let Some(name) = entry.text(self.name) else { continue };
            if self.names.insert(name.as_str().into()) {
                self.entries.push(entry);
            }
        }
        if self.entries.len() > self.limits.list_entries {
            return Err(Error::new(Code::InvalidResponse, "the list is longer than the limit list_entries"));
        }
        // The empty string is a cursor like any other; `null` is what some servers send for "no more".
        let Some(cursor) = page.get(Key::NextCursor).filter(|cursor| cursor.kind() != Kind::Null) else {
            return Ok(None);
        };
        let Some(cursor) = cursor.as_string() else {
            return Err(Error::new(Code::InvalidResponse, "nextCursor is not a string"));
        };
        if !self.cursors.insert(cursor.as_str().into()) {
            return Err(Error::new(Code::InvalidResponse, "the list's cursors go round in a circle"));
        }
        if self.cursors.len() >= self.limits.list_pages {
            return Err(Error::new(Code::InvalidResponse, "the list has more pages than the limit list_pages"));
        }
        Ok(Some(cursor))
    }

    /// What was collected, in the order it came.
    pub fn into_entries(self) -> Vec<J> {
        self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn pages(limits: Limits) -> Pages<Value> {
        Pages::new(Key::Tools, limits)
    }

    #[test]
    fn entries_come_once_over_several_pages() {
        let mut pages = pages(Limits::default());
        assert_eq!(
            pages.take(&json!({ "tools": [{ "name": "a" }, { "name": "b" }], "nextCursor": "" })),
            Ok(Some(String::new()))
        );
        assert_eq!(
            pages.take(&json!({ "tools": [{ "name": "b" }, { "x": 1 }, { "name": "c" }], "nextCursor": null })),
            Ok(None)
        );
        assert_eq!(pages.into_entries(), [json!({ "name": "a" }), json!({ "name": "b" }), json!({ "name": "c" })]);
    }

    #[test]
    fn circles_and_endless_lists_are_refused() {
        let mut circle = pages(Limits::default());
        assert!(circle.take(&json!({ "tools": [], "nextCursor": "x" })).is_ok());
        assert_eq!(circle.take(&json!({ "tools": [], "nextCursor": "x" })).unwrap_err().code, Code::InvalidResponse);
        let mut endless = pages(Limits { list_pages: 3, ..Limits::default() });
        assert!(endless.take(&json!({ "tools": [], "nextCursor": "1" })).is_ok());
        assert!(endless.take(&json!({ "tools": [], "nextCursor": "2" })).is_ok());
        assert!(endless.take(&json!({ "tools": [], "nextCursor": "3" })).is_err());
        assert!(pages(Limits::default()).take(&json!({ "tools": {} })).is_err());
    }
}
