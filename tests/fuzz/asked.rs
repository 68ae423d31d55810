//! What one step of a client asked for, sorted, as both targets of the client look at it.

use crate::reading::check_sent;
use modelport::core::client::Effect;
use modelport::core::code::Code;
use modelport::core::message::Id;
use modelport::core::revision::Revision;
use modelport::json::Key;
use serde_json::Value;

#[derive(Default)]
pub struct Asked {
    pub sent: Vec<Value>,
    pub settled: Vec<(usize, Result<Value, Code>)>,
    pub asked: Vec<(i64, Key, Value)>,
    pub unasked: Vec<i64>,
    pub progress: Vec<Id>,
    pub notices: usize,
    pub connected: Vec<Result<Revision, Code>>,
    pub faults: usize,
}

impl Asked {
    /// Sorts the effects of a step. `settled` counts how often each waiter was settled, which is once;
    /// `wake` is when the timer rings.
    pub fn of(effects: Vec<Effect<Value, usize>>, settled: &mut [usize], wake: &mut Option<f64>) -> Self {
        let mut asked = Asked::default();
        for effect in effects {
            match effect {
                Effect::Send(frame) => {
                    check_sent(&frame);
                    asked.sent.push(frame);
                }
                Effect::Settle { waiter, outcome } => {
                    settled[waiter] += 1;
                    assert_eq!(settled[waiter], 1, "{waiter} settled again");
                    asked.settled.push((waiter, outcome.map_err(|error| error.code)));
                }
                Effect::Asked { ask, method, params } => asked.asked.push((ask, method, params)),
                Effect::Unasked { ask } => asked.unasked.push(ask),
                Effect::Progress { call, .. } => asked.progress.push(call),
                Effect::Notification { .. } => asked.notices += 1,
                Effect::Connected(outcome) => {
                    asked.connected.push(outcome.map(|peer| peer.revision).map_err(|error| error.code));
                }
                Effect::WakeAt(at) => *wake = Some(at),
                Effect::Fault(_) => asked.faults += 1,
            }
        }
        asked
    }

    /// Nothing but faults and notices.
    pub fn is_quiet(&self) -> bool {
        self.sent.is_empty() && self.settled.is_empty() && self.progress.is_empty() && self.connected.is_empty()
    }

    pub fn counts(&self) -> [usize; 6] {
        [self.sent.len(), self.settled.len(), self.asked.len(), self.unasked.len(), self.notices, self.faults]
    }
}
