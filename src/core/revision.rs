//! Eras and revisions of MCP: which are spoken, how a handshake settles on one, and the metadata
//! each stateless request carries.

use super::code::Code;
use super::error::Error;
use super::limits::Limits;
use super::message::Id;
use crate::json::{Json, Key, Kind, Sight, Word, put};

/// A revision of the protocol, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Revision {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25, the last with a handshake.
    V2025_11_25,
    /// 2026-07-28, the first without state.
    V2026_07_28,
}

/// How a revision opens a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// `initialize`, then a session with one revision (up to 2025-11-25).
    Handshake,
    /// Each request names its revision in `_meta` (from 2026-07-28).
    Stateless,
}

impl Revision {
    /// Every revision spoken here, oldest first.
    pub const ALL: [Revision; 5] = [
        Revision::V2024_11_05,
        Revision::V2025_03_26,
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ];
    /// The newest revision of the handshake era: what a server offers to a client that asks for one it does not know.
    pub const NEWEST_HANDSHAKE: Revision = Revision::V2025_11_25;
    /// The newest revision of all.
    pub const NEWEST: Revision = Revision::V2026_07_28;

    /// The date that names it on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Revision::V2024_11_05 => "2024-11-05",
            Revision::V2025_03_26 => "2025-03-26",
            Revision::V2025_06_18 => "2025-06-18",
            Revision::V2025_11_25 => "2025-11-25",
            Revision::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision of that name, if it is spoken here.
    pub fn parse(name: &str) -> Option<Revision> {
        Revision::ALL.into_iter().find(|revision| revision.name() == name)
    }

    /// The era it belongs to.
    pub const fn era(self) -> Era {
        match self {
            Revision::V2026_07_28 => Era::Stateless,
            _ => Era::Handshake,
        }
    }

    /// What `initialize` answers to a requested version: the same if it has a handshake and is
    /// spoken, else our newest that has one (MCP 2025-11-25, basic/lifecycle).
    pub fn negotiate(requested: &str) -> Revision {
        Revision::parse(requested)
            .filter(|revision| revision.era() == Era::Handshake)
            .unwrap_or(Revision::NEWEST_HANDSHAKE)
    }

    /// The revisions without a handshake, as `server/discover` and refusals list them.
    pub fn stateless_names<J: Json>() -> J {
        let mut names = Vec::new();
        for revision in Revision::ALL {
            if revision.era() == Era::Stateless {
                names.push(J::string(revision.name()));
            }
        }
        J::array(names)
    }
}

/// How grave a log message is, from the least on (MCP, server/utilities/logging).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the levels of RFC 5424 by their names")]
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl Level {
    /// The level of that name.
    pub fn parse(name: &str) -> Option<Level> {
        Some(match name {
            "debug" => Level::Debug,
            "info" => Level::Info,
            "notice" => Level::Notice,
            "warning" => Level::Warning,
            "error" => Level::Error,
            "critical" => Level::Critical,
            "alert" => Level::Alert,
            "emergency" => Level::Emergency,
            _ => return None,
        })
    }
}

/// What a program calls itself. Display only; nothing may depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implementation {
    /// A short name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// A name for people.
    pub title: Option<String>,
}

impl Implementation {
    /// Reads one, if it has what the protocol requires.
    pub fn read<J: Json>(value: &J) -> Option<Implementation> {
        Some(Implementation {
            name: value.text(Key::Name)?,
            version: value.text(Key::Version)?,
            title: value.text(Key::Title),
        })
    }

    /// Whether a value has what the protocol requires; looks without copying.
    fn is_one<J: Json>(value: &J) -> bool {
        let sight = value.sight([Key::Name, Key::Version, Key::Empty, Key::Empty, Key::Empty]);
        matches!(sight.members, [Kind::String, Kind::String, ..])
    }

    /// The member value on the wire.
    pub fn to_json<J: Json>(&self) -> J {
        let mut members = vec![(Key::Name, J::string(&self.name)), (Key::Version, J::string(&self.version))];
        put(&mut members, Key::Title, self.title.as_deref().map(J::string));
        J::object(&members)
    }
}

/// The `_meta` of a request, looked at once.
pub struct Metadata<J> {
    value: J,
    own: Kind,
    version: Kind,
    capabilities: Kind,
    client: Kind,
    log_level: Kind,
    progress_token: Kind,
}

impl<J: Json> Metadata<J> {
    /// Looks at a `_meta`.
    pub fn read(value: J) -> Self {
        let Sight { own, members } = value.sight([
            Key::MetaProtocolVersion,
            Key::ClientCapabilities,
            Key::MetaClientInfo,
            Key::LogLevel,
            Key::ProgressToken,
        ]);
        let [version, capabilities, client, log_level, progress_token] = members;
        Metadata { value, own, version, capabilities, client, log_level, progress_token }
    }

    /// Holds it to its limits, which are tighter than those of what it comes with.
    pub fn check_size(&self, limits: &Limits) -> Result<(), Error> {
        if self.value.fits(limits.meta_depth, limits.meta_values, limits.meta_length) {
            return Ok(());
        }
        refuse("Invalid params: _meta exceeds the configured limit")
    }

    /// The least level of log messages the request asks for.
    pub fn log_level(&self) -> Option<Level> {
        if self.log_level.is_there() { Level::parse(&self.value.text(Key::LogLevel)?) } else { None }
    }

    /// Whether it says just what every stateless request has to say.
    pub fn is_plain(&self) -> bool {
        let is_usual = self.log_level == Kind::Absent && !self.progress_token.is_some();
        is_usual && check_metadata(Some(self)).is_ok() && self.check_size(&Limits::default()).is_ok()
    }

    /// What the client says of itself, if it does.
    pub fn client(&self) -> Option<Implementation> {
        if self.client.is_some() { Implementation::read(&self.value.get(Key::MetaClientInfo)?) } else { None }
    }

    /// The progress token of a request, if it has one: a string or an integer; anything else is refused.
    pub fn progress_token(&self) -> Result<Option<Id>, Error> {
        if !self.progress_token.is_some() {
            return Ok(None);
        }
        match Id::at(&self.value, Key::ProgressToken, self.progress_token) {
            Some(token) => Ok(Some(token)),
            None => refuse("Invalid params: _meta.progressToken must be a string or an integer"),
        }
    }
}

/// The era a request speaks, by its own words: the metadata key decides, whatever its value
/// (MCP 2026-07-28, basic/versioning). `server/discover` exists only without a handshake.
pub fn era_of<J: Json>(method: &Word<J>, meta: Option<&Metadata<J>>) -> Era {
    let declares = meta.is_some_and(|meta| meta.version.is_there());
    if declares || method.is(Key::Discover) { Era::Stateless } else { Era::Handshake }
}

/// Checks the metadata a stateless request must carry (MCP 2026-07-28, basic): its revision, the
/// client's capabilities, and the client's identity where it is given.
pub fn check_metadata<J: Json>(meta: Option<&Metadata<J>>) -> Result<(), Error> {
    let Some(meta) = meta.filter(|meta| meta.own == Kind::Object) else {
        return refuse("Invalid params: params._meta must name the protocol version");
    };
    if meta.version != Kind::String {
        return refuse("Invalid params: _meta[\"io.modelcontextprotocol/protocolVersion\"] must be a string");
    }
    if meta.value.which(Key::MetaProtocolVersion) != Some(Key::Stateless) {
        let version = meta.value.text(Key::MetaProtocolVersion).unwrap_or_default();
        return Err(Error::new(Code::UnsupportedVersion, ["Unsupported protocol version: ", &version].concat())
            .with_json(&unsupported::<J>(&version)));
    }
    if meta.capabilities != Kind::Object {
        return refuse("Invalid params: _meta[\"io.modelcontextprotocol/clientCapabilities\"] must be an object");
    }
    if meta.client.is_there() && !meta.value.get(Key::MetaClientInfo).is_some_and(|info| Implementation::is_one(&info))
    {
        return refuse("Invalid params: _meta[\"io.modelcontextprotocol/clientInfo\"] needs a name and a version");
    }
    if meta.log_level.is_there() && meta.log_level().is_none() {
        return refuse("Invalid params: _meta[\"io.modelcontextprotocol/logLevel\"] is not a log level");
    }
    Ok(())
}

fn refuse<T>(message: &'static str) -> Result<T, Error> {
    Err(Error::new(Code::InvalidParams, message))
}

fn unsupported<J: Json>(requested: &str) -> J {
    J::object(&[(Key::Supported, Revision::stateless_names()), (Key::Requested, J::string(requested))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn meta(version: Value, capabilities: Value) -> Value {
        json!({ "io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": capabilities })
    }

    fn check(meta: Option<Value>) -> Result<(), Error> {
        check_metadata(meta.map(Metadata::read).as_ref())
    }

    #[test]
    fn names_round_trip() {
        for revision in Revision::ALL {
            assert_eq!(Revision::parse(revision.name()), Some(revision));
        }
    }

    #[test]
    fn c53_a_handshake_echoes_what_it_knows_and_else_offers_its_newest() {
        assert_eq!(Revision::negotiate("2025-03-26"), Revision::V2025_03_26);
        assert_eq!(Revision::negotiate("1900-01-01"), Revision::V2025_11_25);
        assert_eq!(Revision::negotiate(""), Revision::V2025_11_25);
        assert_eq!(
            Revision::negotiate("2026-07-28"),
            Revision::V2025_11_25,
            "a handshake never names a stateless revision"
        );
    }

    #[test]
    fn the_key_decides_the_era_whatever_its_value() {
        let era = |method: Key, meta: Option<Value>| era_of(&Word::Known(method), meta.map(Metadata::read).as_ref());
        assert_eq!(era(Key::ToolsList, Some(meta(json!(5), json!({})))), Era::Stateless);
        assert_eq!(era(Key::ToolsList, Some(json!({ "progressToken": 1 }))), Era::Handshake);
        assert_eq!(era(Key::Discover, None), Era::Stateless);
    }

    #[test]
    fn metadata_is_checked_part_by_part() {
        assert_eq!(check(Some(meta(json!("2026-07-28"), json!({})))), Ok(()));
        let code = |meta: Option<Value>| check(meta).unwrap_err().code;
        assert_eq!(code(None), Code::InvalidParams);
        assert_eq!(code(Some(json!({}))), Code::InvalidParams);
        assert_eq!(code(Some(meta(json!(5), json!({})))), Code::InvalidParams);
        assert_eq!(code(Some(meta(json!("2026-07-28"), json!([])))), Code::InvalidParams);
        assert_eq!(code(Some(meta(json!("2025-11-25"), json!({})))), Code::UnsupportedVersion);
        let mut named = meta(json!("2026-07-28"), json!({}));
        named["io.modelcontextprotocol/clientInfo"] = json!({ "name": "x" });
        assert_eq!(code(Some(named)), Code::InvalidParams);
        let mut leveled = meta(json!("2026-07-28"), json!({}));
        leveled["io.modelcontextprotocol/logLevel"] = json!("loud");
        assert_eq!(code(Some(leveled)), Code::InvalidParams);
    }

    #[test]
    fn a_refused_version_says_which_are_supported() {
        let error = check(Some(meta(json!("1999-01-01"), json!({})))).unwrap_err();
        assert_eq!(error.data.as_deref(), Some(r#"{"supported":["2026-07-28"],"requested":"1999-01-01"}"#));
    }

    #[test]
    fn c51_progress_tokens_keep_their_type_and_zero_counts() {
        let token = |value: Value| Metadata::read(json!({ "progressToken": value })).progress_token();
        assert_eq!(token(json!(0)), Ok(Some(Id::Number(0))));
        assert_eq!(token(json!("")), Ok(Some(Id::String("".into()))));
        assert_eq!(token(json!(null)), Ok(None));
        assert_eq!(token(json!(1.5)).unwrap_err().code, Code::InvalidParams);
        assert_eq!(Metadata::read(json!({})).progress_token(), Ok(None));
    }
}
