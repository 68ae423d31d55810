//! What a running tool reports of how far it is.

use crate::json::{Json, Key, put};

/// One step of progress (MCP, basic/utilities/progress).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// How far it is; rises from step to step.
    pub progress: f64,
    /// How far it goes.
    pub total: Option<f64>,
    /// What it is at.
    pub message: Option<String>,
}

impl Progress {
    /// It is this far.
    ///
    /// ```
    /// use modelport::Progress;
    /// let step = Progress::new(2).of(3).saying("reading page 2");
    /// assert_eq!((step.progress, step.total), (2.0, Some(3.0)));
    /// ```
    pub fn new(progress: impl Into<f64>) -> Self {
        Progress { progress: progress.into(), ..Progress::default() }
    }

    /// It goes so far.
    pub fn of(mut self, total: impl Into<f64>) -> Self {
        self.total = Some(total.into());
        self
    }

    /// It is at this.
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Reads a step. One without a number is one the protocol drops.
    pub fn read<J: Json>(step: &J) -> Self {
        Progress {
            progress: step.number_at(Key::Progress).unwrap_or(f64::NAN),
            total: step.number_at(Key::Total),
            message: step.text(Key::Message),
        }
    }

    /// The step as a value, under the members that come first.
    pub fn to_json<J: Json>(&self, mut members: Vec<(Key, J)>) -> J {
        members.push((Key::Progress, J::number(self.progress)));
        put(&mut members, Key::Total, self.total.filter(|total| total.is_finite()).map(J::number));
        put(&mut members, Key::Message, self.message.as_deref().map(J::string));
        J::object(&members)
    }
}
