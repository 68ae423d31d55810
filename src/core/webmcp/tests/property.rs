//! Random histories of two managers, a stranger and a registry, against what the rules predict.

use super::world::{Entry, World};
use crate::core::code::Code;
use crate::core::webmcp::names::{is_carriable, substitute};
use crate::core::webmcp::{Describe, Dictionary, Input, Offer, Options, origins};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use std::rc::Rc;

const NAMES: [&str; 7] = ["a", "b", "c", "d", "a b", "a:b", ""];

#[derive(Clone, Debug)]
enum Act {
    Add { manager: u32, name: usize, description: &'static str },
    Remove { manager: u32, name: usize },
    Clear { manager: u32 },
    Publish { manager: u32, origins: usize, map_names: bool, strict: bool },
    Foreign { name: usize },
    Refuse { name: usize, code: Option<Code> },
    Arrive { choice: usize },
    Destroy,
}

fn act() -> impl Strategy<Value = Act> {
    let name = 0..NAMES.len();
    let description = prop_oneof![3 => Just("one"), 3 => Just("two"), 1 => Just("")];
    let code = prop_oneof![Just(None), Just(Some(Code::RegistryFailed)), Just(Some(Code::NameTaken))];
    prop_oneof![
        8 => (1u32..=2, name.clone(), description).prop_map(|(manager, name, description)| Act::Add { manager, name, description }),
        4 => (1u32..=2, name.clone()).prop_map(|(manager, name)| Act::Remove { manager, name }),
        1 => (1u32..=2).prop_map(|manager| Act::Clear { manager }),
        4 => (1u32..=2, 0usize..4, any::<bool>(), any::<bool>())
            .prop_map(|(manager, origins, map_names, strict)| Act::Publish { manager, origins, map_names, strict }),
        3 => name.clone().prop_map(|name| Act::Foreign { name }),
        2 => (name, code).prop_map(|(name, code)| Act::Refuse { name, code }),
        14 => any::<usize>().prop_map(|choice| Act::Arrive { choice }),
        1 => prop_oneof![9 => Just(Act::Arrive { choice: 0 }), 1 => Just(Act::Destroy)],
    ]
}

fn origin_list(choice: usize) -> Option<Rc<[String]>> {
    let list = |origins: &[&str]| Some(origins.iter().map(|origin| origin.to_string()).collect());
    match choice {
        0 => None,
        1 => list(&["https://a.example"]),
        2 => list(&["https://b.example", "https://A.example:443/x"]),
        _ => list(&["https://a.example", "http://b.example"]),
    }
}

fn offer(name: &str, description: &str) -> Offer<serde_json::Value> {
    Offer::new(name, json!({ "name": name, "description": description }))
}

/// What was published last, if it still stands, and how many publications there were.
#[derive(Default)]
struct History {
    last: Option<(u32, Options)>,
    publications: usize,
    destroyed: bool,
    refused: bool,
}

fn play(world: &mut World, history: &mut History, act: Act) {
    match act {
        Act::Add { manager, name, description } => world.add(manager, offer(NAMES[name], description)),
        Act::Remove { manager, name } => world.remove(manager, NAMES[name]),
        Act::Clear { manager } => world.clear(manager),
        Act::Publish { manager, origins, map_names, strict } => {
            let options = Options { origins: origin_list(origins), map_names, strict, ..Options::default() };
            history.publications += 1;
            if origins < 3 && !history.destroyed {
                history.last = Some((manager, options.clone()));
            }
            world.publish(manager, options);
        }
        Act::Foreign { name } => world.foreign(&registered(NAMES[name])),
        Act::Refuse { name, code } => {
            let name = registered(NAMES[name]);
            history.refused = true;
            match code {
                Some(code) => drop(world.refusing.insert(name, code)),
                None => drop(world.refusing.remove(&name)),
            }
        }
        Act::Arrive { choice } => drop(world.arrive(choice)),
        Act::Destroy => {
            history.destroyed = true;
            world.step(Input::Destroy);
        }
    }
}

fn registered(name: &str) -> String {
    if is_carriable(name) { name.to_owned() } else { substitute(name, 0) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn every_history_ends_as_the_rules_predict(acts in vec(act(), 0..60)) {
        let (mut world, mut history) = (World::default(), History::default());
        for act in acts {
            let strangers = |world: &World| -> Vec<String> {
                world.registry.iter().filter(|(_, entry)| **entry == Entry::Foreign).map(|(name, _)| name.clone()).collect()
            };
            let (before, is_foreign) = (strangers(&world), matches!(act, Act::Foreign { .. }));
            play(&mut world, &mut history, act);
            prop_assert!(is_foreign || before == strangers(&world), "a stranger's tool was touched");
            world.check_ownership();
        }
        // A registry that recovers is believed at the next change.
        world.refusing.clear();
        if let Some((manager, _)) = history.last.as_ref().filter(|_| history.refused) {
            world.add(*manager, offer("last", "one"));
        }
        world.settle();
        world.check_ownership();

        prop_assert_eq!(world.settled.len(), history.publications);
        let ours: Vec<(&String, &Entry)> = world.registry.iter().filter(|(_, entry)| **entry != Entry::Foreign).collect();
        let Some((manager, options)) = history.last.filter(|_| !history.destroyed) else {
            prop_assert!(ours.is_empty());
            prop_assert_eq!(world.followed, None);
            return Ok(());
        };
        prop_assert_eq!(world.followed, Some(manager));
        let mut expected = 0;
        let status = world.bridge.status();
        let tools = world.managers.get(&manager).cloned().unwrap_or_default();
        for offer in &tools {
            let name = registered(offer.name());
            let carriable = options.map_names || is_carriable(offer.name());
            let carried = offer.dictionary().sketch().carried(Describe::Require).ok().filter(|_| carriable);
            let descriptor = carried.map(|carried| offer.dictionary().projected(&name, carried).unwrap());
            match (descriptor, world.registry.get(&name)) {
                (Some(descriptor), Some(Entry::Ours { registration, descriptor: found, origins: exposed })) => {
                    expected += 1;
                    prop_assert_eq!(&descriptor, found);
                    let exposure = |list: &Option<Rc<[String]>>| origins::exposure::<serde_json::Value, _>(list.as_deref().unwrap_or_default());
                    prop_assert_eq!(exposure(exposed), exposure(&options.origins));
                    let route = world.bridge.route(*registration).unwrap();
                    prop_assert_eq!((route.manager, route.tool), (manager, offer.name().clone()));
                    prop_assert!(status.registered.contains(offer.name()));
                }
                (Some(_), Some(Entry::Foreign)) => prop_assert!(status.blocked.iter().any(|(tool, _)| *tool == *offer.name())),
                (Some(_), None) => prop_assert!(false, "{} is not registered", offer.name()),
                (None, _) => prop_assert!(status.skipped.iter().any(|(tool, _)| *tool == *offer.name())),
            }
        }
        for name in NAMES.map(registered) {
            let (assigned, published) = (world.bridge.records.names.tool(&name.as_str().into()).is_some(), world.bridge.published(&name));
            prop_assert_eq!(assigned, published.is_some(), "{} is reserved for nobody", name);
        }
        prop_assert_eq!(ours.len(), expected);
        prop_assert_eq!(status.registered.len(), expected);
        prop_assert_eq!(status.skipped.len() + status.blocked.len() + expected, tools.len());
    }
}
