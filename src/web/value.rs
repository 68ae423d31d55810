//! A JavaScript value as [`Json`]: looked into member by member, never copied into wasm memory.

use super::raw;
use crate::core::message::Id;
use crate::json::{Json, Key, Kind, Sight, Word};
use js_sys::Array;
use serde_json::Value;
use std::cell::Cell;
use wasm_bindgen::prelude::*;

thread_local! {
    static LEARNT: Cell<bool> = const { Cell::new(false) };
}

/// No word has this number.
const NONE: u32 = u32::MAX;

/// The number by which the other side knows a word; it is told the words before the first.
fn number(key: Key) -> u32 {
    if !LEARNT.replace(true) {
        raw::learn(Key::LINES);
    }
    key as u32
}

pub fn kind_of(bits: u32) -> Kind {
    match bits & 7 {
        0 => Kind::Null,
        1 => Kind::Bool,
        2 => Kind::Number,
        3 => Kind::String,
        4 => Kind::Array,
        5 => Kind::Object,
        6 => Kind::Absent,
        _ => Kind::Foreign,
    }
}

/// Sets members of an object, of a copy of it, or of a new one, in one crossing for every four.
fn object(base: &JsValue, members: &[(Key, JsValue)], copies: bool) -> JsValue {
    let none = JsValue::UNDEFINED;
    let (first, rest) = members.split_at(members.len().min(4));
    let member = |place: usize| first.get(place).map_or((NONE, &none), |(key, value)| (number(*key), value));
    let [a, b, c, d] = [member(0), member(1), member(2), member(3)];
    let made = raw::object(base, copies, a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1);
    if rest.is_empty() { made } else { object(&made, rest, false) }
}

fn present(value: JsValue) -> Option<JsValue> {
    (!value.is_undefined()).then_some(value)
}

impl Json for JsValue {
    fn kind(&self) -> Kind {
        kind_of(raw::kind(self))
    }

    fn get(&self, key: Key) -> Option<Self> {
        present(raw::get(self, number(key)))
    }

    fn at(&self, key: Key) -> Self {
        raw::get(self, number(key))
    }

    fn member(&self, name: &str) -> Option<Self> {
        present(raw::member(self, &JsValue::from_str(name)))
    }

    fn sight(&self, [a, b, c, d, e]: [Key; 5]) -> Sight {
        let bits = raw::sight(self, number(a), number(b), number(c), number(d), number(e));
        let member = |place: u32| kind_of(bits >> (3 * place));
        Sight { own: kind_of(bits), members: [member(1), member(2), member(3), member(4), member(5)] }
    }

    fn which(&self, key: Key) -> Option<Key> {
        Key::ALL.get(usize::try_from(raw::which(self, number(key))).ok()?).copied()
    }

    fn number_at(&self, key: Key) -> Option<f64> {
        Some(raw::number_at(self, number(key))).filter(|number| !number.is_nan())
    }

    fn as_bool(&self) -> Option<bool> {
        JsValue::as_bool(self)
    }

    fn as_f64(&self) -> Option<f64> {
        JsValue::as_f64(self)
    }

    fn as_string(&self) -> Option<String> {
        JsValue::as_string(self)
    }

    fn as_exact_string(&self) -> Option<String> {
        let text = self.as_string()?;
        // U+FFFD begins with this byte. To search for the character itself would bring the text search of `std`.
        let is_lossy = text.as_bytes().contains(&0xEF) && !raw::is_well_formed(self);
        (!is_lossy).then_some(text)
    }

    fn items(&self) -> Option<Vec<Self>> {
        raw::items(self).map(|items| items.to_vec())
    }

    fn entries(&self) -> Option<Vec<(String, Self)>> {
        if !Json::is_object(self) {
            return None;
        }
        let pairs = raw::entries(self);
        let pairs = pairs.iter().map(|pair| {
            let pair: Array = pair.unchecked_into();
            (pair.get(0).as_string().unwrap_or_default(), pair.get(1))
        });
        Some(pairs.collect())
    }

    fn null() -> Self {
        JsValue::NULL
    }

    fn bool(value: bool) -> Self {
        JsValue::from_bool(value)
    }

    fn number(value: f64) -> Self {
        JsValue::from_f64(value)
    }

    fn string(value: &str) -> Self {
        JsValue::from_str(value)
    }

    fn word(word: Key) -> Self {
        raw::word(number(word))
    }

    fn is(&self, word: Key) -> bool {
        raw::is(self, number(word))
    }

    fn array(items: Vec<Self>) -> Self {
        if let [item] = items.as_slice() {
            return Array::of1(item).into();
        }
        let array = Array::new();
        for item in &items {
            array.push(item);
        }
        array.into()
    }

    fn object(members: &[(Key, Self)]) -> Self {
        object(&JsValue::UNDEFINED, members, false)
    }

    fn with_all(&self, members: &[(Key, Self)]) -> Self {
        object(self, members, true)
    }

    fn text_result(text: Self) -> Self {
        raw::text_result(&text)
    }

    fn set_all(self, members: &[(Key, Self)]) -> Self {
        object(&self, members, false)
    }

    fn frame(id: Option<&Id>, method: Option<&Word<Self>>, body: Option<(Key, Self)>) -> Self {
        let none = JsValue::UNDEFINED;
        let (id, id_text) = match id {
            None => (f64::NAN, none.clone()),
            Some(Id::Number(id)) => (*id as f64, none.clone()),
            Some(Id::String(text)) => (f64::NAN, JsValue::from_str(text)),
        };
        let (method, method_text) = match method {
            None => (NONE, &none),
            Some(Word::Known(word)) => (number(*word), &none),
            Some(Word::Other(text)) => (NONE, text),
        };
        let (name, value) = body.as_ref().map_or((NONE, &none), |(key, value)| (number(*key), value));
        raw::frame(id, &id_text, method, method_text, name, value)
    }

    fn merged(&self, other: &Self) -> Self {
        raw::merged(self, other)
    }

    fn without_nulls(&self) -> Self {
        raw::without_nulls(self)
    }

    fn set_member(self, name: &str, value: Self) -> Self {
        raw::set(&self, &JsValue::from_str(name), &value);
        self
    }

    fn without(&self, key: Key) -> Self {
        raw::without(self, number(key))
    }

    fn fits(&self, depth: usize, values: usize, length: usize) -> bool {
        raw::fits(self, depth as f64, values as f64, length as f64)
    }

    fn weight(&self) -> usize {
        raw::weight(self) as usize
    }

    fn as_word(&self) -> Option<Key> {
        number(Key::Empty);
        Key::ALL.get(usize::try_from(raw::word_of(self)).ok()?).copied()
    }

    fn to_text(&self) -> Result<Self, String> {
        raw::stringify(self).map_err(|thrown| raw::describe(&thrown))
    }

    fn to_plain(&self) -> Result<Self, String> {
        raw::plain(self).map_err(|thrown| raw::describe(&thrown))
    }

    fn parse_text(&self) -> Option<Self> {
        present(raw::parse(self))
    }

    fn to_value(&self) -> Result<Value, String> {
        let text = self.to_text()?.as_string().unwrap_or_default();
        serde_json::from_str(&text).map_err(|error| error.to_string())
    }

    fn from_value(value: &Value) -> Self {
        raw::parse(&JsValue::from_str(&value.to_string()))
    }
}
