//! What the bridge has in the registry, or has asked for: one record per tool's name.

use super::names::Names;
use super::offer::{Offer, Terms};
use std::collections::HashMap;
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
    /// The JSON text of what was registered.
    pub text: J,
    pub terms: Rc<Terms>,
    /// Whether the registry has confirmed it.
    pub confirmed: bool,
}

/// Every registration of ours, found by the tool's name or by its own number.
#[derive(Debug)]
pub(super) struct Records<J> {
    by_tool: HashMap<Rc<str>, Record<J>>,
    by_number: HashMap<u32, Rc<str>>,
    pub names: Names,
}

impl<J> Default for Records<J> {
    fn default() -> Self {
        Records { by_tool: HashMap::new(), by_number: HashMap::new(), names: Names::default() }
    }
}

impl<J> Records<J> {
    pub fn get(&self, tool: &str) -> Option<&Record<J>> {
        self.by_tool.get(tool)
    }

    pub fn get_mut(&mut self, tool: &str) -> Option<&mut Record<J>> {
        self.by_tool.get_mut(tool)
    }

    pub fn by_number(&self, registration: u32) -> Option<(&Rc<str>, &Record<J>)> {
        self.by_tool.get_key_value(self.by_number.get(&registration)?)
    }

    pub fn insert(&mut self, tool: Rc<str>, record: Record<J>) {
        self.by_number.insert(record.registration, tool.clone());
        self.by_tool.insert(tool, record);
    }

    /// Takes out a record. The registered name stays assigned; [`Records::remove`] frees it.
    pub fn take(&mut self, tool: &str) -> Option<Record<J>> {
        let record = self.by_tool.remove(tool)?;
        self.by_number.remove(&record.registration);
        Some(record)
    }

    pub fn remove(&mut self, tool: &str) -> Option<Record<J>> {
        self.names.forget(tool);
        self.take(tool)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Rc<str>, &Record<J>)> {
        self.by_tool.iter()
    }

    /// All of them, oldest registration first.
    pub fn in_order(&self) -> Vec<(&Rc<str>, &Record<J>)> {
        let mut all: Vec<_> = self.iter().collect();
        all.sort_unstable_by_key(|(_, record)| record.registration);
        all
    }
}
