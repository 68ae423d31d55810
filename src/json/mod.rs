//! `Json`: a JSON value that can be looked into and built without owning its representation.
//!
//! The core is generic over it. Native tests run on [`serde_json::Value`]; in the browser the value
//! is a JavaScript value that never enters wasm memory. Member names the protocol uses are
//! [`Key`]s, so that an implementation may keep them ready in its own form.

mod key;
mod native;

pub use key::Key;

use crate::core::message::Id;
use serde_json::Value;

/// What sort of JSON a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number; in a browser perhaps one JSON cannot write, such as `NaN`.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
    /// `undefined`: a member that is not there, a handler that returned nothing.
    Absent,
    /// Something JSON has no form for: a function, a symbol, a BigInt.
    Foreign,
}

impl Kind {
    /// Whether there is a member of this sort; `null` is one.
    pub fn is_there(self) -> bool {
        self != Kind::Absent
    }

    /// Whether there is one that says something: what MCP peers mean by an optional member.
    pub fn is_some(self) -> bool {
        !matches!(self, Kind::Absent | Kind::Null)
    }
}

/// What one look at a value finds out: its own sort, and that of some of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The sort of the value.
    pub own: Kind,
    /// The sorts of the members looked for, in that order.
    pub members: [Kind; 5],
}

/// A string, known by its number if it is a word of the protocol.
#[derive(Clone, Debug, PartialEq)]
pub enum Word<J> {
    /// A word of the protocol.
    Known(Key),
    /// Any other string.
    Other(J),
}

impl<J: Json> Word<J> {
    /// Whether it is this one.
    pub fn is(&self, word: Key) -> bool {
        matches!(self, Word::Known(known) if *known == word)
    }

    /// The string as a value.
    pub fn to_json(&self) -> J {
        match self {
            Word::Known(key) => J::word(*key),
            Word::Other(text) => text.clone(),
        }
    }

    /// The string itself.
    pub fn text(&self) -> String {
        match self {
            Word::Known(key) => key.name().to_owned(),
            Word::Other(text) => text.as_string().unwrap_or_default(),
        }
    }
}

/// A JSON value as the core sees it.
///
/// Clones are cheap to the core's mind: in a browser they are one more reference to the same value.
pub trait Json: Clone + 'static {
    /// The sort of value this is.
    fn kind(&self) -> Kind;
    /// The member of an object by a name the protocol knows; absent and `undefined` are `None`, `null` is a value.
    fn get(&self, key: Key) -> Option<Self>;
    /// A member that [`Json::sight`] has seen; should it be gone, anything.
    fn at(&self, key: Key) -> Self {
        self.get(key).unwrap_or_else(Self::null)
    }
    /// The member of an object by any name.
    fn member(&self, name: &str) -> Option<Self>;
    /// The value of a boolean.
    fn as_bool(&self) -> Option<bool>;
    /// The value of a number.
    fn as_f64(&self) -> Option<f64>;
    /// A copy of a string. Lone surrogates become U+FFFD.
    fn as_string(&self) -> Option<String>;
    /// A copy of a string, or `None` if a copy would differ: it has lone surrogates.
    fn as_exact_string(&self) -> Option<String> {
        self.as_string()
    }
    /// The elements of an array, each one more reference.
    fn items(&self) -> Option<Vec<Self>>;
    /// The own members of an object in their order.
    fn entries(&self) -> Option<Vec<(String, Self)>>;

    /// `null`.
    fn null() -> Self;
    /// A boolean.
    fn bool(value: bool) -> Self;
    /// A number.
    fn number(value: f64) -> Self;
    /// A string.
    fn string(value: &str) -> Self;
    /// A word of the protocol as a string. An implementation may keep these ready.
    fn word(word: Key) -> Self {
        Self::string(word.name())
    }
    /// Whether this is just that word, found out without copying it.
    fn is(&self, word: Key) -> bool {
        self.as_string().is_some_and(|text| text == word.name())
    }
    /// The sort of this value and of up to five of its members ([`Key::Empty`] where fewer are
    /// wanted), found out in one look.
    fn sight(&self, keys: [Key; 5]) -> Sight {
        Sight { own: self.kind(), members: keys.map(|key| self.get(key).map_or(Kind::Absent, |value| value.kind())) }
    }
    /// The sort of one member.
    fn kind_at(&self, key: Key) -> Kind {
        let Sight { members: [kind, ..], .. } = self.sight([key, Key::Empty, Key::Empty, Key::Empty, Key::Empty]);
        kind
    }
    /// Which word of the protocol a member is; found out without copying it.
    fn which(&self, key: Key) -> Option<Key> {
        self.get(key)?.as_word()
    }
    /// Which word of the protocol this is.
    fn as_word(&self) -> Option<Key> {
        let text = self.as_string()?;
        Key::ALL.iter().find(|word| word.name() == text).copied()
    }
    /// A member that is a number.
    fn number_at(&self, key: Key) -> Option<f64> {
        self.get(key)?.as_f64()
    }
    /// An array.
    fn array(items: Vec<Self>) -> Self;
    /// An object with these members in this order.
    fn object(members: &[(Key, Self)]) -> Self;
    /// A shallow copy of an object with these members set; anything else becomes an object with just these members.
    fn with_all(&self, members: &[(Key, Self)]) -> Self;

    /// A frame of JSON-RPC: the version, an id, a method, and one more member, as far as they are given.
    fn frame(id: Option<&Id>, method: Option<&Word<Self>>, body: Option<(Key, Self)>) -> Self {
        let mut members = vec![(Key::JsonRpc, Self::word(Key::Two))];
        put(&mut members, Key::Id, id.map(Id::to_json));
        put(&mut members, Key::Method, method.map(Word::to_json));
        members.extend(body);
        Self::object(&members)
    }

    /// The result of a tool that is just a text (MCP, server/tools).
    fn text_result(text: Self) -> Self {
        let block = Self::object(&[(Key::Type, Self::word(Key::Text)), (Key::Text, text)]);
        Self::object(&[(Key::Content, Self::array(vec![block]))])
    }
    /// [`Json::with_all`] for a value that nobody else holds, which may be changed itself.
    fn set_all(self, members: &[(Key, Self)]) -> Self {
        self.with_all(members)
    }
    /// An object that nobody else holds, with a member of any name set.
    fn set_member(self, name: &str, value: Self) -> Self;
    /// A shallow copy of an object without a member; the object itself if it has none such.
    fn without(&self, key: Key) -> Self;
    /// Whether this nests no deeper, holds no more values and no more characters in names and strings than that.
    fn fits(&self, depth: usize, values: usize, length: usize) -> bool;
    /// Characters of all names and strings, and eight for each value.
    fn weight(&self) -> usize;
    /// The JSON text of this value, itself as a string value. The error is a sentence that says what JSON cannot carry.
    fn to_text(&self) -> Result<Self, String>;
    /// A deep copy that holds nothing but JSON, as a round trip through text leaves it.
    fn to_plain(&self) -> Result<Self, String>;
    /// What JSON text stands for; `None` if this is no string, or a string that is not JSON.
    fn parse_text(&self) -> Option<Self>;
    /// The same value in Rust's form.
    fn to_value(&self) -> Result<Value, String>;
    /// A value from Rust's form.
    fn from_value(value: &Value) -> Self;

    /// [`Json::with_all`] for a single member.
    fn with(&self, key: Key, value: Self) -> Self {
        self.with_all(&[(key, value)])
    }

    /// A shallow copy with the members of another object set over its own.
    fn merged(&self, other: &Self) -> Self;
    /// A shallow copy of an object without the members that are `null`.
    fn without_nulls(&self) -> Self;

    /// Whether this is an object (and not an array).
    fn is_object(&self) -> bool {
        self.kind() == Kind::Object
    }

    /// A member that is there and not `null`: what MCP peers mean by an optional member.
    fn some(&self, key: Key) -> Option<Self> {
        self.get(key).filter(|value| value.kind() != Kind::Null)
    }

    /// A member that is a string.
    fn text(&self, key: Key) -> Option<String> {
        self.get(key)?.as_string()
    }
}

/// Adds a member that may not be there.
pub fn put<J>(members: &mut Vec<(Key, J)>, key: Key, value: Option<J>) {
    if let Some(value) = value {
        members.push((key, value));
    }
}
