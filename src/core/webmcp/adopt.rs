//! Other people's tools as the registry lists them: which to take, and what each one is to us.
//!
//! Records are written by pages we know nothing of. Nothing in one can spoil another: what cannot be
//! used is set aside with the reason.

use super::annotations;
use super::handles::{Handles, Place};
use super::origins;
use super::project::{self, Dictionary};
use super::refusal::Refusal;
use crate::core::code::Code;
use crate::core::slots::Index;
use crate::json::{Json, Key, Kind, put};
use std::rc::Rc;

/// One tool of the registry's listing.
#[derive(Clone, Debug)]
pub struct Listed<J> {
    /// The record, or whatever can be read of it.
    pub record: J,
    /// Stands for the window it lives in.
    pub window: u32,
    /// The origin the browser vouches for.
    pub origin: Rc<str>,
    /// The dictionary it was published from, if we published it.
    pub authored: Option<J>,
}

/// Which tools to take.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Stands for the window that asks.
    pub window: u32,
    /// The origin that asks.
    pub origin: Rc<str>,
    /// Whether tools we published are taken.
    pub own: bool,
    /// Whether tools of other windows of the same origin are taken.
    pub frames: bool,
    /// Whether tools meant for people who debug the page are taken.
    pub debugging: bool,
    /// Whether the origin that asks is left out, unless it is named.
    pub only: bool,
    named: Vec<String>,
}

impl Filter {
    /// Everything the origin that asks has, but what is for debugging.
    pub fn new(window: u32, origin: impl Into<Rc<str>>) -> Self {
        let (origin, named) = (origin.into(), Vec::new());
        Filter { window, origin, own: true, frames: true, debugging: false, only: false, named }
    }

    /// Takes the tools of these origins too. The error names one that is not a secure origin.
    pub fn with_origins<J: Dictionary>(mut self, origins: &[String]) -> Result<Self, Refusal> {
        self.named.append(&mut origins::exposure::<J, _>(origins)?);
        Ok(self)
    }

    fn takes<J: Json>(&self, listed: &Listed<J>) -> bool {
        let hints = |tool: &J| tool.get(Key::Annotations).is_some_and(|hints| annotations::is_debugging(&hints));
        let is_named = || self.named.iter().any(|origin| **origin == *listed.origin);
        if (!self.own && listed.authored.is_some()) || (!self.debugging && hints(&listed.record)) {
            return false;
        }
        if listed.origin != self.origin {
            return is_named();
        }
        (self.frames || listed.window == self.window) && (!self.only || is_named())
    }
}

/// A tool that was taken.
#[derive(Clone, Debug)]
pub struct Adopted<J> {
    /// Where it comes from; its name there included.
    pub place: Place,
    /// The name it has here, which no other adopted tool has.
    pub name: Rc<str>,
    /// Which record of the listing it is.
    pub index: usize,
    /// Whether we published it.
    pub own: bool,
    /// The tool as a dictionary, all but `execute`.
    pub dictionary: J,
    /// What is wrong with it, though it can be used.
    pub flaw: Option<Refusal>,
}

/// What came of a listing.
#[derive(Clone, Debug)]
pub struct Adoption<J> {
    /// The tools, in the registry's order.
    pub tools: Vec<Adopted<J>>,
    /// The records that cannot be used, and why.
    pub aside: Vec<(usize, Refusal)>,
}

/// Takes what the filter lets through. `handles` gives the names, and remembers them for the next listing.
pub fn adopt<J: Json>(listing: &[Listed<J>], filter: &Filter, handles: &mut Handles) -> Adoption<J> {
    select(listing, filter).adopt(filter, handles)
}

/// The records that can be used, each with its place.
pub(super) struct Selection<'a, J> {
    pub places: Vec<(usize, &'a Listed<J>, Place)>,
    aside: Vec<(usize, Refusal)>,
}

pub(super) fn select<'a, J: Json>(listing: &'a [Listed<J>], filter: &Filter) -> Selection<'a, J> {
    let mut selection = Selection { places: Vec::new(), aside: Vec::new() };
    let mut seen = Index::default();
    for (index, listed) in listing.iter().enumerate().filter(|(_, listed)| filter.takes(listed)) {
        let name = listed.record.text(Key::Name).unwrap_or_default();
        let place = Place { window: listed.window, origin: listed.origin.clone(), name: name.into() };
        let reason = if place.name.is_empty() {
            "The record has no name.".to_owned()
        } else if seen.insert(place.id()) {
            selection.places.push((index, listed, place));
            continue;
        } else {
            ["The same document has another tool '", &place.name, "'."].concat()
        };
        selection.aside.push((index, Refusal::new(Code::InvalidResponse, reason)));
    }
    selection
}

impl<J: Json> Selection<'_, J> {
    pub fn adopt(self, filter: &Filter, handles: &mut Handles) -> Adoption<J> {
        handles.assign(filter.window, &filter.origin, self.places.iter().map(|(_, _, place)| place));
        let mut tools = Vec::new();
        for (index, listed, place) in self.places {
            let name = handles.get(&place).cloned().unwrap_or_else(|| place.name.clone());
            let (dictionary, flaw) = read(listed, &name);
            tools.push(Adopted { place, name, index, own: listed.authored.is_some(), dictionary, flaw });
        }
        Adoption { tools, aside: self.aside }
    }
}

fn read<J: Json>(listed: &Listed<J>, name: &str) -> (J, Option<Refusal>) {
    let mut members = vec![(Key::Name, J::string(name))];
    if let Some(authored) = &listed.authored {
        // The registry keeps only a part of what its author gave.
        for key in
            [Key::Title, Key::Description, Key::InputSchema, Key::OutputSchema, Key::Annotations, Key::Icons, Key::Meta]
        {
            put(&mut members, key, authored.some(key));
        }
        return (J::object(&members), None);
    }
    let record = &listed.record;
    for key in [Key::Title, Key::Description] {
        put(&mut members, key, project::string(record, key));
    }
    let mut flaw = None;
    for key in [Key::InputSchema, Key::OutputSchema] {
        match schema(record, key) {
            Ok(schema) => put(&mut members, key, schema),
            Err(reason) => {
                let reason = [key.name(), ": ", &reason].concat();
                flaw = Some(Refusal::new(Code::SchemaNotSerialisable, reason));
            }
        }
    }
    let hints = record.some(Key::Annotations).and_then(|hints| annotations::from_webmcp(&hints));
    put(&mut members, Key::Annotations, hints);
    (J::object(&members), flaw)
}

/// A schema in any of the forms browsers have given it: an object, its text, an empty text, nothing.
fn schema<J: Json>(record: &J, key: Key) -> Result<Option<J>, String> {
    let Some(given) = record.some(key) else { return Ok(None) };
    let schema = match given.kind() {
        Kind::String if given.as_string().is_some_and(|text| text.bytes().all(|byte| byte <= b' ')) => return Ok(None),
        Kind::String => given.parse_text().ok_or("a text that is not JSON.")?,
        _ => given,
    };
    if !schema.is_object() {
        return Err("not an object.".to_owned());
    }
    // Elsewhere than in a browser's own listing it may hold anything.
    schema.to_text()?;
    Ok(Some(schema))
}

#[cfg(test)]
mod tests {
    use super::super::odd::Odd;
    use super::*;
    use serde_json::{Value, json};

    const HOME: &str = "https://home.example";
    const SHOP: &str = "https://shop.example";

    fn listed(window: u32, origin: &str, record: impl Into<Odd>) -> Listed<Odd> {
        Listed { record: record.into(), window, origin: origin.into(), authored: None }
    }

    fn filter() -> Filter {
        Filter::new(0, HOME)
    }

    fn taken(listing: &[Listed<Odd>], filter: &Filter) -> Vec<String> {
        let adoption = adopt(listing, filter, &mut Handles::default());
        adoption.tools.iter().map(|tool| tool.name.to_string()).collect()
    }

    fn only(record: impl Into<Odd>) -> Adopted<Odd> {
        adopt(&[listed(0, HOME, record)], &filter(), &mut Handles::default()).tools.remove(0)
    }

    fn dictionary(record: impl Into<Odd>) -> Value {
        only(record).dictionary.to_value().unwrap()
    }

    #[test]
    fn c20_a_schema_in_every_form_browsers_gave_it() {
        let object = json!({ "type": "object" });
        for form in [object.clone(), json!("{\"type\":\"object\"}")] {
            assert_eq!(dictionary(json!({ "name": "a", "inputSchema": form }))["inputSchema"], object);
        }
        for form in [json!(""), json!(null)] {
            let tool = only(json!({ "name": "a", "inputSchema": form }));
            assert_eq!((tool.dictionary.get(Key::InputSchema), tool.flaw), (None, None));
        }
        for form in [json!("{\"type\":"), json!("[]"), json!(5), json!([])] {
            let tool = only(json!({ "name": "a", "inputSchema": form }));
            assert_eq!(tool.dictionary.get(Key::InputSchema), None);
            assert_eq!(tool.flaw.map(|flaw| flaw.code), Some(Code::SchemaNotSerialisable));
        }
        let cyclic = Odd::Object(vec![("name".to_owned(), Odd::string("a")), ("inputSchema".to_owned(), Odd::Cycle)]);
        assert!(only(cyclic).flaw.is_some_and(|flaw| flaw.reason.contains("contains itself")));
    }

    #[test]
    fn what_is_absent_stays_absent_and_so_do_the_nulls_of_chrome_160() {
        let nulls = json!({ "inputSchema": null, "outputSchema": null, "annotations": null });
        let of_156 = json!({ "name": "a", "description": "d", "title": "" });
        assert_eq!(dictionary(of_156.clone()), json!({ "name": "a", "description": "d" }));
        assert_eq!(dictionary(of_156.merged(&nulls)), json!({ "name": "a", "description": "d" }));
    }

    #[test]
    fn b14_hints_of_others_are_read_with_care_and_our_own_are_what_we_gave() {
        let silent = json!({ "readOnlyHint": false, "consequentialHint": false, "untrustedContentHint": false, "debugging": false });
        let record = json!({ "name": "a", "description": "d", "annotations": silent });
        assert_eq!(dictionary(record.clone()).get("annotations"), None);
        let authored = json!({
            "name": "a b", "description": "d", "annotations": { "idempotentHint": true }, "icons": [], "_meta": { "k": 1 }, "other": 1,
        });
        let own = Listed { authored: Some(authored.into()), ..listed(0, HOME, record) };
        let tool = adopt(&[own], &filter(), &mut Handles::default()).tools.remove(0);
        assert!(tool.own);
        assert_eq!(
            tool.dictionary.to_value(),
            Ok(
                json!({ "name": "a", "description": "d", "annotations": { "idempotentHint": true }, "icons": [], "_meta": { "k": 1 } })
            ),
        );
    }

    #[test]
    fn s1_6_38_debugging_tools_are_taken_on_request() {
        let hints = |debugging: Value| json!({ "readOnlyHint": true, "debugging": debugging });
        let listing = [
            listed(0, HOME, json!({ "name": "a", "annotations": hints(json!(true)) })),
            listed(0, HOME, json!({ "name": "b", "annotations": hints(json!(false)) })),
            listed(0, HOME, json!({ "name": "c" })),
        ];
        assert_eq!(taken(&listing, &filter()), ["b", "c"]);
        let debugging = Filter { debugging: true, ..filter() };
        assert_eq!(taken(&listing, &debugging), ["a", "b", "c"]);
        let tool = adopt(&listing, &debugging, &mut Handles::default()).tools.remove(0);
        assert_eq!(
            tool.dictionary.get(Key::Annotations).map(|hints| hints.to_value()),
            Some(Ok(json!({ "readOnlyHint": true })))
        );
    }

    #[test]
    fn c11_b13_frames_and_origins_are_taken_as_asked() {
        let own =
            Listed { authored: Some(json!({ "name": "own" }).into()), ..listed(0, HOME, json!({ "name": "own" })) };
        let listing = [
            own,
            listed(0, HOME, json!({ "name": "page" })),
            listed(1, HOME, json!({ "name": "ping" })),
            listed(2, SHOP, json!({ "name": "pong" })),
            listed(3, "https://other.example", json!({ "name": "other" })),
        ];
        let shop = || filter().with_origins::<Value>(&["https://Shop.example/path".to_owned()]).unwrap();
        assert_eq!(taken(&listing, &filter()), ["own", "page", "ping"]);
        assert_eq!(taken(&listing, &Filter { own: false, ..filter() }), ["page", "ping"]);
        assert_eq!(taken(&listing, &Filter { frames: false, ..filter() }), ["own", "page"]);
        assert_eq!(taken(&listing, &shop()), ["own", "page", "ping", "pong"]);
        assert_eq!(taken(&listing, &Filter { frames: false, ..shop() }), ["own", "page", "pong"]);
        assert_eq!(taken(&listing, &Filter { only: true, ..shop() }), ["pong"]);
        assert_eq!(
            taken(&listing, &Filter { only: true, ..shop().with_origins::<Value>(&[HOME.to_owned()]).unwrap() }).len(),
            4
        );
        let refused = filter().with_origins::<Value>(&["http://x".to_owned()]);
        assert_eq!(refused.map_err(|refusal| refusal.code).err(), Some(Code::OriginRefused));
    }

    #[test]
    fn a_page_of_an_opaque_origin_adopts_its_own() {
        assert_eq!(taken(&[listed(0, "null", json!({ "name": "a" }))], &Filter::new(0, "null")), ["a"]);
    }

    #[test]
    fn c12_equal_names_in_two_frames_are_told_apart() {
        let listing = [listed(1, HOME, json!({ "name": "greet" })), listed(0, HOME, json!({ "name": "greet" }))];
        let adoption = adopt(&listing, &filter(), &mut Handles::default());
        let found: Vec<_> = adoption.tools.iter().map(|tool| (&*tool.name, &*tool.place.name, tool.index)).collect();
        assert_eq!(found, [("greet-2", "greet", 0), ("greet", "greet", 1)]);
    }

    #[test]
    fn hostile_records_are_set_aside_one_by_one() {
        let listing = [
            listed(0, HOME, Odd::Undefined),
            listed(0, HOME, json!({ "name": 5 })),
            listed(0, HOME, json!({ "name": "" })),
            listed(0, HOME, json!({ "name": "a", "title": 5, "description": [], "annotations": "x" })),
            listed(0, HOME, json!({ "name": "a" })),
            listed(0, HOME, Odd::Foreign("a function")),
        ];
        let adoption = adopt(&listing, &filter(), &mut Handles::default());
        assert_eq!(adoption.aside.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0, 1, 2, 4, 5]);
        assert_eq!(adoption.tools[0].dictionary.to_value(), Ok(json!({ "name": "a" })));
    }
}
