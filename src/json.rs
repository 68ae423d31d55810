//! `Json`: a JSON value that can be looked into and built without owning its representation.
//!
//! The core is generic over it. Native tests run on [`serde_json::Value`]; in the browser the value
//! is a JavaScript value that never enters wasm memory. Member names the protocol uses are
//! [`Key`]s, so that an implementation may keep them ready in its own form.

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
        let text = self.text(key)?;
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
    /// The JSON text of this value, itself as a string value. The error is a sentence that says what JSON cannot carry.
    fn to_text(&self) -> Result<Self, String>;
    /// A deep copy that holds nothing but JSON, as a round trip through text leaves it.
    fn to_plain(&self) -> Result<Self, String>;
    /// What JSON text stands for; `None` if this is no string, or a string that is not JSON.
    fn parse_text(&self) -> Option<Self>;
    /// Whether two JSON texts, as string values, stand for the same value. The order of members does not count.
    fn same_json(&self, other: &Self) -> bool;
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

macro_rules! keys {
    ($($variant:ident = $name:literal),+ $(,)?) => {
        /// A member name, or a word, that the protocol uses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each variant is documented by its own name on the wire")]
        pub enum Key { $($variant),+ }

        impl Key {
            /// Every key, in the order of their numbers.
            pub const ALL: &'static [Key] = &[$(Key::$variant),+];

            /// Every name, each on a line of its own, in the same order.
            pub const LINES: &'static str = concat!($($name, "\n"),+);

            /// The name on the wire.
            pub fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($name),+];
                NAMES.get(self as usize).copied().unwrap_or_default()
            }
        }
    };
}

keys! {
    Annotations = "annotations",
    Arguments = "arguments",
    CacheScope = "cacheScope",
    Cancelled = "notifications/cancelled",
    Capabilities = "capabilities",
    ClientCapabilities = "io.modelcontextprotocol/clientCapabilities",
    ClientInfo = "clientInfo",
    Code = "code",
    Complete = "complete",
    ConsequentialHint = "consequentialHint",
    Content = "content",
    Cursor = "cursor",
    Data = "data",
    Debugging = "debugging",
    Description = "description",
    DestructiveHint = "destructiveHint",
    Discover = "server/discover",
    Empty = "",
    Error = "error",
    Icons = "icons",
    Id = "id",
    IdempotentHint = "idempotentHint",
    Initialize = "initialize",
    Initialized = "notifications/initialized",
    InputSchema = "inputSchema",
    Instructions = "instructions",
    IsError = "isError",
    JsonRpc = "jsonrpc",
    ListChanged = "listChanged",
    LogLevel = "io.modelcontextprotocol/logLevel",
    Message = "message",
    Meta = "_meta",
    MetaClientInfo = "io.modelcontextprotocol/clientInfo",
    MetaProtocolVersion = "io.modelcontextprotocol/protocolVersion",
    MetaServerInfo = "io.modelcontextprotocol/serverInfo",
    Method = "method",
    Name = "name",
    NextCursor = "nextCursor",
    Object = "object",
    OpenWorldHint = "openWorldHint",
    OutputSchema = "outputSchema",
    Params = "params",
    Ping = "ping",
    Private = "private",
    Progress = "progress",
    ProgressNotice = "notifications/progress",
    ProgressToken = "progressToken",
    ProtocolVersion = "protocolVersion",
    ReadOnlyHint = "readOnlyHint",
    Reason = "reason",
    Requested = "requested",
    RequestId = "requestId",
    RequiredCapabilities = "requiredCapabilities",
    Result = "result",
    ResultType = "resultType",
    ServerInfo = "serverInfo",
    Stateless = "2026-07-28",
    StructuredContent = "structuredContent",
    Supported = "supported",
    SupportedVersions = "supportedVersions",
    Text = "text",
    Title = "title",
    Tools = "tools",
    ToolsCall = "tools/call",
    ToolsList = "tools/list",
    ToolsListChanged = "notifications/tools/list_changed",
    Total = "total",
    TtlMs = "ttlMs",
    Two = "2.0",
    Type = "type",
    UntrustedContentHint = "untrustedContentHint",
    Version = "version",
}

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

    fn to_text(&self) -> Result<Self, String> {
        Ok(Value::from(self.to_string()))
    }

    fn to_plain(&self) -> Result<Self, String> {
        Ok(self.clone())
    }

    fn parse_text(&self) -> Option<Self> {
        serde_json::from_str(self.as_str()?).ok()
    }

    fn same_json(&self, other: &Self) -> bool {
        let sorted = |text: &Self| {
            let mut value = text.parse_text()?;
            value.sort_all_objects();
            Some(value.to_string())
        };
        (self.is_string() && self == other) || sorted(self).is_some_and(|text| Some(text) == sorted(other))
    }

    fn to_value(&self) -> Result<Value, String> {
        Ok(self.clone())
    }

    fn from_value(value: &Value) -> Self {
        value.clone()
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
    fn equality_ignores_the_order_of_members_and_nothing_else() {
        let same = |one: Value, other: Value| Value::from(one.to_string()).same_json(&Value::from(other.to_string()));
        assert!(same(json!({ "a": 1, "b": { "c": [1, 2], "d": 2 } }), json!({ "b": { "d": 2, "c": [1, 2] }, "a": 1 })));
        assert!(!same(json!({ "a": [1, 2] }), json!({ "a": [2, 1] })));
        assert!(!same(json!({ "a": 1 }), json!({ "a": 2 })));
        assert!(!Value::from("{]").same_json(&Value::from("[}")));
        assert!(!Value::Null.same_json(&Value::Null));
    }

    #[test]
    fn keys_are_unique_and_numbered_in_order() {
        for (index, key) in Key::ALL.iter().enumerate() {
            assert_eq!(*key as usize, index);
            assert_eq!(Key::ALL.iter().filter(|other| other.name() == key.name()).count(), 1);
        }
    }
}
