//! What goes into a client's machine, and what it asks for.

use crate::core::error::Error;
use crate::core::frame::Frame;
use crate::core::message::Id;
use crate::core::revision::Revision;
use crate::json::{Key, Word};

/// How a client opens a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Ask for the newest revision; fall back to the handshake on anything but a yes.
    Auto,
    /// This revision or none.
    Pinned(Revision),
}

/// What a connected client knows of its peer.
#[derive(Clone, Debug, PartialEq)]
pub struct Peer<J> {
    /// The revision both speak.
    pub revision: Revision,
    /// The answer to `server/discover` or `initialize`, as it came.
    pub answer: J,
}

/// A request on its way out.
pub struct Request<J, W> {
    /// The method.
    pub method: Word<J>,
    /// Members of `params`, without `_meta`.
    pub params: Vec<(Key, J)>,
    /// An object whose members go into `params` too, under the ones above.
    pub extra: Option<J>,
    /// Who waits for the answer.
    pub waiter: W,
    /// How it is sent, and for how long to wait.
    pub manner: Manner,
}

/// How a request is sent, and for how long to wait.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manner {
    /// Milliseconds until `timeout`; 0 waits for ever, `None` takes the client's limit.
    pub timeout: Option<f64>,
    /// Whether progress lets that time begin anew.
    pub resets: bool,
    /// Milliseconds until `timeout` whatever the progress; 0 is no bound.
    pub longest: f64,
    /// Whether to ask for progress.
    pub progress: bool,
    /// Whether an answer that was kept will not do, however fresh it is.
    pub anew: bool,
}

/// What the caller of the core has to do, in this order.
pub enum Effect<J, W> {
    /// Send a frame. If the carrier refuses it, say so by [`Input::Unsendable`].
    Send(J),
    /// Wake whoever waits.
    Settle {
        /// The one who waits.
        waiter: W,
        /// The result, or why there is none.
        outcome: Result<J, Error>,
    },
    /// Progress of a call that asked for it; `params` as the peer sent them.
    Progress {
        /// The call.
        call: Id,
        /// The notification's parameters.
        params: J,
    },
    /// A notification from the peer that is not about a call.
    Notification {
        /// Its method.
        method: String,
        /// Its parameters.
        params: Option<J>,
    },
    /// The peer asks for something: a person's input, a model's, or the roots. Answer by [`Input::Replied`].
    Asked {
        /// Names the question.
        ask: i64,
        /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
        method: Key,
        /// Its parameters, or an empty object.
        params: J,
    },
    /// Nobody waits for the answer to a question any more.
    Unasked {
        /// The question.
        ask: i64,
    },
    /// `connect` ended.
    Connected(Result<Peer<J>, Error>),
    /// Give [`Input::Elapsed`] at this time, in the caller's milliseconds. Replaces an earlier wish.
    WakeAt(f64),
    /// Report a fault that concerns no call.
    Fault(Error),
}

/// What happens to a client. `now` is the time, in milliseconds of any steady clock.
pub enum Input<J, W> {
    /// Open the conversation; [`Effect::Connected`] tells how it ended.
    Connect {
        /// The time.
        now: f64,
        /// Whether the peer is known to speak the handshake era only, so that a probe would be for nothing.
        is_old: bool,
    },
    /// Send a request.
    Request {
        /// The time.
        now: f64,
        /// What to ask.
        request: Request<J, W>,
    },
    /// Take over a request that was sent already, under a reserved id.
    Adopt {
        /// Its id.
        id: i64,
        /// When it was sent.
        sent: f64,
        /// What it was.
        request: Request<J, W>,
    },
    /// Send a notification.
    Notify {
        /// The method.
        method: Word<J>,
        /// Its parameters.
        params: Option<J>,
    },
    /// A question of the peer was answered, or cannot be.
    Replied {
        /// The time.
        now: f64,
        /// The question.
        ask: i64,
        /// The answer.
        outcome: Result<J, Error>,
    },
    /// Give a call up.
    Cancel {
        /// The call.
        id: Id,
        /// Why, for the peer to read.
        reason: Option<String>,
    },
    /// The carrier brought a frame. The time is looked at while connecting, and for progress.
    Frame {
        /// The time.
        now: f64,
        /// The frame.
        frame: Frame<J>,
    },
    /// A frame of text was not JSON.
    Garbled,
    /// The carrier refused a frame.
    Unsendable {
        /// The time.
        now: f64,
        /// The frame.
        frame: J,
        /// Why.
        reason: String,
        /// What the carrier says of it to programs, as JSON text.
        data: Option<String>,
    },
    /// Time has passed.
    Elapsed {
        /// The time.
        now: f64,
    },
    /// The connection ends.
    Close,
}
