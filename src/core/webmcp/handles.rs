//! Names for adopted tools: the registry may list one name several times, once for each frame.

use super::names::{MAX_NAME_LENGTH, is_carriable, sanitise};
use std::collections::HashMap;
use std::rc::Rc;

/// Where a tool lives and what it is called there. No two tools share one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Stands for the window.
    pub window: u32,
    /// The window's origin.
    pub origin: Rc<str>,
    /// The tool's name in that window.
    pub name: Rc<str>,
}

/// Which adopted tool has which name. A tool keeps its name as long as it is there.
#[derive(Debug, Default)]
pub struct Handles {
    names: HashMap<Place, Rc<str>>,
    places: HashMap<Rc<str>, Place>,
}

impl Handles {
    /// Names every place that has no name yet.
    ///
    /// A name that is free is taken as it is, first by the window that asks. What else has it is told
    /// apart by its host, if the origin is another one, or by a number in the order of the frames.
    pub fn assign<'a>(&mut self, window: u32, origin: &str, places: impl Iterator<Item = &'a Place>) {
        let nameless = places.filter(|place| !self.names.contains_key(place));
        let (near, far): (Vec<_>, Vec<_>) = nameless.partition(|place| place.window == window);
        // No made-up name may stand in the way of a real one, so those come last.
        let mut doubles = Vec::new();
        for place in near.into_iter().chain(far) {
            if self.places.contains_key(&place.name) {
                doubles.push(place);
            } else {
                self.give(place, place.name.clone());
            }
        }
        for place in doubles {
            let name = self.free_name(place, origin);
            self.give(place, name);
        }
    }

    /// The name of a place.
    pub fn get(&self, place: &Place) -> Option<&Rc<str>> {
        self.names.get(place)
    }

    /// Frees the name of a place.
    pub fn forget(&mut self, place: &Place) -> Option<Rc<str>> {
        let name = self.names.remove(place)?;
        self.places.remove(&name);
        Some(name)
    }

    fn give(&mut self, place: &Place, name: Rc<str>) {
        self.names.insert(place.clone(), name.clone());
        self.places.insert(name, place.clone());
    }

    fn free_name(&self, place: &Place, origin: &str) -> Rc<str> {
        let host = if *place.origin == *origin { None } else { host(&place.origin) };
        let by_host = host.iter().map(|host| format!("-{host}"));
        let numbers = (2u64..).map(|number| match &host {
            Some(host) => format!("-{host}-{number}"),
            None => format!("-{number}"),
        });
        let names = by_host.chain(numbers).map(|tail| join(&place.name, &tail));
        // As many numbers as there are names, and one, cannot all be in use.
        names.map(Rc::from).take(self.places.len() + 2).find(|name| !self.places.contains_key(name)).unwrap_or_default()
    }
}

/// The host of an origin as part of a name, no longer than leaves room for the name.
fn host(origin: &str) -> Option<String> {
    let (_, host) = origin.split_once("://")?;
    let host = sanitise(host, MAX_NAME_LENGTH / 2);
    if host.is_empty() { None } else { Some(host) }
}

fn join(name: &str, tail: &str) -> String {
    let room = MAX_NAME_LENGTH.saturating_sub(tail.len());
    let head = if is_carriable(name) { name.chars().take(room).collect() } else { sanitise(name, room) };
    head + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: &str = "https://home.example";

    fn place(window: u32, origin: &str, name: &str) -> Place {
        Place { window, origin: origin.into(), name: name.into() }
    }

    fn named(handles: &mut Handles, places: &[Place]) -> Vec<String> {
        handles.assign(0, HOME, places.iter());
        places.iter().map(|place| handles.get(place).unwrap().to_string()).collect()
    }

    #[test]
    fn c12_the_window_that_asks_keeps_its_names_and_frames_are_numbered() {
        let places = [place(1, HOME, "greet"), place(0, HOME, "greet"), place(2, HOME, "greet")];
        assert_eq!(named(&mut Handles::default(), &places), ["greet-2", "greet", "greet-3"]);
    }

    #[test]
    fn other_origins_are_told_apart_by_their_host() {
        let shop = "https://shop.example:8443";
        let places = [place(0, HOME, "greet"), place(1, shop, "greet"), place(2, shop, "greet"), place(3, shop, "pay")];
        let names = ["greet", "greet-shop.example_8443", "greet-shop.example_8443-2", "pay"];
        assert_eq!(named(&mut Handles::default(), &places), names);
    }

    #[test]
    fn a_made_up_name_never_displaces_a_real_one() {
        let places = [place(0, HOME, "a"), place(1, HOME, "a"), place(1, HOME, "a-2")];
        assert_eq!(named(&mut Handles::default(), &places), ["a", "a-3", "a-2"]);
    }

    #[test]
    fn a_tool_keeps_its_name_when_others_come_and_go() {
        let mut handles = Handles::default();
        let (top, frame) = (place(0, HOME, "a"), place(1, HOME, "a"));
        assert_eq!(named(&mut handles, std::slice::from_ref(&frame)), ["a"]);
        assert_eq!(named(&mut handles, &[top.clone(), frame.clone()]), ["a-2", "a"]);
        assert_eq!(handles.forget(&frame).as_deref(), Some("a"));
        assert_eq!(named(&mut handles, std::slice::from_ref(&top)), ["a-2"]);
        assert_eq!(handles.forget(&frame), None);
    }

    #[test]
    fn long_names_leave_room_for_what_tells_them_apart() {
        let long = "n".repeat(128);
        let far = format!("https://{}.example", "h".repeat(200));
        let places = [place(0, HOME, &long), place(1, HOME, &long), place(2, &far, &long), place(3, "null", &long)];
        let names = named(&mut Handles::default(), &places);
        assert!(names.iter().all(|name| is_carriable(name)), "{names:?}");
        assert_eq!(names.iter().collect::<std::collections::HashSet<_>>().len(), 4);
    }
}
