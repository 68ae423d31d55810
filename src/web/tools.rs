//! `ToolManager`: the registry of tools, shared by everything that shows or runs them.

use super::run::{self, Callbacks, OnDone, OnProgress, Order};
use super::spawn::channel;
use super::tool::{CoreTool, Handler, Tool, into_script};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::revision::Era;
use crate::core::tool::{CallToolResult, Change, Registry};
use crate::json::Json;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;

/// One change of a manager.
pub type Changed = Change<JsValue, Handler>;
type OnChange = Rc<dyn Fn(&[Changed])>;

/// Tools by name: what is published, served and called. Clones share the same tools, and whoever shows them
/// ([`ModelContext::publish`](crate::ModelContext::publish), [`Server`](crate::Server)) follows every change.
///
/// ```no_run
/// use modelport::{Error, NoArguments, Tool, ToolManager};
/// use serde_json::json;
///
/// #[derive(serde::Deserialize)]
/// struct Guest { name: String }
///
/// # async fn example() -> Result<(), Error> {
/// let tools = ToolManager::new();
/// tools.add(Tool::new("time").handler(async |_: NoArguments, _| Ok("late")))?;
///
/// // This one goes with the guard, as a component's tool should with the component.
/// let guard = tools.add_scoped(Tool::new("greet").handler(async |Guest { name }, _| Ok(format!("Hello, {name}"))))?;
/// assert_eq!(tools.call("time", &json!({})).await?.text(), "late");
/// drop(guard);
/// assert_eq!(tools.len(), 1);
/// # Ok(()) }
/// ```
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

/// Keeps a tool in its manager until it is dropped. A tool that has replaced it since stays.
///
/// Guards belong to one thread, as all of this does. Leptos keeps one as long as a component lives by
/// `StoredValue::new_local(guard)`, Yew by a field of the component or by the state of a hook.
#[must_use = "dropping it removes the tool"]
pub struct ToolGuard {
    manager: ToolManager,
    name: Rc<str>,
    serial: Option<u64>,
}

impl ToolGuard {
    /// The name of the tool.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Leaves the tool in its manager for good.
    pub fn keep(mut self) {
        self.serial = None;
    }
}

impl Drop for ToolGuard {
    fn drop(&mut self) {
        if let Some(serial) = self.serial {
            self.manager.remove_addition(&self.name, serial);
        }
    }
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

    /// Adds a tool. One of the same name is replaced in place. The error, [`Code::InvalidArgument`], says what
    /// of the tool does not fit.
    pub fn add(&self, tool: Tool) -> Result<(), Error> {
        self.put(tool.build()?);
        Ok(())
    }

    /// Adds a tool for as long as the guard lives.
    pub fn add_scoped(&self, tool: Tool) -> Result<ToolGuard, Error> {
        let tool = tool.build()?;
        let name = tool.name().clone();
        let serial = Some(self.put(tool));
        Ok(ToolGuard { manager: self.clone(), name, serial })
    }

    /// Calls a tool as the page itself. A tool that fails is a result too: [`CallToolResult::is_error`]. The error
    /// is [`Code::InvalidParams`] where there is no such tool, [`Code::InvalidArgument`] where the arguments are no
    /// object. Dropping the future tells the tool that nobody waits.
    pub async fn call(&self, name: &str, arguments: &impl Serialize) -> Result<CallToolResult, Error> {
        let arguments = into_script(arguments)?;
        if !Json::is_object(&arguments) {
            return Err(Error::new(Code::InvalidArgument, "the arguments of a tool must be an object"));
        }
        let (done, ended) = channel();
        let run = self.start(name, arguments, JsValue::UNDEFINED, None, Box::new(done))?;
        let guard = AbortOnDrop(run);
        let outcome = ended.await;
        drop(guard);
        let result = outcome.ok_or_else(|| Error::new(Code::Closed, "the call has ended"))?.into_result();
        CallToolResult::read(&result)
    }

    /// Takes in a tool. The number names this very addition in [`ToolManager::remove_addition`].
    pub(crate) fn put(&self, tool: CoreTool) -> u64 {
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
    pub(crate) fn remove_addition(&self, name: &str, serial: u64) -> bool {
        self.serial(name) == Some(serial) && self.remove(name)
    }

    /// Which addition put the tool of that name there.
    pub(crate) fn serial(&self, name: &str) -> Option<u64> {
        self.inner.registry.borrow().serial(name)
    }

    /// Removes every tool.
    pub fn clear(&self) {
        let changes = self.inner.registry.borrow_mut().clear();
        self.announce(&changes);
    }

    /// Whether there is a tool of that name.
    pub fn has(&self, name: &str) -> bool {
        self.serial(name).is_some()
    }

    /// The names of its tools, in the order they were added.
    pub fn names(&self) -> Vec<String> {
        self.all().iter().map(|tool| tool.name().to_string()).collect()
    }

    /// The tool of that name.
    pub(crate) fn get(&self, name: &str) -> Option<Rc<CoreTool>> {
        self.inner.registry.borrow().get(name).cloned()
    }

    /// Every tool, in the order they were added.
    pub(crate) fn all(&self) -> Vec<Rc<CoreTool>> {
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
    pub(crate) fn version(&self) -> u64 {
        self.inner.registry.borrow().version()
    }

    /// The array `tools/list` shows. Each tool describes itself first, with nothing borrowed, as
    /// that may run an author's `toJSON`.
    pub(crate) fn listing(&self, era: Era) -> JsValue {
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
    pub(crate) fn unlistable(&self) -> Vec<(Rc<str>, String)> {
        self.listing(Era::Stateless);
        self.inner.registry.borrow().unlistable()
    }

    /// Calls `on_change` after every change, until the follower is dropped.
    ///
    /// ```no_run
    /// # let tools = modelport::ToolManager::new();
    /// let follower = tools.follow(|changes| {
    ///     for change in changes {
    ///         let came = change.added.as_ref().map(|tool| tool.name().to_string());
    ///         let went = change.removed.as_ref().map(|tool| tool.name().to_string());
    ///     }
    /// });
    /// # drop(follower);
    /// ```
    pub fn follow(&self, on_change: impl Fn(&[Changed]) + 'static) -> Follower {
        let number = self.inner.next_follower.get();
        self.inner.next_follower.set(number + 1);
        self.inner.followers.borrow_mut().push((number, Rc::new(on_change)));
        Follower { manager: Rc::downgrade(&self.inner), number }
    }

    /// Whether two are the same manager.
    pub(crate) fn is(&self, other: &ToolManager) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
    }

    /// Runs a tool. The error is that there is none of that name.
    pub(crate) fn start(
        &self,
        name: &str,
        arguments: JsValue,
        signal: JsValue,
        progress: Option<OnProgress>,
        done: OnDone,
    ) -> Result<Option<u32>, Error> {
        let Some(tool) = self.get(name) else {
            return Err(Error::new(Code::InvalidParams, ["Unknown tool: ", name].concat()));
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

/// Two are equal if they are the same manager.
impl PartialEq for ToolManager {
    fn eq(&self, other: &Self) -> bool {
        self.is(other)
    }
}

impl fmt::Debug for ToolManager {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ToolManager").field(&self.names()).finish()
    }
}

/// Gives a run up whose caller is gone.
struct AbortOnDrop(Option<u32>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(run) = self.0 {
            run::abort(run, "nobody waits for it any more");
        }
    }
}
