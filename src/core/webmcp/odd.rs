//! A JSON value with JavaScript's oddities, for tests: `undefined`, `NaN`, functions, cycles.

use super::Dictionary;
use crate::json::{Json, Key, Kind};
use serde_json::Value;

/// JSON, or one of the things a page may hand over in its place.
#[derive(Clone, Debug, PartialEq)]
pub enum Odd {
    /// Ordinary JSON.
    Plain(Value),
    /// An object whose members may be odd.
    Object(Vec<(String, Odd)>),
    /// An array whose elements may be odd.
    Array(Vec<Odd>),
    /// `undefined`.
    Undefined,
    /// A number JSON cannot write.
    Number(f64),
    /// A function, a symbol, a BigInt; the text says which.
    Foreign(&'static str),
    /// An object that contains itself.
    Cycle,
    /// An object whose `toJSON` gives this.
    ToJson(Value),
}

impl Odd {
    fn plain(&self) -> Result<Option<Value>, String> {
        Ok(match self {
            Odd::Plain(value) | Odd::ToJson(value) => Some(value.clone()),
            Odd::Undefined => None,
            Odd::Number(_) => Some(Value::Null),
            Odd::Foreign("a BigInt") => return Err("a BigInt has no form in JSON.".to_owned()),
            Odd::Foreign(_) => None,
            Odd::Cycle => return Err("it contains itself.".to_owned()),
            Odd::Array(items) => {
                let items: Result<Vec<_>, String> = items.iter().map(Odd::plain).collect();
                Some(items?.into_iter().map(Option::unwrap_or_default).collect())
            }
            Odd::Object(members) => {
                let mut object = serde_json::Map::new();
                for (name, value) in members {
                    if let Some(value) = value.plain()? {
                        object.insert(name.clone(), value);
                    }
                }
                Some(Value::Object(object))
            }
        })
    }

    fn members(&self) -> Option<Vec<(String, Odd)>> {
        match self {
            Odd::Plain(Value::Object(members)) => {
                Some(members.iter().map(|(name, value)| (name.clone(), Odd::Plain(value.clone()))).collect())
            }
            Odd::Object(members) => Some(members.clone()),
            Odd::Cycle => Some(vec![("type".to_owned(), Odd::string("object")), ("self".to_owned(), Odd::Cycle)]),
            _ => None,
        }
    }
}

impl From<Value> for Odd {
    fn from(value: Value) -> Self {
        Odd::Plain(value)
    }
}

impl Dictionary for Odd {
    fn origin_of(url: &str) -> Option<String> {
        Value::origin_of(url)
    }
}

impl Dictionary for Value {
    /// Enough of a parser for the URLs of tests.
    fn origin_of(url: &str) -> Option<String> {
        let (scheme, rest) = url.split_once("://")?;
        let host = rest.split('/').next()?.to_lowercase();
        let port = if scheme == "https" { ":443" } else { ":80" };
        Some(format!("{scheme}://{}", host.strip_suffix(port).unwrap_or(&host)))
    }
}

impl Json for Odd {
    fn kind(&self) -> Kind {
        match self {
            Odd::Plain(value) => value.kind(),
            Odd::Object(_) | Odd::Cycle | Odd::ToJson(_) => Kind::Object,
            Odd::Array(_) => Kind::Array,
            Odd::Undefined => Kind::Absent,
            Odd::Number(_) => Kind::Number,
            Odd::Foreign(_) => Kind::Foreign,
        }
    }

    fn get(&self, key: Key) -> Option<Self> {
        self.member(key.name())
    }

    fn member(&self, name: &str) -> Option<Self> {
        let found = self.members()?.into_iter().find(|(other, _)| other == name)?.1;
        Some(found).filter(|value| *value != Odd::Undefined)
    }

    fn as_bool(&self) -> Option<bool> {
        if let Odd::Plain(value) = self { value.as_bool() } else { None }
    }

    fn as_f64(&self) -> Option<f64> {
        match self {
            Odd::Plain(value) => value.as_f64(),
            Odd::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<String> {
        if let Odd::Plain(value) = self { value.as_string() } else { None }
    }

    fn items(&self) -> Option<Vec<Self>> {
        match self {
            Odd::Plain(Value::Array(items)) => Some(items.iter().cloned().map(Odd::Plain).collect()),
            Odd::Array(items) => Some(items.clone()),
            _ => None,
        }
    }

    fn entries(&self) -> Option<Vec<(String, Self)>> {
        self.members()
    }

    fn null() -> Self {
        Odd::Plain(Value::Null)
    }

    fn bool(value: bool) -> Self {
        Odd::Plain(Value::Bool(value))
    }

    fn number(value: f64) -> Self {
        Odd::Plain(Value::number(value))
    }

    fn string(value: &str) -> Self {
        Odd::Plain(Value::from(value))
    }

    fn array(items: Vec<Self>) -> Self {
        Odd::Array(items)
    }

    fn object(members: &[(Key, Self)]) -> Self {
        Odd::Object(members.iter().map(|(key, value)| (key.name().to_owned(), value.clone())).collect())
    }

    fn with_all(&self, members: &[(Key, Self)]) -> Self {
        self.merged(&Odd::object(members))
    }

    fn set_member(self, name: &str, value: Self) -> Self {
        self.merged(&Odd::Object(vec![(name.to_owned(), value)]))
    }

    fn without(&self, key: Key) -> Self {
        let kept = |(name, _): &(String, Odd)| name != key.name();
        Odd::Object(self.members().unwrap_or_default().into_iter().filter(kept).collect())
    }

    fn weight(&self) -> usize {
        self.to_value().map_or(0, |value| value.weight())
    }

    fn fits(&self, depth: usize, values: usize, length: usize) -> bool {
        self.to_value().is_ok_and(|value| value.fits(depth, values, length))
    }

    fn to_text(&self) -> Result<Self, String> {
        let value = self.plain()?.ok_or("JSON has no form for it.")?;
        Ok(Odd::Plain(Value::from(value.to_string())))
    }

    fn to_plain(&self) -> Result<Self, String> {
        self.to_value().map(Odd::Plain)
    }

    fn parse_text(&self) -> Option<Self> {
        if let Odd::Plain(value) = self { value.parse_text().map(Odd::Plain) } else { None }
    }

    fn to_value(&self) -> Result<Value, String> {
        self.plain()?.ok_or_else(|| "JSON has no form for it.".to_owned())
    }

    fn from_value(value: &Value) -> Self {
        Odd::Plain(value.clone())
    }

    fn merged(&self, other: &Self) -> Self {
        let mut all = self.members().unwrap_or_default();
        for (name, value) in other.members().unwrap_or_default() {
            all.retain(|(present, _)| *present != name);
            all.push((name, value));
        }
        Odd::Object(all)
    }

    fn without_nulls(&self) -> Self {
        let kept = |(_, value): &(String, Odd)| value.kind() != Kind::Null;
        Odd::Object(self.members().unwrap_or_default().into_iter().filter(kept).collect())
    }
}
