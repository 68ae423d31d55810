//! What the bridge has in the registry, or has asked for: one record per tool's name.

use super::names::Names;
use super::offer::{Offer, Terms};
use super::project::{Dictionary, Sketch, fingerprint};
use super::refusal::Refusal;
use crate::core::slots::{Index, Slots};
use std::collections::BinaryHeap;
use std::rc::Rc;

/// One registration of ours.
#[derive(Debug)]
pub(super) struct Record<J> {
    pub registration: u32,
    /// The name in the registry.
    pub registered: Rc<str>,
    pub manager: u32,
    /// The tool it stands for now.
    pub offer: Offer<J>,
    /// What of the tool was registered.
    pub carried: Sketch,
    /// The fingerprint of what was registered, once it was taken.
    pub fingerprint: Option<u64>,
    pub terms: Rc<Terms>,
    /// The last job that was about the tool.
    pub run: u32,
    /// Whether the registry has confirmed it.
    pub confirmed: bool,
}

impl<J: Dictionary> Record<J> {
    /// The fingerprint of what was registered, as it is now.
    pub fn print(&self) -> Result<u64, Refusal> {
        fingerprint(self.offer.dictionary(), &self.registered, self.carried)
    }
}

/// Every registration of ours, found by the tool's name or by its own number.
#[derive(Debug)]
pub(super) struct Records<J> {
    by_tool: Slots<Record<J>>,
    /// The tools' names by registration.
    tools: Slots<Rc<str>>,
    pub names: Names,
}

impl<J> Default for Records<J> {
    fn default() -> Self {
        Records { by_tool: Slots::default(), tools: Slots::default(), names: Names::default() }
    }
}

impl<J> Records<J> {
    pub fn get(&self, tool: &Rc<str>) -> Option<&Record<J>> {
        self.by_tool.get(&tool.into())
    }

    pub fn get_mut(&mut self, tool: &Rc<str>) -> Option<&mut Record<J>> {
        self.by_tool.get_mut(&tool.into())
    }

    /// Whether there is a record of this number.
    pub fn has_number(&self, registration: u32) -> bool {
        self.tools.contains(&registration.into())
    }

    pub fn by_number(&self, registration: u32) -> Option<&Record<J>> {
        self.get(self.tools.get(&registration.into())?)
    }

    pub fn by_number_mut(&mut self, registration: u32) -> Option<&mut Record<J>> {
        self.by_tool.get_mut(&self.tools.get(&registration.into())?.into())
    }

    pub fn insert(&mut self, record: Record<J>) {
        let tool = record.offer.name().clone();
        self.tools.insert(record.registration.into(), tool.clone());
        self.by_tool.insert((&tool).into(), record);
    }

    /// Takes out a record. The registered name stays assigned; [`Records::remove`] frees it.
    pub fn take(&mut self, tool: &Rc<str>) -> Option<Record<J>> {
        let record = self.by_tool.remove(&tool.into())?;
        self.tools.remove(&record.registration.into());
        Some(record)
    }

    pub fn remove(&mut self, tool: &Rc<str>) -> Option<Record<J>> {
        self.names.forget(tool);
        self.take(tool)
    }

    /// The tools of these records, oldest registration first.
    pub fn in_order(&self, wanted: &dyn Fn(&Record<J>) -> bool) -> Vec<Rc<str>> {
        let mut tools = Vec::new();
        for (_, record) in self.by_tool.iter() {
            if wanted(record) {
                tools.push((record.registration, record.offer.name().clone()));
            }
        }
        sorted(tools)
    }
}

/// Names in order of their numbers, then of themselves. A heap sorts in a fraction of the code of `sort`.
pub(super) fn sorted(names: Vec<(u32, Rc<str>)>) -> Vec<Rc<str>> {
    let mut sorted = Vec::new();
    for (_, name) in BinaryHeap::from(names).into_sorted_vec() {
        sorted.push(name);
    }
    sorted
}

/// Names in their own order.
pub(super) fn sorted_names(names: &Index) -> Vec<Rc<str>> {
    let mut list = Vec::new();
    for (_, id) in names.iter() {
        if let Some(name) = id.name() {
            list.push((0, name.clone()));
        }
    }
    sorted(list)
}
