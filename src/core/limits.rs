//! Every size, count and duration in one place, each with its default and the answer a peer gets.
//!
//! They are split by what they guard: a result of 10,000 elements is ordinary, metadata of that size is an attack.

use crate::json::Json;

/// Bounds on what a peer can make us hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Characters of one message that comes as text; a longer one is answered `parse-error` without
    /// being read. Default 64 Mi (67,108,864).
    pub message_length: usize,
    /// How deep the parameters of a request, or a result, may nest; deeper is answered `invalid-params`, or is
    /// `invalid-response` to a client's caller. Default 200.
    pub depth: usize,
    /// Values in the parameters of a request, or in a result, counting members and elements; more is
    /// answered likewise. Default 1,000,000.
    pub values: usize,
    /// How deep `_meta` may nest; deeper is answered `invalid-params`. Default 8.
    pub meta_depth: usize,
    /// Values in `_meta`; more is answered `invalid-params`. Default 256.
    pub meta_values: usize,
    /// Characters of all names and strings in `_meta`; more is answered `invalid-params`. Default 16,384.
    pub meta_length: usize,
    /// Calls one peer may have running at once, and questions a server may have open; one more is answered
    /// `internal-error`, or ends the call that asks it with `invalid-response`. Default 4,096.
    pub calls_in_flight: usize,
    /// What the requests of one peer that are being worked on may weigh, in characters of names and strings, in
    /// bytes, and eight for each value; one more is answered `internal-error`. Default 256 Mi (268,435,456).
    pub bytes_in_flight: usize,
    /// Requests and notifications one peer may send in a second; one more request is answered
    /// `internal-error`, one more notification is passed over and reported. Default 1,000,000; 0 is no limit.
    pub messages_per_second: usize,
    /// Subscriptions one peer may hold, and resources subscribed to in all; one more is answered
    /// `internal-error`. Default 1,024.
    pub subscriptions: usize,
    /// How often one call may ask its peer for input; beyond it asking fails with `internal-error`.
    /// A client gives up a call with `invalid-response` after as many rounds. Default 16.
    pub input_rounds: usize,
    /// Calls of one peer that may wait for its input at once; one more asks in vain, with `internal-error`. Default 64.
    pub parked_calls: usize,
    /// Milliseconds a call waits for its peer's input before asking fails with `timeout`. Default 600,000.
    pub input_wait: f64,
    /// Tools, resources or prompts in one page of a list; 0 is all of them. Default 0.
    pub page_size: usize,
    /// Pages a client follows of one list; one more is `invalid-response`. Default 1,000.
    pub list_pages: usize,
    /// Entries a client takes of one list; the rest is `invalid-response`. Default 100,000.
    pub list_entries: usize,
    /// Answers a client keeps while they are fresh; the oldest leaves. Default 256.
    pub cached_answers: usize,
    /// Milliseconds a client waits for an answer before `timeout`; 0 waits for ever. Default 60,000.
    pub request_timeout: f64,
    /// Milliseconds a client waits for the answer to its probe before it tries the handshake. Default 2,000.
    pub probe_timeout: f64,
    /// Whether a client takes an answer under its number written as a string for its own, as some servers
    /// send it. Default false: the id is another one, and the answer nobody's.
    pub lenient_ids: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            message_length: 64 << 20,
            depth: 200,
            values: 1_000_000,
            meta_depth: 8,
            meta_values: 256,
            meta_length: 16_384,
            calls_in_flight: 4_096,
            bytes_in_flight: 256 << 20,
            messages_per_second: 1_000_000,
            subscriptions: 1_024,
            input_rounds: 16,
            parked_calls: 64,
            input_wait: 600_000.0,
            page_size: 0,
            list_pages: 1_000,
            list_entries: 100_000,
            cached_answers: 256,
            request_timeout: 60_000.0,
            probe_timeout: 2_000.0,
            lenient_ids: false,
        }
    }
}

impl Limits {
    /// Whether parameters are within these limits.
    pub fn hold<J: Json>(&self, params: &J) -> bool {
        params.fits(self.depth, self.values, usize::MAX)
    }

    /// Whether parameters are held to the usual bounds, which one look at a frame has checked already.
    pub fn has_usual_params(&self) -> bool {
        let usual = Limits::default();
        (self.depth, self.values) == (usual.depth, usual.values)
    }

    /// Whether a call is held to nothing but the usual bounds, and is given as long as usual or longer.
    pub fn has_usual_calls(&self) -> bool {
        let usual = Limits::default();
        let counts = |limits: &Limits| (limits.calls_in_flight, limits.bytes_in_flight, limits.messages_per_second);
        let timeout = self.request_timeout;
        self.has_usual_params()
            && self.has_usual_meta()
            && counts(self) == counts(&usual)
            && !self.lenient_ids
            && (timeout == 0.0 || timeout >= usual.request_timeout)
    }

    /// Whether `_meta` is held to the usual bounds, which one look at a frame has checked already.
    pub fn has_usual_meta(&self) -> bool {
        let usual = Limits::default();
        (self.meta_depth, self.meta_values, self.meta_length)
            == (usual.meta_depth, usual.meta_values, usual.meta_length)
    }
}
