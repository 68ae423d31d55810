//! What a server says unasked: progress, changes, and anything else.

use super::{Client, Effect};
use crate::core::message::Id;
use crate::json::{Json, Key, Word};

impl<J: Json, W> Client<J, W> {
    pub(super) fn notified(&mut self, now: f64, method: Word<J>, params: Option<J>, effects: &mut Vec<Effect<J, W>>) {
        if let Word::Known(notice) = method {
            match notice {
                Key::ProgressNotice => return self.progressed(now, params, effects),
                Key::Cancelled => self.taken_back(params.as_ref(), effects),
                Key::ToolsListChanged | Key::PromptsListChanged | Key::ResourcesListChanged | Key::ResourceUpdated => {
                    self.cache.forget(now, notice, params.as_ref());
                }
                _ => {}
            }
        }
        effects.push(Effect::Notification { method: method.text(), params });
    }

    fn progressed(&mut self, now: f64, params: Option<J>, effects: &mut Vec<Effect<J, W>>) {
        let Some(params) = params else { return };
        let Some(call) = Id::at(&params, Key::ProgressToken, params.kind_at(Key::ProgressToken)) else { return };
        let limits = self.limits;
        let Some(pending) = self.pending.get_mut(&call).filter(|pending| pending.manner.progress) else { return };
        if pending.manner.resets && pending.deadline < f64::INFINITY {
            // The timer that is set rings early and finds nobody late.
            pending.deadline = (now + pending.timeout(&limits)).min(pending.end());
        }
        effects.push(Effect::Progress { call, params });
    }
}
