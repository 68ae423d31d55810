//! A server in a page: one manager of tools, any number of sessions.

use super::session::{Opened, Session};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::server::{Input, Profile, Versions};
use crate::web::link::Link;
use crate::web::live::Counted;
use crate::web::raw;
use crate::web::spawn::awaited;
use crate::web::tool::CoreTool;
use crate::web::tools::{Follower, ToolManager};
use crate::web::transport::{Carrier, Transport};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// What a server is made of.
pub struct ServerOptions {
    /// Its tools.
    pub tools: ToolManager,
    /// What it says of itself and offers.
    pub profile: Profile<JsValue>,
    /// Answers the methods it offers beside the tools': it is run with `{ method, params }`.
    pub provider: Option<Rc<CoreTool>>,
    /// Seals the state that stateless peers carry, as `{ seal(text, bound), open(sealed, bound) }`; by
    /// default the platform's own cipher with a key of this server's.
    pub sealer: JsValue,
    /// Hears of faults that have no answer, as JavaScript errors.
    pub on_fault: Option<Rc<dyn Fn(JsValue)>>,
}

/// A server of tools, and of what else it offers, to any number of peers (MCP, server). [`Server::builder`] makes
/// one. Dropping it closes its sessions.
///
/// ```no_run
/// use modelport::{Error, Server, ToolManager, Transport};
/// use serde_json::json;
///
/// # async fn example(tools: ToolManager, port: web_sys::MessagePort) -> Result<(), Error> {
/// let server = Server::builder(&tools, "box-office", "1.0.0")
///     .resources(
///         async |_| Ok(vec![json!({ "uri": "box://seats", "name": "Seats" })]),
///         async |uri, _| Ok((uri == "box://seats").then(|| json!({ "contents": [{ "uri": uri, "text": "A1 A2" }] }))),
///     )
///     .build();
/// server.serve(Transport::port(&port)).await?;
/// server.resource_updated("box://seats");
/// # Ok(()) }
/// ```
pub struct Server {
    shared: Rc<Shared>,
    follower: Cell<Option<Follower>>,
}

pub(super) struct Shared {
    tools: RefCell<ToolManager>,
    pub(super) profile: Rc<Profile<JsValue>>,
    pub(super) provider: RefCell<Option<Rc<CoreTool>>>,
    pub(super) sealer: JsValue,
    /// Tells quick.js that the tools have changed.
    quick: JsValue,
    prompts: Cell<u64>,
    resources: Cell<u64>,
    next_session: Cell<u64>,
    on_fault: Option<Rc<dyn Fn(JsValue)>>,
    pub(super) sessions: RefCell<Vec<Rc<Session>>>,
    announcing: Cell<bool>,
    closed: Cell<bool>,
    _counted: Counted,
}

impl Server {
    /// A server without sessions.
    pub(crate) fn new(options: ServerOptions) -> Self {
        let shared = Rc::new(Shared {
            tools: RefCell::new(options.tools.clone()),
            quick: raw::new_tools(),
            sealer: raw::new_sealer(&options.sealer, options.profile.limits.input_wait),
            profile: Rc::new(options.profile),
            provider: RefCell::new(options.provider),
            prompts: Cell::new(0),
            resources: Cell::new(0),
            next_session: Cell::new(0),
            on_fault: options.on_fault,
            sessions: RefCell::new(Vec::new()),
            announcing: Cell::new(false),
            closed: Cell::new(false),
            _counted: Counted::new(),
        });
        let weak = Rc::downgrade(&shared);
        let follower = options.tools.follow(move |_| {
            if let Some(shared) = weak.upgrade() {
                raw::changed(&shared.quick);
                shared.announce_soon();
            }
        });
        Server { shared, follower: Cell::new(Some(follower)) }
    }

    /// Serves a port, a worker or a worker's scope. The session is open when this returns.
    pub(crate) fn serve_port(&self, port: &JsValue, options: &JsValue) -> Rc<Session> {
        let session = self.open();
        let profile = &self.shared.profile;
        let link = session.set_link(Link::port(port, options, &profile.limits, session.arrival()));
        if profile.limits.has_usual_calls() {
            link.serve(&self.shared.quick, profile.stamp(), session.finding());
        }
        session
    }

    /// Serves somebody's `Transport`; `done` is told once it has started.
    pub(crate) fn open_carrier(&self, carrier: &JsValue, done: Opened) {
        let session = self.open();
        session.starting.replace(Some(done));
        let link = session.set_link(Link::carrier(carrier, &self.shared.profile.limits, session.arrival()));
        link.start();
    }

    /// Serves whoever is at the other end of a carrier, from when it has started. The error is what the carrier
    /// failed with. The server keeps the session, for as long as it lives; the `Rc` is for looking at it, and for
    /// ending it.
    pub async fn serve(&self, transport: Transport) -> Result<Rc<Session>, Error> {
        match transport.0 {
            Carrier::Port(port, options) => Ok(self.serve_port(&port, &options)),
            Carrier::Script(carrier) => {
                let started = awaited(|done| self.open_carrier(&carrier, done)).await;
                Ok(started.ok_or_else(|| Error::new(Code::Closed, "the server is gone"))??)
            }
        }
    }

    /// Closes every session, and whatever opens one later.
    pub fn close(&self) {
        self.shared.closed.set(true);
        raw::changed(&self.shared.quick);
        for session in self.shared.sessions.take() {
            session.close();
        }
        // A script's functions hold on to what they were written beside, which may be this server's own handle.
        self.shared.provider.take();
        self.shared.tools.take();
        self.follower.take();
    }

    /// Whether it was closed.
    pub fn is_closed(&self) -> bool {
        self.shared.closed.get()
    }

    /// How many sessions are open.
    pub fn sessions(&self) -> usize {
        self.shared.sessions.borrow().len()
    }

    /// The prompts changed; peers that want to know are told when the code that changed them has returned.
    pub fn prompts_changed(&self) {
        self.shared.prompts.set(self.shared.prompts.get() + 1);
        self.shared.announce_soon();
    }

    /// The resources changed, likewise.
    pub fn resources_changed(&self) {
        self.shared.resources.set(self.shared.resources.get() + 1);
        self.shared.announce_soon();
    }

    /// A resource changed; those who subscribed to it are told.
    pub fn resource_updated(&self, uri: &str) {
        for session in self.shared.present() {
            session.feed(Input::Updated { uri: uri.to_owned() });
        }
    }

    /// A task changed; those who named it are told what it has come to.
    pub(crate) fn task_changed(&self, id: &str, task: &JsValue) {
        for session in self.shared.present() {
            session.feed(Input::TaskChanged { id: id.to_owned(), params: task.clone() });
        }
    }

    fn open(&self) -> Rc<Session> {
        let shared = &self.shared;
        let number = shared.next_session.get();
        shared.next_session.set(number + 1);
        let session = Rc::new(Session::new(shared, number));
        shared.sessions.borrow_mut().push(session.clone());
        session
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    /// One notice for a burst of changes: it is sent when the code that makes them has returned.
    fn announce_soon(self: &Rc<Self>) {
        if self.sessions.borrow().is_empty() || self.announcing.replace(true) {
            return;
        }
        let shared = self.clone();
        raw::soon(&Closure::once_into_js(move || {
            shared.announcing.set(false);
            let versions = shared.versions();
            for session in shared.present() {
                session.feed(Input::Announce(versions));
            }
        }));
    }

    /// The sessions as they are now, with nothing borrowed: a carrier may close one while it is told something.
    fn present(&self) -> Vec<Rc<Session>> {
        self.sessions.borrow().clone()
    }

    /// Its tools; none once it is closed.
    pub(super) fn tools(&self) -> ToolManager {
        self.tools.borrow().clone()
    }

    pub(super) fn versions(&self) -> Versions {
        Versions { tools: self.tools().version(), prompts: self.prompts.get(), resources: self.resources.get() }
    }

    pub(super) fn fault(&self, error: JsValue) {
        if let Some(on_fault) = self.on_fault.clone() {
            on_fault(error);
        }
    }
}
