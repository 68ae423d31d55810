//! The bridge as a state machine: which registrations there are, and what is done next.
//!
//! Jobs run strictly one after another; within a job all registrations are asked for at once. A job
//! registers what is new before it releases what is gone, so that an observer never sees a gap.

use super::job::{Job, Phase, Running, Scope};
use super::offer::{Offer, Options, Terms};
use super::project::{Dictionary, Sketch};
use super::records::{Record, Records, sorted_names};
use super::refusal::Refusal;
use super::report::Report;
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::machine::Machine;
use crate::core::slots::{Index, Slots};
use std::collections::VecDeque;
use std::rc::Rc;

/// What the bridge is told.
#[derive(Debug)]
pub enum Input<J> {
    /// A manager's tools are to be registered, and the manager followed from now on.
    Publish {
        /// Names the publication in [`Effect::Settled`].
        job: u32,
        /// Whose tools they are.
        manager: u32,
        /// Every tool the manager holds at this moment.
        offers: Vec<Offer<J>>,
        /// How it is to be done.
        options: Options,
    },
    /// A manager changed.
    Changed {
        /// Which manager.
        manager: u32,
        /// The names that were added, removed or replaced; `None` if that is not known.
        names: Option<Vec<Rc<str>>>,
    },
    /// The answer to [`Effect::Read`]: those of the tools asked for that are there now.
    Contents {
        /// The tools, in the manager's order.
        offers: Vec<Offer<J>>,
    },
    /// The registry took these.
    Confirmed {
        /// Which registrations.
        registrations: Vec<u32>,
    },
    /// The answer to [`Effect::Register`]. One is needed for every registration, so give it a deadline.
    Registered {
        /// Which registration.
        registration: u32,
        /// Whether the registry took it.
        outcome: Result<(), Refusal>,
    },
    /// The answer to [`Effect::Fingerprint`].
    Fingerprint,
    /// The registry changed, so a name somebody else had may be free.
    RegistryChanged,
    /// The bridge ends.
    Destroy,
}

/// What the bridge asks for, to be carried out in order.
#[derive(Debug)]
pub enum Effect<J> {
    /// Report the changes of this manager from now on.
    Follow {
        /// Which manager.
        manager: u32,
    },
    /// No longer report the changes of this manager.
    Unfollow {
        /// Which manager.
        manager: u32,
    },
    /// Answer with [`Input::Contents`].
    Read {
        /// Which manager.
        manager: u32,
        /// The names of the tools to look up; `None` for all.
        names: Option<Vec<Rc<str>>>,
    },
    /// Register a tool and answer with [`Input::Confirmed`] or [`Input::Registered`], unless the bridge no longer
    /// [wants](Bridge::wants) it by the time this is carried out.
    Register {
        /// Names the registration from now on.
        registration: u32,
        /// The tool.
        offer: Offer<J>,
        /// The name it is registered under.
        name: Rc<str>,
        /// What of it is [registered](Dictionary::projected).
        carried: Sketch,
        /// The origins it is exposed to, as they were given.
        origins: Option<Rc<[String]>>,
    },
    /// Answer with [`Input::Fingerprint`] when there is nothing better to do. That looks at some of
    /// what was registered, and asks again as long as more is left.
    Fingerprint,
    /// Let go of a registration. Every one that was asked for is let go of exactly once.
    Release {
        /// Which registration.
        registration: u32,
    },
    /// A publication is over.
    Settled {
        /// Which one.
        job: u32,
        /// What became of its tools.
        report: Report,
        /// Why it failed.
        failed: Option<Error>,
    },
    /// A change that was followed made a difference: what became of the tools it was about.
    Followed {
        /// The difference; [`Bridge::status`] has the whole.
        report: Report,
    },
}

/// What a call of a published tool is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The manager to ask.
    pub manager: u32,
    /// The tool's own name.
    pub tool: Rc<str>,
    /// Its name in the registry.
    pub registered: Rc<str>,
    /// Whether the outcome is left to the browser.
    pub raw: bool,
}

/// The rules of publishing: the tools of one followed manager, kept registered.
#[derive(Debug)]
pub struct Bridge<J> {
    pub(super) records: Records<J>,
    /// Tools of the last publication, and of what was followed since, that are not registered.
    pub(super) missing: Slots<Refusal>,
    followed: Option<(u32, Rc<Terms>)>,
    queue: VecDeque<Job<J>>,
    /// Boxed, as it is handed back and forth.
    pub(super) running: Option<Box<Running>>,
    /// Registrations whose fingerprints are to be taken.
    pub(super) unprinted: Vec<u32>,
    pub(super) last_registration: u32,
    pub(super) last_run: u32,
    destroyed: bool,
}

impl<J> Default for Bridge<J> {
    fn default() -> Self {
        Bridge {
            records: Records::default(),
            missing: Slots::default(),
            followed: None,
            queue: VecDeque::new(),
            running: None,
            unprinted: Vec::new(),
            last_registration: 0,
            last_run: 0,
            destroyed: false,
        }
    }
}

impl<J: Dictionary> Machine for Bridge<J> {
    type Input = Input<J>;
    type Effect = Effect<J>;

    fn step(&mut self, input: Input<J>, effects: &mut Vec<Effect<J>>) {
        match input {
            Input::Publish { job, manager, offers, options } => self.publish(job, manager, offers, options, effects),
            Input::Changed { manager, names } => self.changed(manager, names),
            Input::Contents { offers } => self.contents(offers, effects),
            Input::Confirmed { registrations } => {
                for registration in registrations {
                    self.registered(registration, Ok(()), effects);
                }
            }
            Input::Registered { registration, outcome } => self.registered(registration, outcome, effects),
            Input::Fingerprint => self.fingerprint(effects),
            Input::RegistryChanged => self.registry_changed(),
            Input::Destroy => self.destroy(effects),
        }
        self.advance(effects);
    }
}

impl<J: Dictionary> Bridge<J> {
    /// Whether a registration is ours, asked for or confirmed, and was not let go of.
    pub fn wants(&self, registration: u32) -> bool {
        self.records.has_number(registration)
    }

    /// What a call through a registration is for; `None` once that was let go of.
    pub fn route(&self, registration: u32) -> Option<Route> {
        let record = self.records.by_number(registration)?;
        let (tool, registered) = (record.offer.name().clone(), record.registered.clone());
        Some(Route { manager: record.manager, tool, registered, raw: record.terms.options.raw })
    }

    /// The tool we registered under this name.
    pub fn published(&self, registered: &str) -> Option<&Offer<J>> {
        let registered = registered.into();
        let record = self.records.get(self.records.names.tool(&registered)?)?;
        if record.registered == registered { Some(&record.offer) } else { None }
    }

    /// The tools that wait for somebody else to free their name. If there are none,
    /// [`Input::RegistryChanged`] has nothing to do.
    pub fn blocked(&self) -> impl Iterator<Item = &Rc<str>> {
        self.missing.iter().filter(|(_, refusal)| refusal.is_blocked()).filter_map(|(id, _)| id.name())
    }

    /// How things stand: everything registered, everything left out, and why.
    pub fn status(&self) -> Report {
        let mut report = Report::default();
        for tool in self.records.in_order(&|record| record.confirmed) {
            self.add(&mut report, &tool, false);
        }
        // What is tried again just now is still missing.
        let tried = self.running.as_ref().map(|run| &run.missing_before);
        let mut missing = Index::default();
        for (id, _) in self.missing.iter().chain(tried.iter().flat_map(|tried| tried.iter())) {
            missing.insert(id.clone());
        }
        for tool in sorted_names(&missing) {
            let id = (&tool).into();
            let refusal = self.missing.get(&id).or_else(|| tried?.get(&id));
            if let Some(refusal) = refusal.filter(|_| self.records.get(&tool).is_none_or(|record| !record.confirmed)) {
                report.add_missing(&tool, refusal);
            }
        }
        report
    }

    /// Adds how it stands with a tool to a report.
    pub(super) fn add(&self, report: &mut Report, tool: &Rc<str>, is_unchanged: bool) {
        if let Some(record) = self.records.get(tool) {
            let list = if is_unchanged { &mut report.unchanged } else { &mut report.registered };
            list.push(tool.clone());
            report.add_renamed(tool, &record.registered);
        } else if let Some(refusal) = self.missing.get(&tool.into()) {
            report.add_missing(tool, refusal);
        }
    }

    /// Whether the bridge has ended.
    pub fn is_destroyed(&self) -> bool {
        self.destroyed
    }

    fn publish(
        &mut self,
        job: u32,
        manager: u32,
        offers: Vec<Offer<J>>,
        options: Options,
        effects: &mut Vec<Effect<J>>,
    ) {
        if self.destroyed {
            effects.push(ended(job, options.strict));
            return;
        }
        let terms = match Terms::new::<J>(options) {
            Ok(terms) => Rc::new(terms),
            // A fault of the call and not of a tool: nothing is registered, and what was followed stays followed.
            Err(Refusal { code, reason, .. }) => {
                let failed = Some(Error::new(code, reason));
                effects.push(Effect::Settled { job, report: Report::default(), failed });
                return;
            }
        };
        let before = self.followed.replace((manager, terms.clone())).map(|(before, _)| before);
        if before != Some(manager) {
            if let Some(manager) = before {
                effects.push(Effect::Unfollow { manager });
            }
            effects.push(Effect::Follow { manager });
        }
        self.queue.push_back(Job::Publish { job, manager, offers, terms });
    }

    fn changed(&mut self, manager: u32, names: Option<Vec<Rc<str>>>) {
        let is_followed = self.followed.as_ref().is_some_and(|(followed, _)| *followed == manager);
        if is_followed && let Some(scope) = self.waiting_scope() {
            scope.retry_all = true;
            scope.add(names);
        }
    }

    fn registry_changed(&mut self) {
        // While a job is under way a name may yet turn out to be taken, by somebody who has just let go of it.
        let may_matter = self.running.is_some() || !self.queue.is_empty() || self.blocked().next().is_some();
        if may_matter && let Some(scope) = self.waiting_scope() {
            scope.retry_blocked = true;
        }
    }

    /// The scope of the synchronisation that waits at the end of the queue, if need be a new one.
    ///
    /// What follows a publication must run after it, so only the very last job takes more in.
    fn waiting_scope(&mut self) -> Option<&mut Scope> {
        let (manager, terms) = self.followed.as_ref()?;
        if !matches!(self.queue.back(), Some(Job::Synchronise { .. })) {
            let (manager, terms) = (*manager, terms.clone());
            self.queue.push_back(Job::Synchronise { manager, terms, scope: Scope::default() });
        }
        match self.queue.back_mut() {
            Some(Job::Synchronise { scope, .. }) => Some(scope),
            _ => None,
        }
    }

    fn contents(&mut self, offers: Vec<Offer<J>>, effects: &mut Vec<Effect<J>>) {
        if let Some(mut run) = self.running.take_if(|run| run.phase == Phase::Reading) {
            self.reconcile(&mut run, offers, effects);
            self.running = Some(run);
        }
    }

    pub(super) fn registered(&mut self, registration: u32, outcome: Result<(), Refusal>, effects: &mut Vec<Effect<J>>) {
        // A late answer, about a registration that was let go of, finds nothing.
        let Some(record) = self.records.by_number_mut(registration).filter(|record| !record.confirmed) else { return };
        match outcome {
            Ok(()) => record.confirmed = true,
            Err(refusal) => {
                let tool = record.offer.name().clone();
                self.records.remove(&tool);
                self.missing.insert((&tool).into(), refusal);
                effects.push(Effect::Release { registration });
            }
        }
        if let Some(run) = &mut self.running {
            run.unanswered = run.unanswered.saturating_sub(1);
        }
    }

    fn destroy(&mut self, effects: &mut Vec<Effect<J>>) {
        if std::mem::replace(&mut self.destroyed, true) {
            return;
        }
        if let Some((manager, _)) = self.followed.take() {
            effects.push(Effect::Unfollow { manager });
        }
        for tool in self.records.in_order(&|_| true) {
            self.release(&tool, effects);
        }
        self.missing = Slots::default();
        if let Some(run) = self.running.take()
            && let Some(job) = run.publication
        {
            effects.push(ended(job, run.terms.options.strict));
        }
        while let Some(job) = self.queue.pop_front() {
            if let Job::Publish { job, terms, .. } = job {
                effects.push(ended(job, terms.options.strict));
            }
        }
    }

    /// Lets go of a tool's registration; whether it had one.
    pub(super) fn release(&mut self, tool: &Rc<str>, effects: &mut Vec<Effect<J>>) -> bool {
        let Some(Record { registration, .. }) = self.records.remove(tool) else { return false };
        effects.push(Effect::Release { registration });
        true
    }

    /// Finishes the running job if it has its answers, and starts whatever can start.
    fn advance(&mut self, effects: &mut Vec<Effect<J>>) {
        loop {
            match self.running.take() {
                Some(run) if run.is_done() => self.finish(&run, effects),
                Some(run) => {
                    self.running = Some(run);
                    return;
                }
                None => {}
            }
            let Some(job) = self.queue.pop_front() else { return };
            self.running = self.start(job, effects);
        }
    }
}

/// A publication that a destroyed bridge can no longer do settles in peace, unless it was to be complete.
fn ended<J>(job: u32, strict: bool) -> Effect<J> {
    let failed = strict.then(|| Error::new(Code::Closed, "The bridge was destroyed."));
    Effect::Settled { job, report: Report::default(), failed }
}
