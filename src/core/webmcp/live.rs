//! Adopted tools that follow the registry: what came, went and changed between two listings.

use super::adopt::{Adopted, Filter, Listed, select};
use super::digest::digest;
use super::handles::{Handles, Place};
use super::records::sorted;
use super::refusal::Refusal;
use crate::core::slots::{Index, Slots};
use crate::json::Json;
use std::rc::Rc;

/// The tools adopted so far, by the place each one comes from.
#[derive(Debug, Default)]
pub struct Live {
    handles: Handles,
    /// Each tool's place, and the checksum of its JSON text as it was adopted.
    known: Slots<(Place, u64)>,
}

/// What a new listing brings.
#[derive(Clone, Debug)]
pub struct Difference<J> {
    /// Tools that are new.
    pub added: Vec<Adopted<J>>,
    /// Tools that were there and are not the same any more. Their names are.
    pub changed: Vec<Adopted<J>>,
    /// Tools that are as they were; their records are fresh ones, the old ones may be stale.
    pub same: Vec<Adopted<J>>,
    /// The names of tools that are gone.
    pub removed: Vec<Rc<str>>,
    /// The records that cannot be used, and why.
    pub aside: Vec<(usize, Refusal)>,
}

impl<J> Difference<J> {
    /// Whether every tool is as it was.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

impl Live {
    /// Takes in a new listing. Tools we published stay out whatever the filter says: they would come
    /// back to where they came from, and go round for ever.
    pub fn update<J: Json>(&mut self, listing: &[Listed<J>], filter: &Filter) -> Difference<J> {
        let mut filter = filter.clone();
        filter.own = false;
        let selection = select(listing, &filter);
        let mut present = Index::default();
        for (_, _, place) in &selection.places {
            present.insert(place.id());
        }
        // The order of a hash table is no order to announce things in.
        let mut gone = Vec::new();
        for (id, (place, _)) in self.known.iter() {
            if let Some(name) = id.name().filter(|_| !present.contains(id)) {
                gone.push((place.window, name.clone()));
            }
        }
        // What is gone frees its name first, for what comes.
        let mut removed = Vec::new();
        for id in sorted(gone) {
            if let Some((place, _)) = self.known.remove(&(&id).into())
                && let Some(name) = self.handles.forget(&place)
            {
                removed.push(name);
            }
        }
        let adoption = selection.adopt(&filter, &mut self.handles);
        let aside = adoption.aside;
        let mut difference = Difference { added: vec![], changed: vec![], same: vec![], removed, aside };
        for tool in adoption.tools {
            let text = tool.dictionary.to_text().ok().and_then(|text| text.as_string());
            let digest = digest(&text.unwrap_or_default());
            let list = match self.known.get(&tool.place.id()) {
                None => &mut difference.added,
                Some((_, known)) if *known != digest => &mut difference.changed,
                Some(_) => &mut difference.same,
            };
            self.known.insert(tool.place.id(), (tool.place.clone(), digest));
            list.push(tool);
        }
        difference
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const HOME: &str = "https://home.example";

    fn listed(window: u32, name: &str, description: &str) -> Listed<Value> {
        let record = json!({ "name": name, "description": description });
        Listed { record, window, origin: HOME.into(), authored: None }
    }

    fn names(tools: &[Adopted<Value>]) -> Vec<&str> {
        tools.iter().map(|tool| &*tool.name).collect()
    }

    fn update(live: &mut Live, listing: &[Listed<Value>]) -> Difference<Value> {
        live.update(listing, &Filter::new(0, HOME))
    }

    #[test]
    fn s4_c_18_a_listing_is_compared_with_the_one_before() {
        let mut live = Live::default();
        let first = update(&mut live, &[listed(0, "a", "1"), listed(0, "b", "1")]);
        assert_eq!(names(&first.added), ["a", "b"]);
        let second = update(&mut live, &[listed(0, "x", "1"), listed(0, "b", "2"), listed(0, "a", "1")]);
        assert_eq!(
            (names(&second.added), names(&second.changed), names(&second.same)),
            (vec!["x"], vec!["b"], vec!["a"])
        );
        assert_eq!(second.same[0].index, 2, "the record to call from now on");
        let third = update(&mut live, &[listed(0, "b", "2")]);
        assert_eq!(third.removed.iter().map(|name| &**name).collect::<Vec<_>>(), ["a", "x"]);
        assert!(third.added.is_empty() && third.changed.is_empty());
    }

    #[test]
    fn c15_an_equal_listing_is_no_news() {
        let mut live = Live::default();
        let listing = [listed(0, "a", "1"), listed(1, "a", "1")];
        assert!(!update(&mut live, &listing).is_empty());
        assert!(update(&mut live, &listing).is_empty());
    }

    #[test]
    fn c16_what_we_published_never_comes_back() {
        let own = Listed { authored: Some(json!({ "name": "a" })), ..listed(0, "a", "1") };
        assert!(update(&mut Live::default(), &[own]).is_empty());
    }

    #[test]
    fn a_frame_that_goes_and_one_that_comes_in_one_listing() {
        let mut live = Live::default();
        update(&mut live, &[listed(1, "a", "1")]);
        let difference = update(&mut live, &[listed(2, "a", "1")]);
        assert_eq!(names(&difference.added), ["a"]);
        assert_eq!(difference.removed.len(), 1);
    }

    #[test]
    fn names_stay_when_another_frame_brings_the_same() {
        let mut live = Live::default();
        update(&mut live, &[listed(1, "a", "1")]);
        let difference = update(&mut live, &[listed(0, "a", "1"), listed(1, "a", "1")]);
        assert_eq!((names(&difference.added), names(&difference.same)), (vec!["a-2"], vec!["a"]));
    }
}
