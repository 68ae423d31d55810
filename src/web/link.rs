//! The carriers of messages: a port of ours, or any object with the official SDK's `Transport` interface.

use super::raw;
use super::run;
use super::value::kind_of;
use crate::core::frame::{Facts, Frame, MetaFact, TypeFact};
use crate::core::limits::Limits;
use crate::core::revision::Revision;
use crate::json::Key;
use std::any::Any;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

/// What a carrier brings.
pub enum Arrival {
    /// A frame.
    Frame(Frame<JsValue>),
    /// Text that is not JSON, or data that could not be deserialised.
    Garbled,
    /// Text that is longer than the limit; it was not read.
    Oversized,
    /// The carrier reports a fault of its own.
    Fault(JsValue),
    /// The carrier is closed.
    Closed,
    /// The carrier refused a frame, after it had taken it: the frame, and what it threw.
    Unsent(JsValue, JsValue),
    /// The carrier is open, or could not be opened.
    Started(Result<(), JsValue>),
    /// A tool that quick.js ran has changed something the peer may have to hear of.
    Changed,
}

/// What the other side calls: what arrived, with a value and another, and the facts of a frame.
type Arrive = dyn Fn(u32, JsValue, JsValue, u32, u32, f64, f64);

/// Says what tool there is of a name.
type Find = dyn Fn(JsValue) -> JsValue;
/// Gives the first of so many ids in a row.
type Ids = dyn Fn(u32) -> f64;
/// Takes over a call: its id, the tool's name, its arguments, who waits, and when it was sent.
type Hand = dyn Fn(f64, JsValue, JsValue, u32, f64);

/// An open carrier. Dropping it takes our listeners off.
pub struct Link {
    link: JsValue,
    _arrive: Closure<Arrive>,
    /// What quick.js asks, for as long as the link is there.
    asked: RefCell<Option<Box<dyn Any>>>,
}

impl Link {
    /// Listens on a `MessagePort`, a `Worker` or a worker's own scope, and starts it. What was queued
    /// before arrives in order. The options are those of `MessagePortTransport`, or undefined.
    pub fn port(port: &JsValue, options: &JsValue, limits: &Limits, on_arrival: impl Fn(Arrival) + 'static) -> Self {
        let limit = limits.message_length;
        Link::open(|arrive| raw::open_port(port, options, arrive, limit), Box::new(on_arrival))
    }

    /// Sets our callbacks on somebody's `Transport`; it is to be started next.
    pub fn carrier(carrier: &JsValue, limits: &Limits, on_arrival: impl Fn(Arrival) + 'static) -> Self {
        let limit = limits.message_length;
        Link::open(|arrive| raw::open_carrier(carrier, arrive, limit), Box::new(on_arrival))
    }

    fn open(open: impl FnOnce(&JsValue) -> JsValue, on_arrival: Box<dyn Fn(Arrival)>) -> Self {
        let arrive = Closure::<Arrive>::new(move |what, value, more, kinds, states, number, size| {
            on_arrival(match what {
                0 => Arrival::Frame(Frame { value, facts: facts(kinds, states, number, size) }),
                2 => Arrival::Garbled,
                3 => Arrival::Fault(value),
                4 => Arrival::Closed,
                5 => Arrival::Unsent(value, more),
                6 => Arrival::Started(Ok(())),
                8 => Arrival::Oversized,
                9 => Arrival::Changed,
                _ => Arrival::Started(Err(value)),
            });
        });
        Link { link: open(arrive.as_ref()), _arrive: arrive, asked: RefCell::new(None) }
    }

    /// Lets quick.js serve the calls that want nothing but an answer.
    pub fn serve(&self, tools: &JsValue, stamp: &JsValue, find: impl Fn(JsValue) -> JsValue + 'static) {
        let find = Closure::<Find>::new(find);
        raw::serve(&self.link, tools, stamp, find.as_ref(), &run::hooks());
        self.asked.replace(Some(Box::new(find)));
    }

    /// Gives the function that calls tools by quick.js: `(name, args)` to a promise.
    pub fn call_over(
        &self,
        meta: &JsValue,
        enter: &JsValue,
        ids: impl Fn(u32) -> f64 + 'static,
        hand: impl Fn(f64, JsValue, JsValue, u32, f64) + 'static,
    ) -> JsValue {
        let (ids, hand) = (Closure::<Ids>::new(ids), Closure::<Hand>::new(hand));
        let call = raw::call_over(&self.link, meta, ids.as_ref(), hand.as_ref(), enter);
        self.asked.replace(Some(Box::new((ids, hand))));
        call
    }

    /// How many calls quick.js is at.
    pub fn held(&self) -> usize {
        raw::held(&self.link)
    }

    /// Starts somebody's carrier; [`Arrival::Started`] follows.
    pub fn start(&self) {
        raw::start(&self.link);
    }

    /// Sends a frame. The error is what the carrier threw.
    pub fn send(&self, frame: &JsValue) -> Result<(), JsValue> {
        let sent = raw::send(&self.link, frame);
        if sent { Ok(()) } else { Err(raw::take_thrown()) }
    }

    /// Tells the carrier which revision was agreed on, if it wants to know.
    pub fn negotiated(&self, revision: Revision) {
        raw::negotiated(&self.link, revision.name());
    }

    /// Closes the carrier. It brings nothing any more.
    pub fn close(&self) {
        raw::release(&self.link, true);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        raw::release(&self.link, false);
    }
}

/// The facts as `see` in glue.js packs them: eight kinds of three bits each, and what is no kind.
fn facts(kinds: u32, states: u32, number: f64, size: f64) -> Facts {
    let kind = |place: u32| kind_of(kinds >> (3 * place));
    Facts {
        own: kind(0),
        id: kind(1),
        method: kind(2),
        params: kind(3),
        result: kind(4),
        error: kind(5),
        name: kind(6),
        arguments: kind(7),
        state: kind(8),
        is_usual: kinds & (1 << 27) != 0,
        right_version: states & 1 != 0,
        has_version: states & 2 != 0,
        meta: match (states >> 2) & 3 {
            0 => MetaFact::None,
            1 => MetaFact::Plain,
            _ => MetaFact::Other,
        },
        result_type: match (states >> 4) & 3 {
            0 => TypeFact::None,
            1 => TypeFact::Complete,
            _ => TypeFact::Other,
        },
        // One more than the word's number; 0 is none.
        word: ((states >> 6) as usize).checked_sub(1).and_then(|word| Key::ALL.get(word).copied()),
        number,
        size: size as usize,
    }
}
