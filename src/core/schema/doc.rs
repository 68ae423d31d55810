//! A JSON value copied once into a flat arena, so that a check crosses to its owner no more.
//!
//! A place in it is a number. The children of a value lie side by side and know their parent, so
//! that a JSON Pointer is worked out only for a place that is reported.

use super::limits::Limits;
use super::number;
use crate::json::{Json, Kind};
use std::fmt::Write;

/// A place: the number of a value; with [`NAME`] set, the name of the member at that place.
pub type At = u32;

/// Marks a place that is the name of a member instead of its value.
pub const NAME: At = 1 << 31;

/// A piece of the text of a document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    from: u32,
    len: u32,
}

/// A value, without what its children are.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(Span),
    Array { first: At, len: u32 },
    Object { first: At, names: u32, len: u32 },
}

#[derive(Debug)]
struct Slot {
    value: Value,
    parent: At,
}

/// Why a value could not be read.
#[derive(Debug)]
pub enum Unread {
    /// The value at this pointer has no form in JSON.
    NotJson(String),
    /// It is nested too deeply.
    Nesting,
    /// There are too many values in it.
    Values,
}

/// The copy.
#[derive(Debug, Default)]
pub struct Doc {
    text: String,
    slots: Vec<Slot>,
    names: Vec<Span>,
}

impl Doc {
    /// Copies a value. Nesting is followed by a list of what is left to do, not by the stack.
    pub fn read<J: Json>(value: &J, limits: &Limits) -> Result<Doc, Unread> {
        let mut doc = Doc::default();
        doc.slots.push(Slot { value: Value::Null, parent: 0 });
        let mut left = vec![(0, 0, value.clone())];
        while let Some((at, depth, value)) = left.pop() {
            let copied = match value.kind() {
                Kind::Null => Some(Value::Null),
                Kind::Bool => value.as_bool().map(Value::Bool),
                Kind::Number => value.as_f64().filter(|number| number.is_finite()).map(Value::Number),
                Kind::String => match value.as_string() {
                    Some(text) => Some(Value::Text(doc.keep(&text)?)),
                    None => None,
                },
                Kind::Array => match value.items() {
                    Some(items) => {
                        let first = doc.reserve(at, items.len(), depth, limits)?;
                        let len = items.len() as u32;
                        left.extend((first..).zip(items).map(|(child, item)| (child, depth + 1, item)));
                        Some(Value::Array { first, len })
                    }
                    None => None,
                },
                Kind::Object => match value.entries() {
                    Some(mut entries) => {
                        // JSON drops what is `undefined`.
                        entries.retain(|(_, member)| member.kind() != Kind::Absent);
                        let first = doc.reserve(at, entries.len(), depth, limits)?;
                        let (names, len) = (doc.names.len() as u32, entries.len() as u32);
                        for (child, (name, member)) in (first..).zip(entries) {
                            let name = doc.keep(&name)?;
                            doc.names.push(name);
                            left.push((child, depth + 1, member));
                        }
                        Some(Value::Object { first, names, len })
                    }
                    None => None,
                },
                Kind::Absent | Kind::Foreign => None,
            };
            let Some(copied) = copied else { return Err(Unread::NotJson(doc.pointer(at))) };
            if let Some(slot) = doc.slots.get_mut(at as usize) {
                slot.value = copied;
            }
        }
        Ok(doc)
    }

    fn keep(&mut self, text: &str) -> Result<Span, Unread> {
        let from = self.text.len() as u32;
        self.text.push_str(text);
        // A text beyond 32 bits is as good as too many values.
        if u32::try_from(self.text.len()).is_err() {
            return Err(Unread::Values);
        }
        Ok(Span { from, len: text.len() as u32 })
    }

    fn reserve(&mut self, parent: At, len: usize, depth: u32, limits: &Limits) -> Result<At, Unread> {
        let first = self.slots.len();
        if depth >= limits.nesting {
            return Err(Unread::Nesting);
        }
        if first + len > limits.values.min(NAME - 1) as usize {
            return Err(Unread::Values);
        }
        self.slots.resize_with(first + len, || Slot { value: Value::Null, parent });
        Ok(first as At)
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// The value at a place.
    pub fn value(&self, at: At) -> Value {
        if at & NAME != 0 {
            return Value::Text(self.name_span(at & !NAME).unwrap_or_default());
        }
        self.slots.get(at as usize).map_or(Value::Null, |slot| slot.value)
    }

    /// The text of a piece.
    pub fn str(&self, span: Span) -> &str {
        let from = span.from as usize;
        self.text.get(from..from + span.len as usize).unwrap_or_default()
    }

    /// The text at a place, if it is one.
    pub fn text(&self, at: At) -> Option<&str> {
        match self.value(at) {
            Value::Text(span) => Some(self.str(span)),
            _ => None,
        }
    }

    /// The elements of an array; of anything else, none.
    pub fn items(&self, at: At) -> std::ops::Range<At> {
        match self.value(at) {
            Value::Array { first, len } => first..first + len,
            _ => 0..0,
        }
    }

    /// The members of an object; of anything else, none.
    pub fn members(&self, at: At) -> impl Iterator<Item = (&str, At)> {
        self.spans(at).map(|(name, member)| (self.str(name), member))
    }

    /// The same, with names as pieces of text.
    pub fn spans(&self, at: At) -> impl Iterator<Item = (Span, At)> {
        let (first, names, len) = match self.value(at) {
            Value::Object { first, names, len } => (first, names as usize, len as usize),
            _ => (0, 0, 0),
        };
        self.names.get(names..names + len).unwrap_or_default().iter().copied().zip(first..)
    }

    /// The member of an object by its place among them.
    pub fn nth(&self, at: At, place: u32) -> Option<(&str, At)> {
        match self.value(at) {
            Value::Object { first, names, len } if place < len => {
                Some((self.str(*self.names.get((names + place) as usize)?), first + place))
            }
            _ => None,
        }
    }

    /// How many members or elements there are.
    pub fn count(&self, at: At) -> usize {
        match self.value(at) {
            Value::Array { len, .. } | Value::Object { len, .. } => len as usize,
            _ => 0,
        }
    }

    /// The member of an object.
    pub fn member(&self, at: At, name: &str) -> Option<At> {
        self.members(at).find(|(own, _)| *own == name).map(|(_, member)| member)
    }

    /// The value around a value. That of the root is the root.
    pub fn parent(&self, at: At) -> At {
        self.slots.get((at & !NAME) as usize).map_or(0, |slot| slot.parent)
    }

    fn name_span(&self, at: At) -> Option<Span> {
        match self.value(self.parent(at)) {
            Value::Object { first, names, .. } => self.names.get((names + at.checked_sub(first)?) as usize).copied(),
            _ => None,
        }
    }

    /// The JSON Pointer of a place (RFC 6901); that of a name is the pointer of the object.
    pub fn pointer(&self, at: At) -> String {
        let mut steps = Vec::new();
        let mut at = if at & NAME != 0 { self.parent(at) } else { at };
        while at != 0 {
            let parent = self.parent(at);
            steps.push(match (self.name_span(at), self.value(parent)) {
                (Some(name), _) => self.str(name).replace('~', "~0").replace('/', "~1"),
                (None, Value::Array { first, .. }) => (at - first).to_string(),
                // Nothing else has children.
                _ => String::new(),
            });
            at = parent;
        }
        steps.iter().rev().fold(String::new(), |path, step| path + "/" + step)
    }

    /// The place a JSON Pointer leads to, from a place, and among how many members it was searched for.
    pub fn follow(&self, from: At, pointer: &str) -> (Option<At>, usize) {
        let mut searched = 0;
        let found = pointer.split('/').skip(1).try_fold(from, |at, step| match self.value(at) {
            Value::Object { len, .. } => {
                searched += len as usize;
                self.member(at, &step.replace("~1", "/").replace("~0", "~"))
            }
            Value::Array { first, len } => {
                let index: u32 = step.parse().ok()?;
                (index < len && index.to_string() == step).then_some(first + index)
            }
            _ => None,
        });
        (found, searched)
    }

    /// A value as JSON for people, cut short.
    pub fn show(&self, at: At) -> String {
        let mut shown = String::new();
        self.write(at, &mut shown);
        shown
    }

    fn write(&self, at: At, out: &mut String) {
        /// Longer than any word a schema chooses from, short enough for a sentence.
        const LONG: usize = 80;
        if out.len() > LONG {
            if !out.ends_with('…') {
                out.push('…');
            }
            return;
        }
        // Whatever is written to a `String` is written.
        let _ = match self.value(at) {
            Value::Null => write!(out, "null"),
            Value::Bool(value) => write!(out, "{value}"),
            Value::Number(value) => write!(out, "{}", number::show(value)),
            Value::Text(span) => {
                let text = self.str(span);
                let end = text.char_indices().nth(LONG).map_or(text.len(), |(end, _)| end);
                let cut = text.get(..end).unwrap_or_default();
                write!(out, "{cut:?}{}", if end < text.len() { "…" } else { "" })
            }
            Value::Array { first, len } => {
                out.push('[');
                for item in (first..first + len).take(LONG) {
                    if item > first {
                        out.push_str(", ");
                    }
                    self.write(item, out);
                }
                write!(out, "]")
            }
            Value::Object { .. } => {
                out.push('{');
                for (place, (name, member)) in self.members(at).take(LONG).enumerate() {
                    let _ = write!(out, "{}{name:?}: ", if place > 0 { ", " } else { "" });
                    self.write(member, out);
                }
                write!(out, "}}")
            }
        };
    }
}
