//! Lists in pages. A cursor of ours says how many entries come before the page; any other belongs to
//! whoever provides the list.

use super::{Session, invalid};
use crate::core::digits::decimal;
use crate::core::error::Error;
use crate::core::revision::Era;
use crate::json::{Json, Key, Kind, Sight, put};

/// What marks a cursor as ours.
const MARK: &str = "modelport:";

/// Where the page begins that a request asks for; `None` if the cursor is not ours, and an error if it is no cursor.
pub(super) fn offset<J: Json>(params: &J) -> Result<Option<usize>, Error> {
    match params.kind_at(Key::Cursor) {
        Kind::Absent | Kind::Null => Ok(Some(0)),
        Kind::String => {
            let cursor = params.text(Key::Cursor).unwrap_or_default();
            Ok(cursor.strip_prefix(MARK).and_then(|offset| offset.parse().ok()))
        }
        _ => Err(invalid("Invalid params: cursor must be a string")),
    }
}

impl<J: Json> Session<J> {
    /// The page of a list that begins there. What its provider has divided into pages stays as it is.
    pub(super) fn page(&self, era: Era, member: Key, list: J, offset: usize) -> J {
        let size = self.profile.limits.page_size;
        let list = match list.get(member).and_then(|entries| entries.items()) {
            Some(entries) if (size > 0 || offset > 0) && !list.kind_at(Key::NextCursor).is_some() => {
                let end = if size > 0 { entries.len().min(offset.saturating_add(size)) } else { entries.len() };
                let mut members = vec![(member, J::array(entries.get(offset..end).unwrap_or_default().to_vec()))];
                if end < entries.len() {
                    members.push((Key::NextCursor, J::string(&[MARK, &decimal(end as u64)].concat())));
                }
                list.with_all(&members)
            }
            _ => list,
        };
        // The end is a key that is absent: clients loop over one that is null.
        let list = if list.kind_at(Key::NextCursor) == Kind::Null { list.without(Key::NextCursor) } else { list };
        if era == Era::Stateless { self.hinted(list) } else { list }
    }

    /// A result with cache hints; those it has already stay (MCP 2026-07-28, server/utilities/caching).
    pub(super) fn hinted(&self, result: J) -> J {
        let Sight { members: [ttl, scope, ..], .. } =
            result.sight([Key::TtlMs, Key::CacheScope, Key::Empty, Key::Empty, Key::Empty]);
        let [default_ttl, default_scope] = self.profile.hints();
        let mut members = Vec::new();
        put(&mut members, Key::TtlMs, (ttl != Kind::Number).then_some(default_ttl.1));
        put(&mut members, Key::CacheScope, (scope != Kind::String).then_some(default_scope.1));
        result.with_all(&members)
    }
}
