//! What became of every tool of a publication.

use super::refusal::Refusal;
use crate::core::code::Code;
use crate::core::digits::decimal;
use crate::core::error::Error;
use std::rc::Rc;

/// The outcome of a publication, or of a change that was followed. Tools are named as their manager names them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Registered just now; in [`super::Bridge::status`], whenever.
    pub registered: Vec<Rc<str>>,
    /// Registered before, and still right.
    pub unchanged: Vec<Rc<str>>,
    /// No longer registered.
    pub released: Vec<Rc<str>>,
    /// Not registered, for a reason other than a taken name.
    pub skipped: Vec<(Rc<str>, Refusal)>,
    /// Not registered because somebody else has the name. They are tried again when that may have changed.
    pub blocked: Vec<(Rc<str>, Refusal)>,
    /// The tools registered under another name than their own, and that name.
    pub renamed: Vec<(Rc<str>, Rc<str>)>,
}

impl Report {
    /// Whether every tool is registered.
    pub fn is_complete(&self) -> bool {
        self.skipped.is_empty() && self.blocked.is_empty()
    }

    /// The failure of a publication that was to be complete and is not. The code is that of the first tool left out.
    pub fn failure(&self) -> Option<Error> {
        let (name, first) = self.skipped.first().or_else(|| self.blocked.first())?;
        let missing = self.skipped.len() + self.blocked.len();
        let all = missing + self.registered.len() + self.unchanged.len();
        let Refusal { code, reason, .. } = first;
        let (missing, all) = (decimal(missing as u64), decimal(all as u64));
        let words = [&missing, " of ", &all, " tools could not be published, first '", name, "': ", reason];
        Some(Error::new(*code, words.concat()))
    }

    pub(super) fn add_missing(&mut self, name: &Rc<str>, refusal: &Refusal) {
        let list = if refusal.code == Code::NameTaken { &mut self.blocked } else { &mut self.skipped };
        list.push((name.clone(), refusal.clone()));
    }

    pub(super) fn add_renamed(&mut self, tool: &Rc<str>, registered: &Rc<str>) {
        if tool != registered {
            self.renamed.push((tool.clone(), registered.clone()));
        }
    }
}
