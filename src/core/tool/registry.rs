//! The registry of tools behind a `ToolManager`: names to tools in the order they were added, and
//! a log of which names changed, so that a follower reads no more than that.

use super::definition::{Tool, legacy};
use crate::core::revision::Era;
use crate::core::slots::{Index, Slots};
use crate::json::Json;
use std::cell::OnceCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// How many changes the log keeps. A follower that is further behind reads everything.
const LOG: usize = 4_096;

/// One change: what left a name and what came to it. Both for a replacement.
pub struct Change<J, H> {
    /// The tool that is gone.
    pub removed: Option<Rc<Tool<J, H>>>,
    /// The tool that is new.
    pub added: Option<Rc<Tool<J, H>>>,
}

/// What changed since a version.
#[derive(Debug, PartialEq)]
pub enum Changes {
    /// These names, each once, in the order they last changed.
    Names(Vec<Rc<str>>),
    /// More than the log holds.
    Everything,
}

struct Entry<J, H> {
    tool: Rc<Tool<J, H>>,
    serial: u64,
}

/// Tools by name.
pub struct Registry<J, H> {
    /// In the order they were added, with gaps where tools were removed.
    tools: Vec<Option<Entry<J, H>>>,
    places: Slots<usize>,
    version: u64,
    log: VecDeque<Rc<str>>,
    /// For the stateless era, and for the handshake's.
    listings: [OnceCell<J>; 2],
}

impl<J: Json, H> Default for Registry<J, H> {
    fn default() -> Self {
        Registry {
            tools: Vec::new(),
            places: Slots::default(),
            version: 0,
            log: VecDeque::new(),
            listings: Default::default(),
        }
    }
}

impl<J: Json, H> Registry<J, H> {
    /// Adds a tool. One of the same name is replaced in place. The number names this very addition.
    pub fn add(&mut self, tool: Tool<J, H>) -> (u64, Change<J, H>) {
        let tool = Rc::new(tool);
        self.changed(tool.name().clone());
        let serial = self.version;
        let entry = Some(Entry { tool: tool.clone(), serial });
        let removed = match self.place(tool.name()).and_then(|place| self.tools.get_mut(place)) {
            Some(slot) => std::mem::replace(slot, entry),
            None => {
                self.places.insert(tool.name().into(), self.tools.len());
                self.tools.push(entry);
                None
            }
        };
        (serial, Change { removed: removed.map(|entry| entry.tool), added: Some(tool) })
    }

    /// Removes a tool by name; `None` if there is none.
    pub fn remove(&mut self, name: &str) -> Option<Change<J, H>> {
        let place = self.places.remove(&name.into())?;
        let removed = self.tools.get_mut(place)?.take()?.tool;
        self.changed(removed.name().clone());
        if self.tools.len() > 2 * self.places.len() + 16 {
            self.close_gaps();
        }
        Some(Change { removed: Some(removed), added: None })
    }

    /// Removes every tool.
    pub fn clear(&mut self) -> Vec<Change<J, H>> {
        let mut changes = Vec::new();
        for entry in std::mem::take(&mut self.tools).into_iter().flatten() {
            self.places.remove(&entry.tool.name().into());
            self.changed(entry.tool.name().clone());
            changes.push(Change { removed: Some(entry.tool), added: None });
        }
        changes
    }

    /// The tool of that name.
    pub fn get(&self, name: &str) -> Option<&Rc<Tool<J, H>>> {
        Some(&self.entry(name)?.tool)
    }

    /// Which addition put the tool of that name there.
    pub fn serial(&self, name: &str) -> Option<u64> {
        Some(self.entry(name)?.serial)
    }

    /// Every tool, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Tool<J, H>>> {
        self.tools.iter().flatten().map(|entry| &entry.tool)
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// A number that rises with every change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Which names changed since `version`.
    pub fn changes_since(&self, version: u64) -> Changes {
        let behind = self.version.saturating_sub(version);
        if behind > self.log.len() as u64 {
            return Changes::Everything;
        }
        let mut seen = Index::default();
        let mut names = Vec::new();
        for name in self.log.iter().rev().take(behind as usize) {
            if seen.insert(name.into()) {
                names.push(name.clone());
            }
        }
        names.reverse();
        Changes::Names(names)
    }

    /// The array `tools/list` shows, made once per version. A tool that JSON cannot carry is left
    /// out here and shown by [`Registry::unlistable`], so that it hides no other.
    pub fn listing(&self, era: Era) -> &J {
        let is_legacy = era == Era::Handshake;
        let [stateless, handshake] = &self.listings;
        (if is_legacy { handshake } else { stateless }).get_or_init(|| {
            let mut tools = Vec::new();
            for tool in self.iter() {
                if let Ok(listing) = tool.listing() {
                    tools.push(if is_legacy { legacy(listing) } else { listing.clone() });
                }
            }
            J::array(tools)
        })
    }

    /// Whether a [`Registry::listing`] was made already, so that none needs anybody's code any more.
    pub fn is_listed(&self) -> bool {
        self.listings.iter().any(|listing| listing.get().is_some())
    }

    /// The tools that `tools/list` cannot show, each with the reason.
    pub fn unlistable(&self) -> Vec<(Rc<str>, String)> {
        let mut unlistable = Vec::new();
        for tool in self.iter() {
            if let Err(reason) = tool.listing() {
                unlistable.push((tool.name().clone(), reason.to_owned()));
            }
        }
        unlistable
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.places.get(&name.into()).copied()
    }

    fn entry(&self, name: &str) -> Option<&Entry<J, H>> {
        self.tools.get(self.place(name)?)?.as_ref()
    }

    fn close_gaps(&mut self) {
        self.tools.retain(Option::is_some);
        for (place, entry) in self.tools.iter().flatten().enumerate() {
            self.places.insert(entry.tool.name().into(), place);
        }
    }

    fn changed(&mut self, name: Rc<str>) {
        self.version += 1;
        self.log.push_back(name);
        if self.log.len() > LOG {
            self.log.pop_front();
        }
        self.listings = Default::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn tool(name: &str, title: &str) -> Tool<Value, u32> {
        Tool::new(json!({ "name": name, "title": title }), 0).unwrap()
    }

    fn names(registry: &Registry<Value, u32>) -> Vec<String> {
        registry.iter().map(|tool| tool.name().to_string()).collect()
    }

    fn changed(registry: &Registry<Value, u32>, version: u64) -> Vec<String> {
        let Changes::Names(names) = registry.changes_since(version) else { panic!("log too short") };
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn a_replacement_keeps_its_place_and_a_return_goes_last() {
        let mut registry = Registry::default();
        for name in ["a", "b", "c"] {
            registry.add(tool(name, "1"));
        }
        let (_, change) = registry.add(tool("a", "2"));
        assert!(change.removed.is_some() && change.added.is_some());
        assert_eq!(names(&registry), ["a", "b", "c"]);
        assert_eq!(registry.get("a").unwrap().dictionary()["title"], "2");
        assert!(registry.remove("a").is_some());
        assert!(registry.remove("a").is_none());
        registry.add(tool("a", "3"));
        assert_eq!(names(&registry), ["b", "c", "a"]);
    }

    #[test]
    fn gaps_close_and_the_order_stays() {
        let mut registry = Registry::default();
        for number in 0..200 {
            registry.add(tool(&number.to_string(), ""));
        }
        for number in (0..200).filter(|number| number % 10 != 0) {
            registry.remove(&number.to_string());
        }
        assert!(registry.tools.len() < 100);
        assert_eq!(names(&registry).len(), 20);
        assert_eq!(names(&registry)[..3], ["0", "10", "20"]);
        assert!(registry.get("190").is_some() && registry.get("191").is_none());
    }

    #[test]
    fn each_addition_has_a_number_of_its_own() {
        let mut registry = Registry::default();
        let (first, _) = registry.add(tool("a", ""));
        let (second, _) = registry.add(tool("a", ""));
        assert_ne!(first, second);
        assert_eq!(registry.serial("a"), Some(second));
        registry.remove("a");
        assert_eq!(registry.serial("a"), None);
    }

    #[test]
    fn the_log_names_each_changed_name_once() {
        let mut registry = Registry::default();
        registry.add(tool("a", ""));
        let version = registry.version();
        registry.add(tool("b", ""));
        registry.add(tool("c", ""));
        registry.remove("b");
        assert_eq!(changed(&registry, version), ["c", "b"]);
        assert_eq!(changed(&registry, registry.version()), Vec::<String>::new());
        registry.clear();
        assert_eq!(changed(&registry, version), ["b", "a", "c"]);
    }

    #[test]
    fn a_follower_far_behind_reads_everything() {
        let mut registry = Registry::default();
        for _ in 0..=LOG {
            registry.add(tool("a", ""));
        }
        assert_eq!(registry.changes_since(0), Changes::Everything);
        assert_eq!(registry.changes_since(1), Changes::Names(vec!["a".into()]));
    }

    #[test]
    fn c36_one_odd_tool_hides_no_other() {
        let mut registry = Registry::default();
        let mut names = vec![];
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        for entry in std::fs::read_dir(folder).unwrap() {
            let Ok(text) = std::fs::read_to_string(entry.unwrap().path()) else { continue };
            let Ok(sample) = serde_json::from_str::<Value>(&text) else { continue };
            names.push(sample["tool"]["name"].clone());
            registry.add(Tool::new(sample["tool"].clone(), 0).unwrap());
            registry.add(tool("good", ""));
        }
        assert!(names.len() > 10);
        names.insert(1, json!("good"));
        for era in [Era::Stateless, Era::Handshake] {
            let listing = registry.listing(era).as_array().unwrap();
            assert_eq!(listing.iter().map(|shown| shown["name"].clone()).collect::<Vec<_>>(), names);
            assert!(listing.iter().all(|shown| shown["inputSchema"]["type"] == "object"));
        }
    }

    #[test]
    fn the_listing_follows_changes() {
        let mut registry = Registry::default();
        registry.add(tool("a", "A"));
        assert_eq!(registry.listing(Era::Stateless)[0]["title"], "A");
        registry.add(tool("a", "B"));
        assert_eq!(registry.listing(Era::Handshake)[0]["title"], "B");
        registry.add(tool("a", "C"));
        assert_eq!(registry.listing(Era::Handshake)[0]["title"], "C");
        registry.clear();
        assert_eq!(registry.listing(Era::Stateless), &json!([]));
    }
}
