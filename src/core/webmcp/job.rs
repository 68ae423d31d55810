//! One job of the bridge: a publication, or a synchronisation after a change.

use super::bridge::{Bridge, Effect};
use super::names::is_carriable;
use super::offer::{Offer, Terms};
use super::project::{Descriptor, project};
use super::records::{Record, sorted_names};
use super::refusal::Refusal;
use super::report::Report;
use crate::core::slots::{Index, Slots};
use crate::json::Json;
use std::rc::Rc;

/// Work that waits its turn.
#[derive(Debug)]
pub(super) enum Job<J> {
    Publish { job: u32, manager: u32, offers: Vec<Offer<J>>, terms: Rc<Terms> },
    Synchronise { manager: u32, terms: Rc<Terms>, scope: Scope },
}

/// What a synchronisation is about. Every tool outside it stands as the job before left it, which
/// is why one change among thousands of tools costs no more than among ten.
#[derive(Debug, Default)]
pub(super) struct Scope {
    everything: bool,
    names: Index,
    /// Whether names somebody else had are tried again.
    pub retry_blocked: bool,
    /// Whether everything the registry refused is tried again.
    pub retry_all: bool,
}

impl Scope {
    pub fn add(&mut self, names: Option<Vec<Rc<str>>>) {
        let Some(names) = names else {
            self.everything = true;
            return;
        };
        for name in names {
            self.names.insert((&name).into());
        }
    }

    fn retries(&self, refusal: &Refusal) -> bool {
        (self.retry_all && !refusal.is_lasting()) || (self.retry_blocked && refusal.is_blocked())
    }
}

/// How far the running job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It waits for the manager's tools.
    Reading,
    /// It waits for the registry.
    Registering,
}

/// The job under way.
#[derive(Debug)]
pub(super) struct Running {
    /// The publication it is, if it is one.
    pub publication: Option<u32>,
    pub terms: Rc<Terms>,
    pub phase: Phase,
    /// How many registrations the registry has not answered.
    pub unanswered: usize,
    manager: u32,
    /// The names it is about, in order; `None` for all.
    scope: Option<Vec<Rc<str>>>,
    /// What was missing of these before.
    missing_before: Slots<Refusal>,
    /// The names it carries: these are not pruned.
    carried: Index,
    tools: Vec<(Rc<str>, Fate)>,
}

/// What a job does about a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Its registration is left alone.
    Unchanged,
    /// It is registered, unless something is in the way.
    New,
}

impl Running {
    fn new(publication: Option<u32>, manager: u32, terms: Rc<Terms>, scope: Option<Vec<Rc<str>>>) -> Box<Self> {
        Box::new(Running {
            publication,
            terms,
            phase: Phase::Reading,
            unanswered: 0,
            manager,
            scope,
            missing_before: Slots::default(),
            carried: Index::default(),
            tools: Vec::new(),
        })
    }

    /// Whether a registration may stay if its tool is still the same.
    fn suits<J>(&self, tool: &Rc<str>, record: &Record<J>) -> bool {
        record.manager == self.manager
            && record.terms.exposure == self.terms.exposure
            && (record.registered == *tool || self.terms.options.map_names)
    }

    pub fn is_done(&self) -> bool {
        self.phase == Phase::Registering && self.unanswered == 0
    }
}

impl<J: Json> Bridge<J> {
    /// Starts a job; `None` if there is nothing to do.
    pub(super) fn start(&mut self, job: Job<J>, effects: &mut Vec<Effect<J>>) -> Option<Box<Running>> {
        match job {
            Job::Publish { job, manager, offers, terms } => {
                let mut run = Running::new(Some(job), manager, terms, None);
                self.missing = Slots::default();
                self.reconcile(&mut run, offers, effects);
                Some(run)
            }
            Job::Synchronise { manager, terms, scope } if scope.everything => {
                let mut run = Running::new(None, manager, terms, None);
                run.missing_before = std::mem::take(&mut self.missing);
                effects.push(Effect::Read { manager, names: None });
                Some(run)
            }
            Job::Synchronise { manager, terms, mut scope } => {
                for (id, refusal) in self.missing.iter() {
                    if scope.retries(refusal) {
                        scope.names.insert(id.clone());
                    }
                }
                if scope.names.is_empty() {
                    return None;
                }
                let names = sorted_names(&scope.names);
                let mut run = Running::new(None, manager, terms, Some(names.clone()));
                for name in &names {
                    if let Some(refusal) = self.missing.remove(&name.into()) {
                        run.missing_before.insert(name.into(), refusal);
                    }
                }
                effects.push(Effect::Read { manager, names: Some(names) });
                Some(run)
            }
        }
    }

    /// Sees to it that every tool is registered as it is now. What it replaces is let go of first:
    /// the registry takes the same name again in the same turn.
    pub(super) fn reconcile(&mut self, run: &mut Running, offers: Vec<Offer<J>>, effects: &mut Vec<Effect<J>>) {
        run.phase = Phase::Registering;
        // Names the registry takes go first, so that no substitute has one of theirs.
        if run.terms.options.map_names {
            for offer in offers.iter().filter(|offer| is_carriable(&offer.name)) {
                self.records.names.assign(&offer.name);
            }
        }
        for offer in offers {
            let asked = run.scope.as_ref().is_none_or(|names| names.binary_search(&offer.name).is_ok());
            if asked && run.carried.insert((&offer.name).into()) {
                self.reconcile_one(run, offer, effects);
            }
        }
    }

    fn reconcile_one(&mut self, run: &mut Running, offer: Offer<J>, effects: &mut Vec<Effect<J>>) {
        let tool = offer.name.clone();
        let fits = self.records.get(&tool).is_some_and(|record| run.suits(&tool, record));
        if let Some(record) = self.records.get_mut(&tool).filter(|record| fits && record.offer.is(&offer)) {
            record.terms = run.terms.clone();
            run.tools.push((tool, Fate::Unchanged));
            return;
        }
        let (registered, Descriptor { dictionary, text }) = match self.describe(run, &offer) {
            Ok(described) => described,
            Err(refusal) => {
                self.missing.insert((&tool).into(), refusal);
                run.tools.push((tool, Fate::New));
                return;
            }
        };
        if let Some(record) = self.records.get_mut(&tool).filter(|record| fits && record.text.same_json(&text)) {
            // Calls find the tool by its name, so the new one answers already.
            record.terms = run.terms.clone();
            record.offer = offer;
            run.tools.push((tool, Fate::Unchanged));
            return;
        }
        if let Some(Record { registration, .. }) = self.records.take(&tool) {
            effects.push(Effect::Release { registration });
        }
        self.last_registration = self.last_registration.wrapping_add(1);
        let (registration, manager, terms) = (self.last_registration, run.manager, run.terms.clone());
        let origins = terms.options.origins.clone();
        effects.push(Effect::Register { registration, descriptor: dictionary, origins });
        self.records.insert(Record { registration, registered, manager, offer, text, terms, confirmed: false });
        run.unanswered += 1;
        run.tools.push((tool, Fate::New));
    }

    /// The name a tool is to have in the registry and what is registered under it.
    fn describe(&mut self, run: &Running, offer: &Offer<J>) -> Result<(Rc<str>, Descriptor<J>), Refusal> {
        let options = &run.terms.options;
        let names = &mut self.records.names;
        let name = if options.map_names { Ok(names.assign(&offer.name)) } else { names.assign_exact(&offer.name) };
        let described = name.and_then(|name| {
            let descriptor = project(&offer.dictionary, &name, options.describe)?;
            Ok((name, descriptor))
        });
        if described.is_err() && self.records.get(&offer.name).is_none() {
            self.records.names.forget(&offer.name);
        }
        described
    }

    /// Lets go of what the job does not carry, whatever else went wrong, and says how it went.
    pub(super) fn finish(&mut self, run: &Running, effects: &mut Vec<Effect<J>>) {
        let mut report = Report::default();
        for tool in self.gone(run) {
            if self.release(&tool, effects) {
                report.released.push(tool);
            }
        }
        for (tool, fate) in &run.tools {
            self.add(&mut report, tool, *fate == Fate::Unchanged);
        }
        if let Some(job) = run.publication {
            let failed = if run.terms.options.strict { report.failure() } else { None };
            effects.push(Effect::Settled { job, report, failed });
            return;
        }
        let as_before = |name: &Rc<str>| self.missing.get(&name.into()) == run.missing_before.get(&name.into());
        let as_missing_as_before = match &run.scope {
            Some(names) => names.iter().all(as_before),
            None => {
                let names = sorted_names(self.missing.ids());
                names.len() == run.missing_before.len() && names.iter().all(as_before)
            }
        };
        if !(report.registered.is_empty() && report.released.is_empty() && as_missing_as_before) {
            effects.push(Effect::Followed { report });
        }
    }

    /// The tools that are registered and should not be: a publication answers for every manager's,
    /// a synchronisation for its own manager's only.
    fn gone(&self, run: &Running) -> Vec<Rc<str>> {
        let goes = |record: &Record<J>| {
            let id = (&record.offer.name).into();
            (!run.carried.contains(&id) || self.missing.contains(&id))
                && (run.publication.is_some() || record.manager == run.manager)
        };
        let Some(names) = &run.scope else { return self.records.in_order(&goes) };
        let mut gone = Vec::new();
        for tool in names {
            if self.records.get(tool).is_some_and(goes) {
                gone.push(tool.clone());
            }
        }
        gone
    }
}
