//! A client in a page: one connection, any number of calls.

use crate::core::client::{self, Effect, Opening, Pages, Peer, Request};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::limits::Limits;
use crate::core::message::Id;
use crate::core::revision::Implementation;
use crate::core::slots::Slots;
use crate::json::{Json, Key, put};
use crate::web::error::{describe, to_js};
use crate::web::link::{Arrival, CarrierLink, Form, Link, OnArrival, PortLink};
use crate::web::pump::Pump;
use crate::web::raw;
use crate::web::spawn::spawn;
use futures_channel::oneshot;
use gloo_timers::callback::Timeout;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The longest a browser's timer can wait; beyond it they ring at once.
const MAX_TIMER: f64 = 2_147_483_647.0;

/// Sees every frame: whether it was sent, and the frame.
pub type OnFrame = Rc<dyn Fn(bool, &JsValue)>;

type Connecting = oneshot::Sender<Result<Peer<JsValue>, Error>>;

/// What a client is made of.
pub struct ClientOptions {
    /// How it introduces itself.
    pub implementation: Implementation,
    /// Which era to open with.
    pub opening: Opening,
    /// Timeouts and bounds.
    pub limits: Limits,
    /// Hears of faults that concern no call, as JavaScript errors.
    pub on_fault: Option<Rc<dyn Fn(JsValue)>>,
    /// Hears of notifications: method and parameters.
    pub on_notification: Option<Rc<dyn Fn(String, JsValue)>>,
    /// Sees every frame: whether it was sent, and the frame.
    pub on_frame: Option<OnFrame>,
    /// Hears once that the connection is closed.
    pub on_close: Option<Rc<dyn Fn()>>,
}

/// Who waits for an answer.
pub enum Waiter {
    /// A promise's two functions.
    Script {
        /// Takes the result.
        resolve: js_sys::Function,
        /// Takes the error.
        reject: js_sys::Function,
    },
    /// A future.
    Rust(oneshot::Sender<Result<JsValue, Error>>),
}

impl Waiter {
    fn settle(self, outcome: Result<JsValue, Error>) {
        match (self, outcome) {
            (Waiter::Script { resolve, .. }, Ok(result)) => drop(resolve.call1(&JsValue::UNDEFINED, &result)),
            (Waiter::Script { reject, .. }, Err(error)) => drop(reject.call1(&JsValue::UNDEFINED, &to_js(&error))),
            // A future that was dropped does not wait any more.
            (Waiter::Rust(sender), outcome) => drop(sender.send(outcome)),
        }
    }
}

/// One connection to a server.
pub struct Client {
    pump: Pump<client::Client<JsValue, Waiter>, Effect<JsValue, Waiter>>,
    options: ClientOptions,
    link: RefCell<Option<Rc<Link>>>,
    progress: RefCell<Slots<js_sys::Function>>,
    timer: RefCell<Option<Timeout>>,
    connecting: RefCell<Option<Connecting>>,
}

impl Client {
    /// A client that is not connected.
    pub fn new(options: ClientOptions) -> Rc<Self> {
        let core = client::Client::new(options.implementation.clone(), options.opening, options.limits);
        Rc::new(Client {
            pump: Pump::new(core),
            options,
            link: RefCell::new(None),
            progress: RefCell::new(Slots::default()),
            timer: RefCell::new(None),
            connecting: RefCell::new(None),
        })
    }

    /// Takes a port as the carrier.
    pub fn use_port(self: &Rc<Self>, port: &JsValue, form: Form) {
        let link = Link::Port(PortLink::open(port, form, self.arrival()));
        self.link.replace(Some(Rc::new(link)));
    }

    /// Takes somebody's `Transport` as the carrier, and starts it.
    pub async fn use_carrier(self: &Rc<Self>, carrier: JsValue) -> Result<(), JsValue> {
        let link = Link::Carrier(CarrierLink::open(carrier.clone(), self.arrival()));
        self.link.replace(Some(Rc::new(link)));
        CarrierLink::start(&carrier).await
    }

    /// Opens the conversation on the carrier.
    pub async fn connect(self: &Rc<Self>) -> Result<Peer<JsValue>, Error> {
        if self.connecting.borrow().is_some() {
            return Err(Error::new(Code::InvalidArgument, "connect() is under way already"));
        }
        let (sender, receiver) = oneshot::channel();
        self.connecting.borrow_mut().replace(sender);
        let now = raw::now();
        self.feed(move |core, effects| core.connect(now, effects));
        receiver.await.unwrap_or_else(|_| Err(Error::new(Code::Closed, "the client is gone")))
    }

    /// Sends a request; the number names the call in [`Client::cancel`].
    pub fn request(
        self: &Rc<Self>,
        request: Request<JsValue, Waiter>,
        progress: Option<js_sys::Function>,
    ) -> Option<Id> {
        let now = raw::now();
        let client = self.clone();
        let step = move |core: &mut client::Client<JsValue, Waiter>, effects: &mut Vec<_>| {
            let id = core.request(now, request, effects);
            // Entered before anything is sent, as over some carriers the answer comes while sending.
            if let (Some(id), Some(progress)) = (&id, progress) {
                client.progress.borrow_mut().insert(id.clone(), progress);
            }
            id
        };
        self.pump.feed(step, &|effect| self.perform(effect)).flatten()
    }

    /// Gives a call up.
    pub fn cancel(self: &Rc<Self>, id: Id, reason: Option<String>) {
        self.feed(move |core, effects| core.cancel(&id, reason.as_deref(), effects));
    }

    /// Calls a method and waits. Dropping the future cancels the call.
    pub async fn call(self: &Rc<Self>, method: JsValue, params: Vec<(Key, JsValue)>) -> Result<JsValue, Error> {
        let (sender, receiver) = oneshot::channel();
        let request =
            Request { method, params, extra: None, waiter: Waiter::Rust(sender), timeout: None, progress: false };
        let guard = CancelOnDrop { client: self.clone(), id: self.request(request, None) };
        let outcome = receiver.await;
        guard.keep();
        outcome.unwrap_or_else(|_| Err(Error::new(Code::Closed, "the client is gone")))
    }

    /// Every tool of the server, all pages of them, as it describes them.
    pub async fn list_tools(self: &Rc<Self>) -> Result<Vec<JsValue>, Error> {
        let mut pages = Pages::new(Key::Tools, self.options.limits);
        let mut cursor: Option<String> = None;
        loop {
            let mut params = Vec::new();
            put(&mut params, Key::Cursor, cursor.as_deref().map(JsValue::from_str));
            cursor = pages.take(&self.call(JsValue::word(Key::ToolsList), params).await?)?;
            if cursor.is_none() {
                return Ok(pages.into_entries());
            }
        }
    }

    /// How many calls wait for an answer.
    pub fn in_flight(&self) -> usize {
        self.pump.look(|core| core.in_flight()).unwrap_or(0)
    }

    /// Ends the connection: everybody who waits gets `closed`.
    pub fn close(self: &Rc<Self>) {
        let link = self.link.borrow_mut().take();
        if let Some(link) = &link {
            link.close();
        }
        self.timer.borrow_mut().take();
        self.feed(|core, effects| core.close(effects));
        if let (Some(_), Some(on_close)) = (link, self.options.on_close.clone()) {
            on_close();
        }
    }

    fn is_ready(&self) -> bool {
        self.pump.look(|core| core.revision().is_some()).unwrap_or(false)
    }

    fn arrival(self: &Rc<Self>) -> OnArrival {
        let weak = Rc::downgrade(self);
        Rc::new(move |arrival| {
            let Some(client) = weak.upgrade() else { return };
            match arrival {
                Arrival::Frame(frame) => {
                    if let Some(on_frame) = client.options.on_frame.clone() {
                        on_frame(false, &frame);
                    }
                    // Time matters only to what connecting may still have to send.
                    let now = if client.is_ready() { 0.0 } else { raw::now() };
                    client.feed(move |core, effects| core.receive(now, &frame, effects));
                }
                Arrival::Garbled => client.feed(|core, effects| core.garbled(effects)),
                Arrival::Fault(error) => client.fault(error),
                Arrival::Closed => client.close(),
            }
        })
    }

    fn feed(
        self: &Rc<Self>,
        step: impl FnOnce(&mut client::Client<JsValue, Waiter>, &mut Vec<Effect<JsValue, Waiter>>) + 'static,
    ) {
        self.pump.feed(step, &|effect| self.perform(effect));
    }

    fn perform(self: &Rc<Self>, effect: Effect<JsValue, Waiter>) {
        match effect {
            Effect::Send { frame, opens } => self.send(&frame, opens),
            Effect::Settle { call, waiter, outcome } => {
                if let Some(call) = call {
                    self.progress.borrow_mut().remove(&call);
                }
                waiter.settle(outcome);
            }
            Effect::Progress { call, params } => {
                let receiver = self.progress.borrow().get(&call).cloned();
                if let Some(Err(thrown)) = receiver.map(|receiver| receiver.call1(&JsValue::UNDEFINED, &params)) {
                    self.fault(thrown);
                }
            }
            Effect::Notification { method, params } => {
                if let Some(on_notification) = self.options.on_notification.clone() {
                    on_notification(method, params.unwrap_or(JsValue::UNDEFINED));
                }
            }
            Effect::Connected(outcome) => {
                if let (Ok(peer), Some(link)) = (&outcome, self.link.borrow().clone()) {
                    link.negotiated(peer.revision);
                }
                let waiting = self.connecting.borrow_mut().take();
                if let Some(waiting) = waiting {
                    // Nobody may be left who awaits connect().
                    let _ = waiting.send(outcome);
                }
            }
            Effect::WakeAt(at) => self.wake_at(at),
            Effect::Fault(error) => self.fault(to_js(&error)),
        }
    }

    fn send(self: &Rc<Self>, frame: &JsValue, opens: Option<Id>) {
        if let Some(on_frame) = self.options.on_frame.clone() {
            on_frame(true, frame);
        }
        let Some(link) = self.link.borrow().clone() else { return };
        match link.send(frame) {
            Ok(None) => {}
            Ok(Some(sending)) => {
                let client = Rc::downgrade(self);
                spawn(async move {
                    if let (Err(thrown), Some(client)) = (JsFuture::from(sending).await, client.upgrade()) {
                        client.unsendable(opens, thrown);
                    }
                });
            }
            Err(thrown) => self.unsendable(opens, thrown),
        }
    }

    fn unsendable(self: &Rc<Self>, opens: Option<Id>, thrown: JsValue) {
        let Some(id) = opens else { return self.fault(thrown) };
        let (now, reason) = (raw::now(), describe(&thrown));
        self.feed(move |core, effects| core.unsendable(now, &id, &reason, effects));
    }

    fn wake_at(self: &Rc<Self>, at: f64) {
        let wait = (at - raw::now()).clamp(0.0, MAX_TIMER).ceil();
        let weak = Rc::downgrade(self);
        let timer = Timeout::new(wait as u32, move || {
            let Some(client) = weak.upgrade() else { return };
            let now = raw::now();
            client.feed(move |core, effects| core.elapsed(now, effects));
        });
        self.timer.replace(Some(timer));
    }

    fn fault(&self, error: JsValue) {
        if let Some(on_fault) = self.options.on_fault.clone() {
            on_fault(error);
        }
    }
}

/// Cancels a call whose future was dropped before its answer.
struct CancelOnDrop {
    client: Rc<Client>,
    id: Option<Id>,
}

impl CancelOnDrop {
    fn keep(mut self) {
        self.id = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            self.client.cancel(id, None);
        }
    }
}
