//! A client in a page: one connection, any number of calls.

use crate::core::client::{self, Effect, Input, Manner, Opening, Pages, Peer, Request};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::frame::TypeFact;
use crate::core::limits::Limits;
use crate::core::message::Id;
use crate::core::revision::Implementation;
use crate::json::{Json, Key, Kind, Word, put};
use crate::web::error::{describe, to_js};
use crate::web::link::{Arrival, Link};
use crate::web::live::{Counted, Timer};
use crate::web::pump::Pump;
use crate::web::raw;
use crate::web::run::OnProgress;
use crate::web::spawn::{Done, awaited};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Sees every frame: whether it was sent, and the frame.
pub type OnFrame = Rc<dyn Fn(bool, &JsValue)>;

/// Hears a question of the server: its number, the method, its parameters.
pub type OnAsk = Rc<dyn Fn(i64, Key, JsValue)>;

type Core = client::Client<JsValue, Waiter>;
type Connecting = Done<Result<Peer<JsValue>, Error>>;

/// What a client is made of.
pub struct ClientOptions {
    /// How it introduces itself.
    pub implementation: Implementation,
    /// What it can do for a server that asks: the capabilities it declares, an object.
    pub capabilities: JsValue,
    /// Which era to open with.
    pub opening: Opening,
    /// Timeouts and bounds.
    pub limits: Limits,
    /// Hears of faults that concern no call, as JavaScript errors.
    pub on_fault: Option<Rc<dyn Fn(JsValue)>>,
    /// Hears of notifications: method and parameters.
    pub on_notification: Option<Rc<dyn Fn(String, JsValue)>>,
    /// Hears what the server asks: a number for [`Client::reply`], the method, its parameters.
    pub on_ask: Option<OnAsk>,
    /// Hears that nobody waits for the answer to a question any more.
    pub on_unask: Option<Rc<dyn Fn(i64)>>,
    /// Sees every frame: whether it was sent, and the frame.
    pub on_frame: Option<OnFrame>,
    /// Hears once that the connection is closed.
    pub on_close: Option<Rc<dyn Fn()>>,
    /// A script's waiters: a `Map` of `{ resolve, reject, progress }`.
    pub waiters: JsValue,
}

/// Who waits for an answer.
pub enum Waiter {
    /// A script: an entry of its own under this number in the client's `waiters`.
    Script(u32),
    /// A callback, which may hear progress.
    Rust(
        Done<Result<JsValue, Error>>,
        #[cfg_attr(feature = "npm", allow(dead_code, reason = "the package's callers are scripts"))] Option<OnProgress>,
    ),
}

/// One connection to a server. [`Client::builder`] makes one, [`Client::connect`] opens it; it is shared by its `Rc`.
///
/// ```no_run
/// use modelport::{Client, Error, Transport};
/// use serde_json::json;
///
/// # async fn example(port: web_sys::MessagePort) -> Result<(), Error> {
/// let client = Client::builder("page", "1.0.0")
///     .elicit(async |question| {
///         let name = web_sys::window().and_then(|w| w.prompt_with_message(question["message"].as_str()?).ok()?);
///         Ok(match name {
///             Some(name) => json!({ "action": "accept", "content": { "name": name } }),
///             None => json!({ "action": "decline" }),
///         })
///     })
///     .build();
/// client.connect(Transport::port(&port)).await?;
/// let seats = client.call_tool("find_seats", &json!({ "row": "B" })).await?;
/// assert!(!seats.is_error(), "{}", seats.text());
/// client.close();
/// # Ok(()) }
/// ```
pub struct Client {
    pub(super) pump: Pump<Core>,
    pub(super) options: ClientOptions,
    pub(super) link: RefCell<Option<Rc<Link>>>,
    timer: RefCell<Option<Timer>>,
    starting: RefCell<Option<Done<Result<(), JsValue>>>>,
    connecting: RefCell<Option<Connecting>>,
    _counted: Counted,
}

impl Client {
    /// A client that is not connected.
    pub(crate) fn new(options: ClientOptions) -> Rc<Self> {
        let core = client::Client::new(
            options.implementation.clone(),
            options.capabilities.clone(),
            options.opening,
            options.limits,
        );
        Rc::new(Client {
            pump: Pump::new(core),
            options,
            link: RefCell::new(None),
            timer: RefCell::new(None),
            starting: RefCell::new(None),
            connecting: RefCell::new(None),
            _counted: Counted::new(),
        })
    }

    /// Takes a port as the carrier, with the options of `MessagePortTransport` or undefined.
    pub(crate) fn use_port(self: &Rc<Self>, port: &JsValue, options: &JsValue) {
        let link = Link::port(port, options, &self.options.limits, self.arrival());
        self.link.replace(Some(Rc::new(link)));
    }

    /// Takes somebody's `Transport` as the carrier, and starts it; `done` is told how that went.
    pub(crate) fn open_carrier(self: &Rc<Self>, carrier: &JsValue, done: Done<Result<(), JsValue>>) {
        let link = Rc::new(Link::carrier(carrier, &self.options.limits, self.arrival()));
        self.starting.replace(Some(done));
        self.link.replace(Some(link.clone()));
        link.start();
    }

    /// Takes somebody's `Transport` as the carrier, and waits until it has started.
    pub(crate) async fn use_carrier(self: &Rc<Self>, carrier: &JsValue) -> Result<(), JsValue> {
        let started = awaited(|done| self.open_carrier(carrier, done)).await;
        started.unwrap_or_else(|| Err(to_js(&gone())))
    }

    /// Opens the conversation on the carrier; `done` is told what the peer is. One that `is_old` is not
    /// asked whether it speaks the stateless era.
    pub(crate) fn open(self: &Rc<Self>, is_old: bool, done: Connecting) {
        if self.connecting.borrow().is_some() {
            return done(Err(Error::new(Code::InvalidArgument, "connect() is under way already")));
        }
        self.connecting.replace(Some(done));
        self.feed(Input::Connect { now: raw::now(), is_old });
    }

    /// Opens the conversation on the carrier.
    pub(crate) async fn open_conversation(self: &Rc<Self>) -> Result<Peer<JsValue>, Error> {
        awaited(|done| self.open(false, done)).await.unwrap_or_else(|| Err(gone()))
    }

    /// Sends a request; the number names the call in [`Client::cancel`].
    pub(crate) fn request(self: &Rc<Self>, request: Request<JsValue, Waiter>) -> Option<i64> {
        let call = self.pump.look(Core::upcoming).flatten();
        self.feed(Input::Request { now: raw::now(), request });
        call
    }

    /// Sends a notification.
    pub(crate) fn notify(self: &Rc<Self>, method: Word<JsValue>, params: Option<JsValue>) {
        self.feed(Input::Notify { method, params });
    }

    /// Answers a question of the server.
    pub(crate) fn reply(self: &Rc<Self>, ask: i64, outcome: Result<JsValue, Error>) {
        self.feed(Input::Replied { now: raw::now(), ask, outcome });
    }

    /// Gives a call up.
    pub(crate) fn cancel(self: &Rc<Self>, call: i64, reason: Option<String>) {
        self.feed(Input::Cancel { id: Id::Number(call), reason });
    }

    /// Every entry of a list, all pages of it: `tools/list`, `prompts/list`, `resources/list` or
    /// `resources/templates/list`.
    pub(crate) async fn list(self: &Rc<Self>, method: Key) -> Result<Vec<JsValue>, Error> {
        awaited(|done| self.collect(method, false, done)).await.unwrap_or_else(|| Err(gone()))
    }

    /// The same for a callback. What was kept will not do if it is wanted anew.
    pub(crate) fn collect(self: &Rc<Self>, method: Key, anew: bool, done: Done<Result<Vec<JsValue>, Error>>) {
        let member = match method {
            Key::ResourcesList => Key::Resources,
            Key::ResourcesTemplatesList => Key::ResourceTemplates,
            Key::PromptsList => Key::Prompts,
            _ => Key::Tools,
        };
        self.next_page(method, anew, Pages::new(member, self.options.limits), None, done);
    }

    fn next_page(
        self: &Rc<Self>,
        method: Key,
        anew: bool,
        mut pages: Pages<JsValue>,
        cursor: Option<String>,
        done: Done<Result<Vec<JsValue>, Error>>,
    ) {
        let mut params = Vec::new();
        put(&mut params, Key::Cursor, cursor.as_deref().map(JsValue::from_str));
        let client = self.clone();
        let take = move |page: Result<JsValue, Error>| match page.and_then(|page| pages.take(&page)) {
            Ok(None) => done(Ok(pages.into_entries())),
            Ok(cursor) => client.next_page(method, anew, pages, cursor, done),
            Err(error) => done(Err(error)),
        };
        let mut request = plain(Word::Known(method), params, Box::new(take));
        request.manner.anew = anew;
        self.request(request);
    }

    /// How many calls wait for an answer.
    pub fn in_flight(&self) -> usize {
        let held = self.link.borrow().as_ref().map_or(0, |link| link.held());
        held + self.pump.look(|core| core.in_flight()).unwrap_or(0)
    }

    /// Ends the connection: everybody who waits gets `closed`.
    pub fn close(self: &Rc<Self>) {
        let link = self.link.borrow_mut().take();
        if let Some(link) = &link {
            link.close();
        }
        self.timer.borrow_mut().take();
        self.feed(Input::Close);
        // A carrier that was let go of tells nothing any more, not even that it has started.
        let starting = self.starting.borrow_mut().take();
        if let Some(starting) = starting {
            starting(Err(to_js(&Error::new(Code::Closed, "closed while the carrier started"))));
        }
        if let (Some(_), Some(on_close)) = (link, self.options.on_close.clone()) {
            on_close();
        }
    }

    fn is_ready(&self) -> bool {
        self.pump.look(|core| core.revision().is_some()).unwrap_or(false)
    }

    fn arrival(self: &Rc<Self>) -> impl Fn(Arrival) + 'static {
        let weak = Rc::downgrade(self);
        move |arrival| {
            let Some(client) = weak.upgrade() else { return };
            match arrival {
                Arrival::Frame(frame) => {
                    if let Some(on_frame) = client.options.on_frame.clone() {
                        on_frame(false, &frame.value);
                    }
                    // Time matters only to what may have to be sent, and to progress, which are not answers.
                    let is_answer = frame.facts.result_type != TypeFact::Other && frame.facts.method == Kind::Absent;
                    let now = if is_answer && client.is_ready() { 0.0 } else { raw::now() };
                    client.feed(Input::Frame { now, frame });
                }
                Arrival::Garbled | Arrival::Oversized => client.feed(Input::Garbled),
                Arrival::Fault(error) => client.fault(error),
                Arrival::Closed => client.close(),
                Arrival::Unsent(frame, thrown) => client.unsendable(frame, &thrown),
                Arrival::Changed => {}
                Arrival::Started(outcome) => {
                    let starting = client.starting.borrow_mut().take();
                    if let Some(starting) = starting {
                        starting(outcome);
                    }
                }
            }
        }
    }

    pub(super) fn feed(self: &Rc<Self>, input: Input<JsValue, Waiter>) {
        self.pump.feed(input, &|effect| self.perform(effect));
    }

    fn perform(self: &Rc<Self>, effect: Effect<JsValue, Waiter>) {
        match effect {
            Effect::Send(frame) => self.send(frame),
            Effect::Settle { waiter: Waiter::Rust(done, _), outcome } => done(outcome),
            Effect::Settle { waiter: Waiter::Script(number), outcome } => match outcome {
                Ok(result) => raw::settle(&self.options.waiters, number, true, &result),
                Err(error) => raw::settle(&self.options.waiters, number, false, &to_js(&error)),
            },
            Effect::Progress { call, params } => {
                // Whoever calls by way of the npm package is a script.
                #[cfg(not(feature = "npm"))]
                self.tell_rust(&call, &params);
                let number = self.pump.look(|core| match core.waiter(&call) {
                    Some(Waiter::Script(number)) => Some(*number),
                    _ => None,
                });
                let told = number.flatten().is_none_or(|number| raw::tell(&self.options.waiters, number, &params));
                if !told {
                    self.fault(raw::take_thrown());
                }
            }
            Effect::Notification { method, params } => {
                if let Some(on_notification) = self.options.on_notification.clone() {
                    on_notification(method, params.unwrap_or(JsValue::UNDEFINED));
                }
            }
            Effect::Asked { ask, method, params } => match self.options.on_ask.clone() {
                Some(on_ask) => on_ask(ask, method, params),
                None => self.reply(ask, Err(Error::new(Code::MethodNotFound, "Nobody answers this here"))),
            },
            Effect::Unasked { ask } => {
                if let Some(on_unask) = self.options.on_unask.clone() {
                    on_unask(ask);
                }
            }
            Effect::Connected(outcome) => {
                if let (Ok(peer), Some(link)) = (&outcome, self.link.borrow().clone()) {
                    link.negotiated(peer.revision);
                }
                let waiting = self.connecting.borrow_mut().take();
                if let Some(waiting) = waiting {
                    waiting(outcome);
                }
            }
            Effect::WakeAt(at) => self.wake_at(at),
            Effect::Fault(error) => self.fault(to_js(&error)),
        }
    }

    #[cfg(not(feature = "npm"))]
    fn tell_rust(&self, call: &Id, params: &JsValue) {
        let hear = self.pump.look(|core| match core.waiter(call) {
            Some(Waiter::Rust(_, hear)) => hear.clone(),
            _ => None,
        });
        if let Some(hear) = hear.flatten() {
            hear(crate::web::run::Progress::read(params));
        }
    }

    fn send(self: &Rc<Self>, frame: JsValue) {
        if let Some(on_frame) = self.options.on_frame.clone() {
            on_frame(true, &frame);
        }
        let Some(link) = self.link.borrow().clone() else { return };
        if let Err(thrown) = link.send(&frame) {
            self.unsendable(frame, &thrown);
        }
    }

    fn unsendable(self: &Rc<Self>, frame: JsValue, thrown: &JsValue) {
        let data = thrown.get(Key::Data).and_then(|data| data.to_text().ok()?.as_string());
        self.feed(Input::Unsendable { now: raw::now(), frame, reason: describe(thrown), data });
    }

    fn wake_at(self: &Rc<Self>, at: f64) {
        let weak = Rc::downgrade(self);
        let timer = Timer::new((at - raw::now()).ceil(), move || {
            let Some(client) = weak.upgrade() else { return };
            client.feed(Input::Elapsed { now: raw::now() });
        });
        self.timer.replace(Some(timer));
    }

    fn fault(&self, error: JsValue) {
        if let Some(on_fault) = self.options.on_fault.clone() {
            on_fault(error);
        }
    }
}

fn gone() -> Error {
    Error::new(Code::Closed, "the client is gone")
}

/// A request with the client's own timeout and without progress.
fn plain(
    method: Word<JsValue>,
    params: Vec<(Key, JsValue)>,
    done: Done<Result<JsValue, Error>>,
) -> Request<JsValue, Waiter> {
    Request { method, params, extra: None, waiter: Waiter::Rust(done, None), manner: Manner::default() }
}
