//! The carriers of messages: a port of ours, or any object with the official SDK's `Transport` interface.

use super::raw::{self, Carrier, PostTarget};
use crate::core::revision::Revision;
use crate::json::{Json, Kind};
use gloo_events::EventListener;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// What a carrier brings.
pub enum Arrival {
    /// A frame.
    Frame(JsValue),
    /// Text that is not JSON, or data that could not be deserialised.
    Garbled,
    /// The carrier reports a fault of its own.
    Fault(JsValue),
    /// The carrier is closed.
    Closed,
}

/// Receives what a carrier brings.
pub type OnArrival = Rc<dyn Fn(Arrival)>;

/// An open carrier.
pub enum Link {
    /// A `MessagePort`, a `Worker`, or a worker's own scope.
    Port(PortLink),
    /// Somebody's `Transport`.
    Carrier(CarrierLink),
}

impl Link {
    /// Sends a frame. The error is what the carrier threw.
    pub fn send(&self, frame: &JsValue) -> Result<Option<js_sys::Promise>, JsValue> {
        match self {
            Link::Port(port) => port.send(frame).map(|()| None),
            Link::Carrier(carrier) => carrier.carrier.send(frame).map(|sent| sent.dyn_into().ok()),
        }
    }

    /// Closes the carrier. It brings nothing any more.
    pub fn close(&self) {
        match self {
            Link::Port(port) => port.close(),
            Link::Carrier(carrier) => carrier.close(),
        }
    }

    /// Tells the carrier which revision was agreed on, if it wants to know.
    pub fn negotiated(&self, revision: Revision) {
        if let Link::Carrier(carrier) = self {
            // The member is optional, and a carrier that throws here still carries.
            let _ = carrier.carrier.set_protocol_version(revision.name());
        }
    }
}

/// How frames travel over a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As structured clones.
    Clone,
    /// As JSON text.
    Text,
    /// As whichever is faster for the frame; the peer is ours and reads both.
    Either,
}

/// A port with its listeners. Frames are structured clones; a peer that sends JSON text is
/// answered in text.
pub struct PortLink {
    target: PostTarget,
    form: Rc<Cell<Form>>,
    listeners: RefCell<Vec<EventListener>>,
}

impl PortLink {
    /// Listens on a port and starts it. What was queued before arrives in order.
    pub fn open(target: &JsValue, form: Form, on_arrival: OnArrival) -> Self {
        let form = Rc::new(Cell::new(form));
        let events: &web_sys::EventTarget = target.unchecked_ref();
        let garbled = on_arrival.clone();
        let answer_in = form.clone();
        let message = EventListener::new(events, "message", move |event| {
            let data = event.unchecked_ref::<web_sys::MessageEvent>().data();
            if data.kind() != Kind::String {
                return on_arrival(Arrival::Frame(data));
            }
            if answer_in.get() == Form::Clone {
                answer_in.set(Form::Text);
            }
            on_arrival(data.parse_text().map_or(Arrival::Garbled, Arrival::Frame));
        });
        let broken = EventListener::new(events, "messageerror", move |_| garbled(Arrival::Garbled));
        let target: PostTarget = target.clone().unchecked_into();
        // Workers and scopes have no start(); they are started already.
        let _ = target.start();
        PortLink { target, form, listeners: RefCell::new(vec![message, broken]) }
    }

    fn send(&self, frame: &JsValue) -> Result<(), JsValue> {
        match self.form.get() {
            // Something in it may not be cloneable, of which JSON knows a form all the same, as with a toJSON().
            Form::Clone => self.post(frame).or_else(|_| self.post(&raw::plain(frame)?)),
            Form::Text => self.post(&raw::stringify(frame)?),
            Form::Either => refused(raw::post_either(&self.target, frame)),
        }
    }

    fn post(&self, message: &JsValue) -> Result<(), JsValue> {
        refused(raw::post(&self.target, message))
    }

    fn close(&self) {
        self.listeners.borrow_mut().clear();
        // A scope's own close() would end the worker; only ports are ours to close.
        if self.target.has_type::<web_sys::MessagePort>() {
            let _ = self.target.close();
        }
    }
}

fn refused(thrown: JsValue) -> Result<(), JsValue> {
    if thrown.is_undefined() { Ok(()) } else { Err(thrown) }
}

type Callback = Closure<dyn Fn(JsValue)>;

/// Somebody's `Transport` with our callbacks on it.
pub struct CarrierLink {
    carrier: Carrier,
    closures: RefCell<Vec<Callback>>,
    closed: Cell<bool>,
}

impl CarrierLink {
    /// Sets the callbacks; the carrier is to be started next.
    pub fn open(carrier: JsValue, on_arrival: OnArrival) -> Self {
        let carrier: Carrier = carrier.unchecked_into();
        let arrival = on_arrival.clone();
        let onmessage = Closure::<dyn Fn(JsValue)>::new(move |frame: JsValue| match frame.kind() {
            Kind::String => arrival(frame.parse_text().map_or(Arrival::Garbled, Arrival::Frame)),
            _ => arrival(Arrival::Frame(frame)),
        });
        let fault = on_arrival.clone();
        let onerror = Closure::<dyn Fn(JsValue)>::new(move |error| fault(Arrival::Fault(error)));
        let onclose = Closure::<dyn Fn(JsValue)>::new(move |_| on_arrival(Arrival::Closed));
        carrier.set_onmessage(onmessage.as_ref());
        carrier.set_onerror(onerror.as_ref());
        carrier.set_onclose(onclose.as_ref());
        CarrierLink { carrier, closures: RefCell::new(vec![onmessage, onerror, onclose]), closed: Cell::new(false) }
    }

    /// Starts the carrier and waits until it is open.
    pub async fn start(carrier: &JsValue) -> Result<(), JsValue> {
        let carrier: &Carrier = carrier.unchecked_ref();
        let started = carrier.start_carrier()?;
        JsFuture::from(js_sys::Promise::resolve(&started)).await.map(|_| ())
    }

    fn close(&self) {
        self.detach();
        if !self.closed.replace(true)
            && let Ok(closing) = self.carrier.close_carrier()
        {
            // What goes wrong while closing has nobody left to tell; it must not become an unhandled rejection.
            super::spawn::spawn(async move {
                let _ = JsFuture::from(js_sys::Promise::resolve(&closing)).await;
            });
        }
    }

    /// Takes our callbacks off before the closures behind them are freed.
    fn detach(&self) {
        let closures = self.closures.take();
        if closures.is_empty() {
            return;
        }
        self.carrier.set_onmessage(&JsValue::UNDEFINED);
        self.carrier.set_onerror(&JsValue::UNDEFINED);
        self.carrier.set_onclose(&JsValue::UNDEFINED);
    }
}

impl Drop for CarrierLink {
    fn drop(&mut self) {
        self.detach();
    }
}
