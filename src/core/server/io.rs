//! What goes into a session's machine, and what it asks for.

use crate::core::error::Error;
use crate::core::frame::Frame;
use crate::core::message::Id;
use crate::core::revision::Era;
use crate::core::tool::Progress;
use crate::json::Key;

/// Names one run of a handler: the request it answers, and a number that tells it from an earlier
/// request a peer made under the same id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub(super) id: Id,
    pub(super) serial: u64,
}

impl Run {
    /// What the caller may keep it under: no other run of the session has it.
    pub fn key(&self) -> Id {
        Id::Number(self.serial as i64)
    }
}

/// How often each list has changed; the numbers only rise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// The registry of tools.
    pub tools: u64,
    /// The prompts.
    pub prompts: u64,
    /// The resources.
    pub resources: u64,
}

/// What the caller of the core has to do, in this order.
pub enum Effect<J> {
    /// Send a frame. If the carrier refuses it, say so by [`Input::Unsendable`].
    Send(J),
    /// Run a tool and report by [`Input::Returned`], or by [`Input::Unknown`] if there is none.
    Call {
        /// Names the run in all that follows.
        run: Run,
        /// The tool's name.
        name: String,
        /// Its arguments, an object.
        arguments: J,
        /// The parameters of the request as they came; a state in them is what the tool itself gave.
        params: J,
        /// Whether [`Input::Progressed`] reaches anybody.
        wants_progress: bool,
    },
    /// Run what answers a method other than the tools' and report by [`Input::Provided`].
    Provide {
        /// Names the run in all that follows.
        run: Run,
        /// The method.
        method: Key,
        /// Its parameters as they came, or an empty object.
        params: J,
        /// Whether [`Input::Progressed`] reaches anybody.
        wants_progress: bool,
    },
    /// Answer a request for the list of tools by [`Input::Listed`]. Making the list may run an
    /// author's `toJSON`, so the caller does it while the session is not borrowed.
    List {
        /// The request.
        id: Id,
        /// The era to answer in.
        era: Era,
        /// How many tools come before the page that is asked for.
        offset: usize,
    },
    /// The peer answered what a run asked, or it never will.
    Reply {
        /// The run.
        run: Run,
        /// The key it asked under.
        key: String,
        /// The answer.
        outcome: Result<J, Error>,
    },
    /// Seal a text so that only this server can read it, bound to these parameters, for a limited
    /// time; tell by [`Input::Sealed`].
    Seal {
        /// The run that will be continued by it.
        run: Run,
        /// What to seal.
        text: String,
        /// What it is bound to.
        bound: J,
    },
    /// Open what a peer says was sealed here; tell by [`Input::Opened`].
    Open {
        /// The request that brought it.
        id: Id,
        /// What it brought.
        sealed: String,
        /// What it must be bound to.
        bound: J,
    },
    /// Give [`Input::Expired`] when a run has waited for its peer for as long as the limit says.
    Patience {
        /// The run.
        run: Run,
    },
    /// Tell a run that nobody waits for it any more.
    Abort {
        /// The run.
        run: Run,
        /// Why, in the peer's words or ours.
        reason: String,
    },
    /// Report a fault that has no answer.
    Fault(Error),
}

/// What happens to a session.
pub enum Input<J> {
    /// The carrier brought a frame.
    Frame {
        /// The frame.
        frame: Frame<J>,
        /// The lists' versions.
        versions: Versions,
        /// The time, in milliseconds of any steady clock.
        now: f64,
    },
    /// A frame of text was not JSON.
    Garbled,
    /// A frame was over a limit, and was not read.
    Oversized(&'static str),
    /// A tool's run ended.
    Returned {
        /// The run.
        run: Run,
        /// Its result, a `CallToolResult`, or one of another type; or why the protocol has no result for it.
        outcome: Result<J, Error>,
        /// The lists' versions.
        versions: Versions,
    },
    /// What answers another method ended.
    Provided {
        /// The run.
        run: Run,
        /// Its result, or the error to answer with.
        outcome: Result<J, Error>,
        /// The lists' versions.
        versions: Versions,
    },
    /// There is no tool of that name.
    Unknown {
        /// The run that cannot be.
        run: Run,
        /// The name.
        name: String,
    },
    /// The tools to show.
    Listed {
        /// The request.
        id: Id,
        /// The era to answer in.
        era: Era,
        /// How many come before the page that is asked for.
        offset: usize,
        /// All of them.
        tools: J,
        /// The lists' versions.
        versions: Versions,
    },
    /// A run made progress.
    Progressed {
        /// The run.
        run: Run,
        /// How far it is.
        step: Progress,
    },
    /// A run asks the peer for something: a person's input, a model's, or the roots.
    Ask {
        /// The run.
        run: Run,
        /// Names the answer; unlike others of the run.
        key: String,
        /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
        method: Key,
        /// Its parameters.
        params: J,
    },
    /// A run has something to say to the peer's log.
    Log {
        /// The run.
        run: Run,
        /// The level's name.
        level: String,
        /// The notification's other parameters.
        params: J,
    },
    /// A seal that was asked for; `None` if it could not be made.
    Sealed {
        /// The run.
        run: Run,
        /// The sealed text.
        sealed: Option<String>,
    },
    /// What was sealed; `None` if it was not sealed here, for this, or is too old.
    Opened {
        /// The request.
        id: Id,
        /// The text.
        text: Option<String>,
    },
    /// A run has waited too long for its peer.
    Expired {
        /// The run.
        run: Run,
    },
    /// The carrier refused a frame.
    Unsendable {
        /// The frame.
        frame: J,
        /// Why.
        reason: String,
    },
    /// A list changed, and the code that changed it has returned.
    Announce(Versions),
    /// A resource changed.
    Updated {
        /// Its URI.
        uri: String,
    },
    /// A task changed.
    TaskChanged {
        /// The task.
        id: String,
        /// What it has come to.
        params: J,
    },
    /// The session ends.
    Close,
}
