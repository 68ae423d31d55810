//! What a page asks of the bridge: a tool to publish, and on which terms.

use super::origins;
use super::project::{Describe, Dictionary};
use super::refusal::Refusal;
use crate::core::tool::Tool;
use crate::json::Json;
use std::fmt;
use std::rc::Rc;

/// A tool as a manager holds it: the tool itself, so that no later one can be mistaken for it.
pub struct Offer<J>(Rc<dyn Offered<J>>);

trait Offered<J> {
    fn name(&self) -> &Rc<str>;
    fn dictionary(&self) -> &J;
}

impl<J: Json, H> Offered<J> for Tool<J, H> {
    fn name(&self) -> &Rc<str> {
        self.name()
    }

    fn dictionary(&self) -> &J {
        self.dictionary()
    }
}

impl<J> Offered<J> for (Rc<str>, J) {
    fn name(&self) -> &Rc<str> {
        &self.0
    }

    fn dictionary(&self) -> &J {
        &self.1
    }
}

impl<J: 'static> Offer<J> {
    /// An offer of a tool like no other.
    pub fn new(name: &str, dictionary: J) -> Self {
        Offer(Rc::new((Rc::from(name), dictionary)))
    }
}

impl<J> Offer<J> {
    /// The tool's own name.
    pub fn name(&self) -> &Rc<str> {
        self.0.name()
    }

    /// The dictionary its author wrote.
    pub fn dictionary(&self) -> &J {
        self.0.dictionary()
    }

    /// Whether both are the very same tool.
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::addr_eq(Rc::as_ptr(&self.0), Rc::as_ptr(&other.0))
    }
}

impl<J> Clone for Offer<J> {
    fn clone(&self) -> Self {
        Offer(self.0.clone())
    }
}

impl<J: Json, H: 'static> From<Rc<Tool<J, H>>> for Offer<J> {
    fn from(tool: Rc<Tool<J, H>>) -> Self {
        Offer(tool)
    }
}

impl<J> fmt::Debug for Offer<J> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Offer").field(self.name()).finish()
    }
}

/// How a publication is to be done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Other origins that may see and call the tools.
    pub origins: Option<Rc<[String]>>,
    /// Whether a tool whose name the registry refuses is registered under another name.
    pub map_names: bool,
    /// Whether a publication fails if any tool could not be registered.
    pub strict: bool,
    /// Whether results and failures are left to the browser instead of travelling as MCP results.
    pub raw: bool,
    /// What becomes of a tool without a description.
    pub describe: Describe,
}

/// Options that were checked.
#[derive(Debug)]
pub(super) struct Terms {
    pub options: Options,
    /// The origins in one spelling, to be compared.
    pub exposure: Vec<String>,
}

impl Terms {
    pub fn new<J: Dictionary>(options: Options) -> Result<Self, Refusal> {
        let exposure = origins::exposure::<J, _>(options.origins.as_deref().unwrap_or_default())?;
        Ok(Terms { options, exposure })
    }
}
