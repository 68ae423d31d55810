//! Eras and revisions of MCP: which are spoken, how a handshake settles on one, and the metadata
//! each stateless request carries.

use super::code::Code;
use super::error::Error;
use crate::json::{Json, Key, Kind, put};

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
        [Key::Name, Key::Version].into_iter().all(|key| value.get(key).is_some_and(|text| text.kind() == Kind::String))
    }

    /// The member value on the wire.
    pub fn to_json<J: Json>(&self) -> J {
        let mut members = vec![(Key::Name, J::string(&self.name)), (Key::Version, J::string(&self.version))];
        put(&mut members, Key::Title, self.title.as_deref().map(J::string));
        J::object(members)
    }
}

/// The era a request speaks, by its own words: the metadata key decides, whatever its value
/// (MCP 2026-07-28, basic/versioning). `server/discover` exists only without a handshake.
pub fn era_of<J: Json>(method: &J, meta: Option<&J>) -> Era {
    let declares = meta.is_some_and(|meta| meta.get(Key::MetaProtocolVersion).is_some());
    if declares || method.is(Key::Discover) { Era::Stateless } else { Era::Handshake }
}

/// Checks the metadata a stateless request must carry (MCP 2026-07-28, basic): its revision, the
/// client's capabilities, and the client's identity where it is given.
pub fn check_metadata<J: Json>(meta: Option<&J>) -> Result<(), Error> {
    let refuse = |message: &'static str| Err(Error::new(Code::InvalidParams, message));
    let Some(meta) = meta.filter(|meta| meta.is_object()) else {
        return refuse("Invalid params: params._meta must name the protocol version");
    };
    let Some(version) = meta.get(Key::MetaProtocolVersion).filter(|version| version.kind() == Kind::String) else {
        return refuse("Invalid params: _meta[\"io.modelcontextprotocol/protocolVersion\"] must be a string");
    };
    if !version.is(Key::Stateless) {
        let version = version.as_string().unwrap_or_default();
        return Err(Error::new(Code::UnsupportedVersion, ["Unsupported protocol version: ", &version].concat())
            .with_data(unsupported::<J>(&version)));
    }
    if !meta.get(Key::ClientCapabilities).is_some_and(|value| value.is_object()) {
        return refuse("Invalid params: _meta[\"io.modelcontextprotocol/clientCapabilities\"] must be an object");
    }
    if meta.get(Key::MetaClientInfo).is_some_and(|info| !Implementation::is_one(&info)) {
        return refuse("Invalid params: _meta[\"io.modelcontextprotocol/clientInfo\"] needs a name and a version");
    }
    if meta.get(Key::LogLevel).is_some_and(|level| !level.as_string().is_some_and(|level| is_log_level(&level))) {
        return refuse("Invalid params: _meta[\"io.modelcontextprotocol/logLevel\"] is not a log level");
    }
    Ok(())
}

fn unsupported<J: Json>(requested: &str) -> String {
    let data = J::object(vec![(Key::Supported, Revision::stateless_names()), (Key::Requested, J::string(requested))]);
    data.to_text().ok().and_then(|text| text.as_string()).unwrap_or_default()
}

/// The progress token of a request, if it has one: a string or an integer; anything else is refused.
pub fn progress_token<J: Json>(meta: Option<&J>) -> Result<Option<super::message::Id>, Error> {
    let Some(token) = meta.and_then(|meta| meta.get(Key::ProgressToken)) else { return Ok(None) };
    if token.kind() == Kind::Null {
        return Ok(None);
    }
    match super::message::Id::read(&token) {
        Some(token) => Ok(Some(token)),
        None => {
            Err(Error::new(Code::InvalidParams, "Invalid params: _meta.progressToken must be a string or an integer"))
        }
    }
}

fn is_log_level(level: &str) -> bool {
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"].contains(&level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn meta(version: Value, capabilities: Value) -> Value {
        json!({ "io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": capabilities })
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
        assert_eq!(era_of(&json!("tools/list"), Some(&meta(json!(5), json!({})))), Era::Stateless);
        assert_eq!(era_of(&json!("tools/list"), Some(&json!({ "progressToken": 1 }))), Era::Handshake);
        assert_eq!(era_of::<Value>(&json!("server/discover"), None), Era::Stateless);
    }

    #[test]
    fn metadata_is_checked_part_by_part() {
        assert_eq!(check_metadata(Some(&meta(json!("2026-07-28"), json!({})))), Ok(()));
        let code = |meta: Option<&Value>| check_metadata(meta).unwrap_err().code;
        assert_eq!(code(None), Code::InvalidParams);
        assert_eq!(code(Some(&json!({}))), Code::InvalidParams);
        assert_eq!(code(Some(&meta(json!(5), json!({})))), Code::InvalidParams);
        assert_eq!(code(Some(&meta(json!("2026-07-28"), json!([])))), Code::InvalidParams);
        assert_eq!(code(Some(&meta(json!("2025-11-25"), json!({})))), Code::UnsupportedVersion);
        let mut named = meta(json!("2026-07-28"), json!({}));
        named["io.modelcontextprotocol/clientInfo"] = json!({ "name": "x" });
        assert_eq!(code(Some(&named)), Code::InvalidParams);
        let mut leveled = meta(json!("2026-07-28"), json!({}));
        leveled["io.modelcontextprotocol/logLevel"] = json!("loud");
        assert_eq!(code(Some(&leveled)), Code::InvalidParams);
    }

    #[test]
    fn a_refused_version_says_which_are_supported() {
        let error = check_metadata(Some(&meta(json!("1999-01-01"), json!({})))).unwrap_err();
        assert_eq!(error.data.as_deref(), Some(r#"{"supported":["2026-07-28"],"requested":"1999-01-01"}"#));
    }

    #[test]
    fn c51_progress_tokens_keep_their_type_and_zero_counts() {
        use crate::core::message::Id;
        let token = |value: Value| progress_token(Some(&json!({ "progressToken": value })));
        assert_eq!(token(json!(0)), Ok(Some(Id::Number(0))));
        assert_eq!(token(json!("")), Ok(Some(Id::String("".into()))));
        assert_eq!(token(json!(null)), Ok(None));
        assert_eq!(token(json!(1.5)).unwrap_err().code, Code::InvalidParams);
        assert_eq!(progress_token::<Value>(None), Ok(None));
    }
}
