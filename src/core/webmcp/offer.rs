//! What a page asks of the bridge: a tool to publish, and on which terms.

use super::origins;
use super::project::Describe;
use super::refusal::Refusal;
use crate::core::tool::Tool;
use crate::json::Json;
use std::any::Any;
use std::fmt;
use std::rc::Rc;

/// A tool as a manager holds it.
#[derive(Clone)]
pub struct Offer<J> {
    /// The tool's own name.
    pub name: Rc<str>,
    /// The dictionary its author wrote.
    pub dictionary: J,
    /// The tool itself. Held, so that no later tool can be mistaken for it.
    identity: Rc<dyn Any>,
}

impl<J> Offer<J> {
    /// An offer of the tool that `identity` stands for.
    pub fn new(name: Rc<str>, dictionary: J, identity: Rc<dyn Any>) -> Self {
        Offer { name, dictionary, identity }
    }

    /// Whether both are the very same tool.
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::addr_eq(Rc::as_ptr(&self.identity), Rc::as_ptr(&other.identity))
    }
}

impl<J: Json, H: 'static> From<&Rc<Tool<J, H>>> for Offer<J> {
    fn from(tool: &Rc<Tool<J, H>>) -> Self {
        Offer::new(tool.name().clone(), tool.dictionary().clone(), tool.clone())
    }
}

impl<J> fmt::Debug for Offer<J> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Offer").field(&self.name).finish()
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
    pub fn new(options: Options) -> Result<Self, Refusal> {
        let exposure = origins::exposure(options.origins.as_deref().unwrap_or_default())?;
        Ok(Terms { options, exposure })
    }
}
