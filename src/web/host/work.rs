//! A handler that works on a peer's request.

use super::session::Session;
use crate::core::error::Error;
use crate::core::server::{Input, Run};
use crate::web::error::read;
use crate::web::outcome::Outcome;
use crate::web::run::{Event, Owner};
use std::rc::Rc;

/// What the outcome of a handler is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Answers {
    /// A tool's.
    Call,
    /// That of another method.
    Provide,
}

/// Ties a run to the request it answers.
pub(super) struct Work {
    pub session: Rc<Session>,
    pub run: Run,
    pub answers: Answers,
}

impl Owner for Work {
    fn done(&self, outcome: Outcome) {
        let Work { session, run, answers } = self;
        session.ended(&run.key());
        let (run, is_call) = (run.clone(), *answers == Answers::Call);
        if let (false, Err(thrown)) = (is_call, &outcome.value)
            && read(thrown).is_none()
        {
            // The peer learns little of what went wrong; whoever keeps the page hears all of it.
            session.fault(thrown.clone());
        }
        let outcome = if is_call { outcome.into_answer() } else { outcome.into_provided() };
        let versions = session.versions();
        session.feed(if is_call {
            Input::Returned { run, outcome, versions }
        } else {
            Input::Provided { run, outcome, versions }
        });
    }

    fn happened(&self, event: Event) -> Result<(), Error> {
        let run = self.run.clone();
        self.session.feed(match event {
            Event::Progress(step) => Input::Progressed { run, step },
            Event::Ask { key, method, params } => Input::Ask { run, key, method, params },
            Event::Log { level, params } => Input::Log { run, level, params },
        });
        Ok(())
    }
}
