//! A page in a test tube: managers, a registry that behaves as Chromium 156 does, and a bridge.

use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::machine::Machine;
use crate::core::webmcp::{Bridge, Dictionary, Effect, Input, Offer, Options, Refusal, Report};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// What the registry holds under a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    Ours { registration: u32, descriptor: Value, origins: Option<Rc<[String]>> },
    Foreign,
}

type Tools = Vec<Offer<Value>>;

#[derive(Default)]
pub struct World {
    pub bridge: Bridge<Value>,
    pub managers: HashMap<u32, Tools>,
    pub registry: BTreeMap<String, Entry>,
    /// The names in the registry after each change of it.
    pub seen: Vec<Vec<String>>,
    /// What the registry refuses for now, and why.
    pub refusing: HashMap<String, Code>,
    /// Answers of the registry that are under way.
    pub answers: Vec<(u32, Result<(), Refusal>)>,
    /// What the bridge wants to read.
    pub reads: Vec<(u32, Option<Vec<Rc<str>>>)>,
    pub settled: Vec<(u32, Report, Option<Error>)>,
    pub reports: Vec<Report>,
    /// The registrations that were asked for.
    pub asked: HashSet<u32>,
    pub followed: Option<u32>,
    pub toolchange: bool,
    pub prints: bool,
    released: HashSet<u32>,
    jobs: u32,
}

pub fn tool(name: &str, description: &str) -> Offer<Value> {
    Offer::new(name, json!({ "name": name, "description": description }))
}

impl World {
    pub fn step(&mut self, input: Input<Value>) {
        let mut effects = Vec::new();
        self.bridge.step(input, &mut effects);
        effects.into_iter().for_each(|effect| self.carry_out(effect));
    }

    /// A step whose effects nobody carries out.
    pub fn step_unheeded(&mut self, input: Input<Value>) {
        self.bridge.step(input, &mut Vec::new());
    }

    fn carry_out(&mut self, effect: Effect<Value>) {
        match effect {
            Effect::Follow { manager } => assert_eq!(self.followed.replace(manager), None),
            Effect::Unfollow { manager } => assert_eq!(self.followed.take(), Some(manager)),
            Effect::Read { manager, names } => self.reads.push((manager, names)),
            Effect::Register { registration, offer, name, carried, origins } => {
                assert!(self.asked.insert(registration));
                let descriptor = offer.dictionary().projected(&name, carried).unwrap();
                if self.bridge.wants(registration) {
                    self.register(registration, descriptor, origins);
                }
            }
            Effect::Release { registration } => {
                assert!(self.asked.contains(&registration) && self.released.insert(registration), "released twice");
                let ours = |entry: &Entry| matches!(entry, Entry::Ours { registration: r, .. } if *r == registration);
                if let Some(name) = self.registry.iter().find(|(_, entry)| ours(entry)).map(|(name, _)| name.clone()) {
                    self.registry.remove(&name);
                    self.registry_moved();
                }
            }
            Effect::Fingerprint => self.prints = true,
            Effect::Settled { job, report, failed } => {
                assert!(self.settled.iter().all(|(other, ..)| *other != job), "settled twice");
                self.settled.push((job, report, failed));
            }
            Effect::Followed { report } => self.reports.push(report),
        }
    }

    fn register(&mut self, registration: u32, descriptor: Value, origins: Option<Rc<[String]>>) {
        let name = descriptor["name"].as_str().unwrap().to_owned();
        let outcome = match (self.registry.get(&name), self.refusing.get(&name)) {
            (Some(Entry::Ours { .. }), _) => panic!("{name} is ours already"),
            (Some(Entry::Foreign), _) => {
                Err(Refusal::from_exception("InvalidStateError", "Duplicate tool name", false))
            }
            (None, Some(code)) => Err(Refusal::new(*code, "refused")),
            (None, None) => {
                self.registry.insert(name, Entry::Ours { registration, descriptor, origins });
                self.registry_moved();
                Ok(())
            }
        };
        self.answers.push((registration, outcome));
    }

    fn registry_moved(&mut self) {
        self.toolchange = true;
        self.seen.push(self.registry.keys().cloned().collect());
    }

    /// A stranger registers a name, if it is free, or lets go of it.
    pub fn foreign(&mut self, name: &str) {
        match self.registry.get(name) {
            None => drop(self.registry.insert(name.to_owned(), Entry::Foreign)),
            Some(Entry::Foreign) => drop(self.registry.remove(name)),
            Some(Entry::Ours { .. }) => return,
        }
        self.registry_moved();
    }

    pub fn add(&mut self, manager: u32, offer: Offer<Value>) {
        let tools = self.managers.entry(manager).or_default();
        let name = offer.name().clone();
        match tools.iter_mut().find(|other| *other.name() == name) {
            Some(other) => *other = offer,
            None => tools.push(offer),
        }
        self.changed(manager, Some(vec![name]));
    }

    pub fn remove(&mut self, manager: u32, name: &str) {
        self.managers.entry(manager).or_default().retain(|offer| &**offer.name() != name);
        self.changed(manager, Some(vec![name.into()]));
    }

    pub fn clear(&mut self, manager: u32) {
        self.managers.remove(&manager);
        self.changed(manager, None);
    }

    pub fn changed(&mut self, manager: u32, names: Option<Vec<Rc<str>>>) {
        if self.followed == Some(manager) {
            self.step(Input::Changed { manager, names });
        }
    }

    /// Publishes what the manager holds now; the answer names the publication.
    pub fn publish(&mut self, manager: u32, options: Options) -> u32 {
        self.jobs += 1;
        let (job, offers) = (self.jobs, self.managers.get(&manager).cloned().unwrap_or_default());
        self.step(Input::Publish { job, manager, offers, options });
        job
    }

    /// One thing that is under way arrives; which one, `choice` decides. `false` if there is none.
    pub fn arrive(&mut self, choice: usize) -> bool {
        let ways = self.answers.len() + self.reads.len() + usize::from(self.toolchange) + usize::from(self.prints);
        let Some(way) = choice.checked_rem(ways) else { return false };
        if way < self.answers.len() {
            let (registration, outcome) = self.answers.remove(way);
            self.step(Input::Registered { registration, outcome });
        } else if way < self.answers.len() + self.reads.len() {
            let (manager, names) = self.reads.remove(0);
            let all = self.managers.get(&manager).cloned().unwrap_or_default();
            let asked = |offer: &Offer<Value>| names.as_ref().is_none_or(|names| names.contains(offer.name()));
            self.step(Input::Contents { offers: all.into_iter().filter(asked).collect() });
        } else if self.prints {
            self.prints = false;
            self.step(Input::Fingerprint);
        } else {
            self.toolchange = false;
            self.step(Input::RegistryChanged);
        }
        true
    }

    /// Everything arrives that is under way.
    pub fn settle(&mut self) {
        let turns = (0..10_000).take_while(|_| self.arrive(0)).count();
        assert!(turns < 10_000, "it never comes to rest");
    }

    /// Publishes and waits for the outcome.
    pub fn published(&mut self, manager: u32, options: Options) -> (Report, Option<Error>) {
        let job = self.publish(manager, options);
        self.settle();
        self.outcome(job)
    }

    pub fn outcome(&self, job: u32) -> (Report, Option<Error>) {
        let (_, report, failed) = self.settled.iter().find(|(other, ..)| *other == job).unwrap();
        (report.clone(), failed.clone())
    }

    /// The names in the registry.
    pub fn names(&self) -> Vec<&str> {
        self.registry.keys().map(String::as_str).collect()
    }

    pub fn registration(&self, name: &str) -> u32 {
        match self.registry.get(name) {
            Some(Entry::Ours { registration, .. }) => *registration,
            other => panic!("{name}: {other:?}"),
        }
    }

    pub fn description(&self, name: &str) -> &str {
        match self.registry.get(name) {
            Some(Entry::Ours { descriptor, .. }) => descriptor["description"].as_str().unwrap(),
            other => panic!("{name}: {other:?}"),
        }
    }

    /// Nothing is left that was never let go of, and nothing was let go of that is left.
    pub fn check_ownership(&self) {
        for registration in &self.asked {
            assert_ne!(self.bridge.wants(*registration), self.released.contains(registration));
        }
    }
}
