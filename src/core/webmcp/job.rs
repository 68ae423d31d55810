//! One job of the bridge: a publication, or a synchronisation after a change.

use super::bridge::{Bridge, Effect};
use super::names::is_carriable;
use super::offer::{Offer, Terms};
use super::project::{Dictionary, Sketch, fingerprint};
use super::records::{Record, sorted_names};
use super::refusal::Refusal;
use super::report::Report;
use crate::core::slots::{Index, Slots};
use std::rc::Rc;

/// Of how many tools the fingerprints are taken at once. A small publication has them from the
/// start; those of a large one would take as long as the registry does, and are taken afterwards.
/// Until then a tool that is replaced by an equal one is registered anew, which is needless but right.
const FEW: usize = 32;

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
    pub missing_before: Slots<Refusal>,
    /// Its number, which the records of tools that it carries have too: these are not pruned.
    number: u32,
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
            // The bridge numbers it once it starts.
            number: 0,
            publication,
            terms,
            phase: Phase::Reading,
            unanswered: 0,
            manager,
            scope,
            missing_before: Slots::default(),
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

impl<J: Dictionary> Bridge<J> {
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
        self.last_run = self.last_run.wrapping_add(1);
        run.number = self.last_run;
        // Names the registry takes go first, so that no substitute has one of theirs.
        if run.terms.options.map_names {
            for offer in offers.iter().filter(|offer| is_carriable(offer.name())) {
                self.records.names.assign(offer.name());
            }
        }
        let are_few = offers.len() <= FEW;
        for offer in offers {
            let asked = run.scope.as_ref().is_none_or(|names| names.binary_search(offer.name()).is_ok());
            if asked {
                self.reconcile_one(run, offer, are_few, effects);
            }
        }
    }

    fn reconcile_one(&mut self, run: &mut Running, offer: Offer<J>, are_few: bool, effects: &mut Vec<Effect<J>>) {
        let tool = offer.name().clone();
        // Nothing asked for was missing when the job began, so what is missing was looked at already.
        if self.missing.contains(&(&tool).into()) {
            return;
        }
        let (mut fits, mut is_known) = (false, false);
        if let Some(record) = self.records.get_mut(&tool) {
            is_known = true;
            if std::mem::replace(&mut record.run, run.number) == run.number {
                return;
            }
            fits = run.suits(&tool, record);
            if fits && record.offer.is(&offer) {
                record.terms = run.terms.clone();
                run.tools.push((tool, Fate::Unchanged));
                return;
            }
        }
        let described = self.describe(run, &offer).and_then(|(registered, carried)| {
            let compares = fits && self.records.get(&tool).is_some_and(|record| record.fingerprint.is_some());
            let fingerprint = match are_few || compares {
                true => Some(fingerprint(offer.dictionary(), &registered, carried)?),
                false => None,
            };
            Ok((registered, carried, fingerprint))
        });
        let (registered, carried, fingerprint) = match described {
            Ok(described) => described,
            Err(refusal) => {
                self.missing.insert((&tool).into(), refusal);
                run.tools.push((tool, Fate::New));
                return;
            }
        };
        let is_same = |record: &&mut Record<J>| {
            fits && record.registered == registered && fingerprint.is_some() && record.fingerprint == fingerprint
        };
        let known = if is_known { self.records.get_mut(&tool) } else { None };
        if let Some(record) = known.filter(is_same) {
            // Calls find the tool by its name, so the new one answers already.
            record.terms = run.terms.clone();
            record.offer = offer;
            run.tools.push((tool, Fate::Unchanged));
            return;
        }
        if is_known && let Some(Record { registration, .. }) = self.records.take(&tool) {
            effects.push(Effect::Release { registration });
        }
        self.last_registration = self.last_registration.wrapping_add(1);
        let record = Record {
            registration: self.last_registration,
            registered,
            manager: run.manager,
            offer,
            carried,
            fingerprint,
            terms: run.terms.clone(),
            run: run.number,
            confirmed: false,
        };
        effects.push(Effect::Register {
            registration: record.registration,
            offer: record.offer.clone(),
            name: record.registered.clone(),
            carried,
            origins: run.terms.options.origins.clone(),
        });
        if fingerprint.is_none() {
            self.unprinted.push(record.registration);
        }
        self.records.insert(record);
        run.unanswered += 1;
        run.tools.push((tool, Fate::New));
    }

    /// The name a tool is to have in the registry and what is registered under it.
    fn describe(&mut self, run: &Running, offer: &Offer<J>) -> Result<(Rc<str>, Sketch), Refusal> {
        let options = &run.terms.options;
        let (names, tool) = (&mut self.records.names, offer.name());
        let name = if options.map_names { Ok(names.assign(tool)) } else { names.assign_exact(tool) };
        let described = name.and_then(|name| Ok((name, offer.dictionary().sketch().carried(options.describe)?)));
        if described.is_err() && self.records.get(tool).is_none() {
            self.records.names.forget(tool);
        }
        described
    }

    /// Takes the fingerprints of some registrations that have none yet.
    pub(super) fn fingerprint(&mut self, effects: &mut Vec<Effect<J>>) {
        let rest = self.unprinted.len().saturating_sub(FEW);
        for registration in self.unprinted.split_off(rest) {
            let tool = self.records.by_number(registration).map(|record| record.offer.name().clone());
            if let Some(record) = tool.and_then(|tool| self.records.get_mut(&tool)) {
                // What has no text after all has none to compare later, and is registered anew then.
                record.fingerprint = record.print().ok();
            }
        }
        if rest > 0 {
            effects.push(Effect::Fingerprint);
        }
    }

    /// Lets go of what the job does not carry, whatever else went wrong, and says how it went.
    pub(super) fn finish(&mut self, run: &Running, effects: &mut Vec<Effect<J>>) {
        if !self.unprinted.is_empty() {
            effects.push(Effect::Fingerprint);
        }
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
            (record.run != run.number || self.missing.contains(&record.offer.name().into()))
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
