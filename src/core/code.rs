//! Every error code: the word users branch on, and the JSON-RPC number that travels, both directions.

macro_rules! codes {
    ($($(#[$doc:meta])+ $variant:ident = $word:literal $(, $number:literal)?;)+) => {
        /// Why something failed. The word of a code is a contract, the same one as in JavaScript; message texts are not.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])+ $variant,)+
            /// The peer answered with a JSON-RPC code that has no name here.
            Remote(i32),
        }

        impl Code {
            /// Every named code.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// The stable word, lower case with hyphens.
            pub const fn word(self) -> &'static str {
                match self { $(Code::$variant => $word,)+ Code::Remote(_) => "remote-error" }
            }

            /// The JSON-RPC number, for codes that travel under one of their own.
            pub const fn number(self) -> Option<i32> {
                match self {
                    $(Code::$variant => codes!(@number $($number)?),)+
                    Code::Remote(number) => Some(number),
                }
            }
        }
    };
    (@number $number:literal) => { Some($number) };
    (@number) => { None };
}

codes! {
    /// Text that is not JSON (JSON-RPC 2.0, section 5.1).
    ParseError = "parse-error", -32700;
    /// JSON that is not a request (JSON-RPC 2.0, section 5.1).
    InvalidRequest = "invalid-request", -32600;
    /// The peer has no such method (JSON-RPC 2.0, section 5.1).
    MethodNotFound = "method-not-found", -32601;
    /// The method exists, its parameters do not fit (JSON-RPC 2.0, section 5.1).
    InvalidParams = "invalid-params", -32602;
    /// A fault inside the peer, or one of its limits (JSON-RPC 2.0, section 5.1).
    InternalError = "internal-error", -32603;
    /// HTTP headers disagree with the body (MCP 2026-07-28, basic/transports).
    HeaderMismatch = "header-mismatch", -32020;
    /// The client lacks a capability the request needs (MCP 2026-07-28, basic).
    MissingCapability = "missing-capability", -32021;
    /// The server does not speak the revision that was asked for (MCP 2026-07-28, basic/versioning).
    UnsupportedVersion = "unsupported-version", -32022;
    /// Used after it was closed, or closed while a call was under way.
    Closed = "closed";
    /// Used before `connect()` settled.
    NotConnected = "not-connected";
    /// Used before `ready()` settled.
    NotReady = "not-ready";
    /// The wasm could not be fetched, compiled or started.
    LoadFailed = "load-failed";
    /// No answer in time.
    Timeout = "timeout";
    /// The caller gave up.
    Cancelled = "cancelled";
    /// An argument to one of our own functions does not fit.
    InvalidArgument = "invalid-argument";
    /// The peer's answer breaks the protocol.
    InvalidResponse = "invalid-response";
    /// What was kept for a slow reader, or before a decision, would have piled up.
    Overflow = "overflow";
    /// A tool ran and failed; the message is what it said.
    ToolError = "tool-error";
    /// The message could not be sent: the carrier refused it.
    SendFailed = "send-failed";
    /// WebMCP: the tool has no description, and the registry requires one.
    DescriptionMissing = "description-missing";
    /// WebMCP: the registry refuses the name.
    NameNotCarriable = "name-not-carriable";
    /// WebMCP: the input schema has no JSON form.
    SchemaNotSerialisable = "schema-not-serialisable";
    /// An origin that may not be named in `origins`, or the other side does not let this one in.
    OriginRefused = "origin-refused";
    /// WebMCP: somebody else registered the name first.
    NameTaken = "name-taken";
    /// WebMCP: the permissions policy `tools` keeps this document out.
    BlockedByPolicy = "blocked-by-policy";
    /// WebMCP: the document is not origin-keyed (`Origin-Agent-Cluster: ?0`).
    NotOriginKeyed = "not-origin-keyed";
    /// WebMCP: the document is not fully active, or has no window.
    NotActive = "not-active";
    /// WebMCP: the registry did not answer in time, or answered what this version does not know.
    RegistryFailed = "registry-failed";
    /// WebMCP: the tool is no longer there.
    ToolGone = "tool-gone";
}

impl Code {
    /// The code a JSON-RPC number stands for. `-32002` was "resource not found" until 2025-11-25.
    pub fn from_number(number: i32) -> Code {
        Code::ALL.iter().copied().find(|code| code.number() == Some(number)).unwrap_or(Code::Remote(number))
    }

    /// The code of that word.
    ///
    /// ```
    /// use modelport::Code;
    /// assert_eq!(Code::parse("name-taken"), Some(Code::NameTaken));
    /// ```
    pub fn parse(word: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.word() == word)
    }

    /// The JSON-RPC number to answer a peer with.
    pub fn wire_number(self) -> i32 {
        self.number().unwrap_or(-32603)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_round_trips() {
        for code in Code::ALL {
            if let Some(number) = code.number() {
                assert_eq!(Code::from_number(number), *code);
            }
        }
        assert_eq!(Code::from_number(-32002), Code::Remote(-32002));
        assert_eq!(Code::Remote(-32002).wire_number(), -32002);
    }

    #[test]
    fn words_are_unique_lower_case_and_hyphenated() {
        for code in Code::ALL {
            assert!(code.word().chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", code.word());
            assert_eq!(Code::ALL.iter().filter(|other| other.word() == code.word()).count(), 1);
        }
    }
}
