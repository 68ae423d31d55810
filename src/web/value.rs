//! A JavaScript value as [`Json`]: looked into member by member, never copied into wasm memory.

use super::raw;
use crate::json::{Json, Key, Kind};
use js_sys::Array;
use serde_json::Value;
use wasm_bindgen::prelude::*;

thread_local! {
    /// The protocol's member names as JavaScript strings, made once.
    static NAMES: Vec<JsValue> = Key::ALL.iter().map(|key| JsValue::from_str(key.name())).collect();
}

fn with_name<R>(key: Key, use_name: impl FnOnce(&JsValue) -> R) -> R {
    NAMES.with(|names| match names.get(key as usize) {
        Some(name) => use_name(name),
        None => use_name(&JsValue::from_str(key.name())),
    })
}

fn put(object: &JsValue, members: &[(Key, JsValue)]) {
    for (key, value) in members {
        with_name(*key, |name| raw::set(object, name, value));
    }
}

fn present(value: JsValue) -> Option<JsValue> {
    (!value.is_undefined()).then_some(value)
}

impl Json for JsValue {
    fn kind(&self) -> Kind {
        match raw::kind(self) {
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

    fn get(&self, key: Key) -> Option<Self> {
        present(with_name(key, |name| raw::get(self, name)))
    }

    fn member(&self, name: &str) -> Option<Self> {
        present(raw::get(self, &JsValue::from_str(name)))
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
        with_name(word, Clone::clone)
    }

    fn is(&self, word: Key) -> bool {
        with_name(word, |name| name == self)
    }

    fn array(items: Vec<Self>) -> Self {
        let array = Array::new();
        for item in &items {
            array.push(item);
        }
        array.into()
    }

    fn object(members: Vec<(Key, Self)>) -> Self {
        // Most objects of the protocol have few members, and are made in one crossing.
        let none = JsValue::UNDEFINED;
        NAMES.with(|names| {
            let member = |place: usize| match members.get(place) {
                Some((key, value)) => (names.get(*key as usize).unwrap_or(&none), value),
                None => (&none, &none),
            };
            let [a, b, c, d] = [member(0), member(1), member(2), member(3)];
            let object = raw::object(a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1);
            put(&object, members.get(4..).unwrap_or_default());
            object
        })
    }

    fn with_all(&self, members: Vec<(Key, Self)>) -> Self {
        let copy = raw::merged(self, &JsValue::UNDEFINED);
        put(&copy, &members);
        copy
    }

    fn merged(&self, other: &Self) -> Self {
        raw::merged(self, other)
    }

    fn without_nulls(&self) -> Self {
        raw::without_nulls(self)
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

    fn same_json(&self, other: &Self) -> bool {
        raw::same_json(self, other)
    }

    fn to_value(&self) -> Result<Value, String> {
        let text = self.to_text()?.as_string().unwrap_or_default();
        serde_json::from_str(&text).map_err(|error| error.to_string())
    }

    fn from_value(value: &Value) -> Self {
        raw::parse(&JsValue::from_str(&value.to_string()))
    }
}
