//! `ToolManager`: the registry of tools, shared by everything that shows or runs them.

use super::run::{self, Callbacks, OnDone, OnProgress, Order};
use super::tool::{CoreTool, Handler};
use crate::core::error::Error;
use crate::core::revision::Era;
use crate::core::tool::{Change, Changes, Registry};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;

/// One change of a manager.
pub type Changed = Change<JsValue, Handler>;
type OnChange = Rc<dyn Fn(&[Changed])>;

/// Tools by name. Clones share the same tools.
#[derive(Clone, Default)]
pub struct ToolManager {
    inner: Rc<Inner>,
}

#[derive(Default)]
struct Inner {
    registry: RefCell<Registry<JsValue, Handler>>,
    followers: RefCell<Vec<(u64, OnChange)>>,
    next_follower: Cell<u64>,
}

/// Follows a manager until it is dropped.
#[must_use = "dropping it ends the following"]
pub struct Follower {
    manager: Weak<Inner>,
    number: u64,
}

impl Drop for Follower {
    fn drop(&mut self) {
        if let Some(manager) = self.manager.upgrade() {
            manager.followers.borrow_mut().retain(|(number, _)| *number != self.number);
        }
    }
}

impl ToolManager {
    /// A manager without tools.
    pub fn new() -> Self {
        ToolManager::default()
    }

    /// Adds a tool. One of the same name is replaced in place.
    /// The number names this very addition in [`ToolManager::remove_addition`].
    pub fn add(&self, tool: CoreTool) -> u64 {
        let (serial, change) = self.inner.registry.borrow_mut().add(tool);
        self.announce(&[change]);
        serial
    }

    /// Removes a tool by name; whether there was one.
    pub fn remove(&self, name: &str) -> bool {
        let change = self.inner.registry.borrow_mut().remove(name);
        self.announce(change.as_slice());
        change.is_some()
    }

    /// Removes a tool if it is still the one that this addition put there.
    pub fn remove_addition(&self, name: &str, serial: u64) -> bool {
        self.serial(name) == Some(serial) && self.remove(name)
    }

    /// Which addition put the tool of that name there.
    pub fn serial(&self, name: &str) -> Option<u64> {
        self.inner.registry.borrow().serial(name)
    }

    /// Removes every tool.
    pub fn clear(&self) {
        let changes = self.inner.registry.borrow_mut().clear();
        self.announce(&changes);
    }

    /// The tool of that name.
    pub fn get(&self, name: &str) -> Option<Rc<CoreTool>> {
        self.inner.registry.borrow().get(name).cloned()
    }

    /// Every tool, in the order they were added.
    pub fn all(&self) -> Vec<Rc<CoreTool>> {
        let mut tools = Vec::new();
        for tool in self.inner.registry.borrow().iter() {
            tools.push(tool.clone());
        }
        tools
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.inner.registry.borrow().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A number that rises with every change.
    pub fn version(&self) -> u64 {
        self.inner.registry.borrow().version()
    }

    /// Which names changed since a version.
    pub fn changes_since(&self, version: u64) -> Changes {
        self.inner.registry.borrow().changes_since(version)
    }

    /// The array `tools/list` shows. Each tool describes itself first, with nothing borrowed, as
    /// that may run an author's `toJSON`.
    pub fn listing(&self, era: Era) -> JsValue {
        let is_listed = self.inner.registry.borrow().is_listed();
        if !is_listed {
            for tool in self.all() {
                // A tool that cannot be shown is left out of the list, and named by `unlistable`.
                let _ = tool.listing();
            }
        }
        self.inner.registry.borrow().listing(era).clone()
    }

    /// The tools that `tools/list` cannot show, each with the reason.
    pub fn unlistable(&self) -> Vec<(Rc<str>, String)> {
        self.listing(Era::Stateless);
        self.inner.registry.borrow().unlistable()
    }

    /// Calls `on_change` after every change, until the follower is dropped.
    pub fn follow(&self, on_change: impl Fn(&[Changed]) + 'static) -> Follower {
        let number = self.inner.next_follower.get();
        self.inner.next_follower.set(number + 1);
        self.inner.followers.borrow_mut().push((number, Rc::new(on_change)));
        Follower { manager: Rc::downgrade(&self.inner), number }
    }

    /// How many follow this manager.
    pub fn followers(&self) -> usize {
        self.inner.followers.borrow().len()
    }

    /// Whether two are the same manager.
    pub fn is(&self, other: &ToolManager) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
    }

    /// Runs a tool. The error is that there is none of that name.
    pub fn call(
        &self,
        name: &str,
        arguments: JsValue,
        signal: JsValue,
        progress: Option<OnProgress>,
        done: OnDone,
    ) -> Result<Option<u32>, Error> {
        let Some(tool) = self.get(name) else {
            return Err(Error::new(crate::core::code::Code::InvalidParams, ["Unknown tool: ", name].concat()));
        };
        let (caller, params) = (run::caller("page", None, None), JsValue::UNDEFINED);
        let is_heard = progress.is_some();
        let owner = Callbacks::new(done, progress);
        Ok(run::start(Order { tool, arguments, caller, params, signal, is_heard, owner }))
    }

    fn announce(&self, changes: &[Changed]) {
        if changes.is_empty() {
            return;
        }
        let followers: Vec<(u64, OnChange)> = self.inner.followers.borrow().clone();
        for (number, on_change) in followers {
            // One that left during this very dispatch hears no more of it.
            let still = self.inner.followers.borrow().iter().any(|(other, _)| *other == number);
            if still {
                on_change(changes);
            }
        }
    }
}
