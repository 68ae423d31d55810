//! [`serde_json::Value`] as [`Json`]: what native tests run on.

use super::{Json, Key, Kind};
use serde_json::Value;

impl Json for Value {
    fn kind(&self) -> Kind {
        match self {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Number(_) => Kind::Number,
            Value::String(_) => Kind::String,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
        }
    }

    fn get(&self, key: Key) -> Option<Self> {
        self.member(key.name())
    }

    fn member(&self, name: &str) -> Option<Self> {
        self.as_object()?.get(name).cloned()
    }

    fn as_bool(&self) -> Option<bool> {
        Value::as_bool(self)
    }

    fn as_f64(&self) -> Option<f64> {
        Value::as_f64(self)
    }

    fn as_string(&self) -> Option<String> {
        self.as_str().map(str::to_owned)
    }

    fn items(&self) -> Option<Vec<Self>> {
        self.as_array().cloned()
    }

    fn entries(&self) -> Option<Vec<(String, Self)>> {
        Some(self.as_object()?.iter().map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    fn null() -> Self {
        Value::Null
    }

    fn bool(value: bool) -> Self {
        Value::Bool(value)
    }

    fn number(value: f64) -> Self {
        // A whole number is written without a fraction, as JavaScript writes it.
        let whole = value as i64;
        if whole as f64 == value { Value::from(whole) } else { Value::from(value) }
    }

    fn string(value: &str) -> Self {
        Value::from(value)
    }

    fn array(items: Vec<Self>) -> Self {
        Value::Array(items)
    }

    fn object(members: &[(Key, Self)]) -> Self {
        Value::Null.with_all(members)
    }

    fn with_all(&self, members: &[(Key, Self)]) -> Self {
        let mut object = self.as_object().cloned().unwrap_or_default();
        object.extend(members.iter().map(|(key, value)| (key.name().to_owned(), value.clone())));
        Value::Object(object)
    }

    fn merged(&self, other: &Self) -> Self {
        let mut object = self.as_object().cloned().unwrap_or_default();
        object.extend(other.as_object().cloned().unwrap_or_default());
        Value::Object(object)
    }

    fn without_nulls(&self) -> Self {
        let mut object = self.as_object().cloned().unwrap_or_default();
        object.retain(|_, value| !value.is_null());
        Value::Object(object)
    }

    fn set_member(mut self, name: &str, value: Self) -> Self {
        if let Some(object) = self.as_object_mut() {
            object.insert(name.to_owned(), value);
        }
        self
    }

    fn without(&self, key: Key) -> Self {
        let mut copy = self.clone();
        copy.as_object_mut().map(|object| object.shift_remove(key.name()));
        copy
    }

    fn fits(&self, depth: usize, values: usize, length: usize) -> bool {
        let (mut values, mut length) = (values, length);
        fits(self, depth, &mut values, &mut length)
    }

    fn weight(&self) -> usize {
        let (mut values, mut length) = (usize::MAX, usize::MAX);
        fits(self, usize::MAX, &mut values, &mut length);
        (usize::MAX - values).saturating_mul(8).saturating_add(usize::MAX - length)
    }

    fn to_text(&self) -> Result<Self, String> {
        Ok(Value::from(self.to_string()))
    }

    fn to_plain(&self) -> Result<Self, String> {
        Ok(self.clone())
    }

    fn parse_text(&self) -> Option<Self> {
        serde_json::from_str(self.as_str()?).ok()
    }

    fn to_value(&self) -> Result<Value, String> {
        Ok(self.clone())
    }

    fn from_value(value: &Value) -> Self {
        value.clone()
    }
}

/// Takes what a value weighs from what is left; whether there was enough.
fn fits(value: &Value, depth: usize, values: &mut usize, length: &mut usize) -> bool {
    let mut take = |text: &str| {
        let left = length.checked_sub(text.encode_utf16().count());
        *length = left.unwrap_or_default();
        left.is_some()
    };
    let Some(left) = values.checked_sub(1) else { return false };
    *values = left;
    match value {
        Value::String(text) => take(text),
        Value::Array(items) => depth > 0 && items.iter().all(|item| fits(item, depth - 1, values, length)),
        Value::Object(members) => {
            let names = members.keys().all(|name| take(name));
            names && depth > 0 && members.values().all(|member| fits(member, depth - 1, values, length))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn null_is_a_member_but_not_some() {
        let object = json!({ "title": null });
        assert_eq!(Json::get(&object, Key::Title), Some(Value::Null));
        assert_eq!(object.some(Key::Title), None);
        assert_eq!(Json::get(&object, Key::Name), None);
    }

    #[test]
    fn whole_numbers_are_written_whole() {
        assert_eq!(Value::number(3.0).to_string(), "3");
        assert_eq!(Value::number(0.5).to_string(), "0.5");
    }

    #[test]
    fn with_leaves_the_original_alone() {
        let original = json!({ "name": "a" });
        assert_eq!(original.with(Key::Title, json!("A")), json!({ "name": "a", "title": "A" }));
        assert_eq!(original, json!({ "name": "a" }));
        assert_eq!(json!(5).with(Key::Name, json!("a")), json!({ "name": "a" }));
    }

    #[test]
    fn keys_are_unique_and_numbered_in_order() {
        for (index, key) in Key::ALL.iter().enumerate() {
            assert_eq!(*key as usize, index);
            assert_eq!(Key::ALL.iter().filter(|other| other.name() == key.name()).count(), 1);
        }
    }
}
