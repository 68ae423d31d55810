//! Names for adopted tools: the registry may list one name several times, once for each frame.

use super::names::{MAX_NAME_LENGTH, is_carriable, sanitise};
use crate::core::digits::decimal;
use crate::core::message::Id;
use crate::core::slots::{Index, Slots};
use std::rc::Rc;

/// Where a tool lives and what it is called there. No two tools share one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Stands for the window.
    pub window: u32,
    /// The window's origin.
    pub origin: Rc<str>,
    /// The tool's name in that window.
    pub name: Rc<str>,
}

impl Place {
    /// What it is kept under in a table. No origin has a line break in it.
    pub(super) fn id(&self) -> Id {
        Id::from(&*[&decimal(self.window.into()), "\n", &self.origin, "\n", &self.name].concat())
    }
}

/// Which adopted tool has which name. A tool keeps its name as long as it is there.
#[derive(Debug, Default)]
pub struct Handles {
    /// The names by place.
    names: Slots<Rc<str>>,
    taken: Index,
}

impl Handles {
    /// Names every place that has no name yet.
    ///
    /// A name that is free is taken as it is, first by the window that asks. What else has it is told
    /// apart by its host, if the origin is another one, or by a number in the order of the frames.
    pub fn assign<'a>(&mut self, window: u32, origin: &str, places: impl Iterator<Item = &'a Place>) {
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for place in places {
            if self.get(place).is_none() {
                if place.window == window { near.push(place) } else { far.push(place) }
            }
        }
        near.append(&mut far);
        for place in &near {
            if !self.taken.contains(&(&place.name).into()) {
                self.give(place, place.name.clone());
            }
        }
        // No made-up name may stand in the way of a real one, so those come last.
        for place in near {
            if self.get(place).is_none() {
                self.give(place, self.free_name(place, origin));
            }
        }
    }

    /// The name of a place.
    pub fn get(&self, place: &Place) -> Option<&Rc<str>> {
        self.names.get(&place.id())
    }

    /// Frees the name of a place.
    pub fn forget(&mut self, place: &Place) -> Option<Rc<str>> {
        let name = self.names.remove(&place.id())?;
        self.taken.remove(&(&name).into());
        Some(name)
    }

    fn give(&mut self, place: &Place, name: Rc<str>) {
        self.taken.insert((&name).into());
        self.names.insert(place.id(), name);
    }

    fn free_name(&self, place: &Place, origin: &str) -> Rc<str> {
        let host = if *place.origin == *origin { None } else { host(&place.origin) };
        let host = host.map(|host| ["-", &host].concat()).unwrap_or_default();
        let (mut number, mut tail) = (1, host.clone());
        loop {
            let name: Rc<str> = join(&place.name, &tail).into();
            if !tail.is_empty() && !self.taken.contains(&(&name).into()) {
                return name;
            }
            number += 1;
            tail = [&host, "-", &decimal(number)].concat();
        }
    }
}

/// The host of an origin as part of a name, no longer than leaves room for the name.
fn host(origin: &str) -> Option<String> {
    let colon = origin.bytes().position(|byte| byte == b':')?;
    let host = sanitise(origin.get(colon..)?.strip_prefix("://")?, MAX_NAME_LENGTH / 2);
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
