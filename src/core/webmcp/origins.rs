//! Origins a registration may be exposed to, judged as browsers judge them.
//!
//! The registry refuses a whole registration for one bad entry, so entries are checked before
//! anything is registered. To take a URL apart is the platform's own business; what is a rule here
//! is which origins are secure.

use super::project::Dictionary;
use super::refusal::Refusal;
use crate::core::code::Code;

/// The origins of a list, each in one spelling, sorted and without repetition, so that equal
/// exposures compare equal. The error names the first entry that is not a secure origin.
pub fn exposure<J: Dictionary, S: AsRef<str>>(origins: &[S]) -> Result<Vec<String>, Refusal> {
    let mut list: Vec<String> = Vec::with_capacity(origins.len());
    for entry in origins {
        let entry = entry.as_ref();
        let Some(origin) = J::origin_of(entry).filter(|origin| is_secure(origin)) else {
            let reason =
                ["'", entry, "' is not a secure origin, such as https://example.com or http://localhost:8080."];
            return Err(Refusal::new(Code::OriginRefused, reason.concat()));
        };
        if let Err(place) = list.binary_search(&origin) {
            list.insert(place, origin);
        }
    }
    Ok(list)
}

/// Whether browsers hold an origin, as they spell it, to be potentially trustworthy.
fn is_secure(origin: &str) -> bool {
    let is = |scheme: &str| origin.starts_with(scheme);
    if is("http://") || is("ws://") {
        return is_loopback(origin.get(if is("ws") { 5 } else { 7 }..).unwrap_or_default());
    }
    is("https://") || is("wss://") || is("chrome-extension://") || is("file://")
}

fn is_loopback(place: &str) -> bool {
    let colon = place.bytes().rposition(|byte| byte == b':').filter(|_| !place.ends_with(']'));
    let host = colon.and_then(|colon| place.get(..colon)).unwrap_or(place);
    let host = host.strip_suffix('.').unwrap_or(host);
    // A host of nothing but digits and dots is an address, or it would not have come through.
    let is_address = || host.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit());
    host == "localhost" || host.ends_with(".localhost") || host == "[::1]" || (host.starts_with("127.") && is_address())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn exposed(origins: &[&str]) -> Result<Vec<String>, Refusal> {
        exposure::<Value, _>(origins)
    }

    #[test]
    fn b33_secure_origins() {
        for origin in [
            "https://a.example",
            "https://a.example:8443",
            "https://[2001:db8::1]",
            "http://localhost",
            "http://localhost:8080",
            "http://localhost.:1",
            "http://sub.localhost",
            "http://127.0.0.1:3000",
            "http://127.9.9.9",
            "http://[::1]",
            "http://[::1]:80",
            "ws://localhost",
            "wss://a.example",
            "file://",
            "chrome-extension://abcdefghijklmnop",
        ] {
            assert!(is_secure(origin), "{origin}");
        }
    }

    #[test]
    fn b34_everything_else() {
        for origin in [
            "http://x",
            "http://a.example",
            "http://localhost.example",
            "http://notlocalhost",
            "http://128.0.0.1",
            "http://127.0.0.1.example",
            "http://127.example",
            "http://[::2]",
            "http://[::1:0]:80",
            "http://1127.0.0.1",
            "ws://a.example",
            "custom://x",
            "null",
            "",
            "http://",
        ] {
            assert!(!is_secure(origin), "{origin}");
        }
    }

    #[test]
    fn the_refusal_names_the_entry() {
        let refusal = exposed(&["https://a.example", "http://x"]).err();
        assert_eq!(refusal.as_ref().map(|refusal| refusal.code), Some(Code::OriginRefused));
        assert!(refusal.is_some_and(|refusal| refusal.reason.contains("'http://x'")));
    }

    #[test]
    fn one_spelling_for_one_exposure() {
        let one = exposed(&["https://B.example/x", "https://a.example", "https://a.example/y"]);
        assert_eq!(one, exposed(&["https://a.example", "https://b.example"]));
        assert_ne!(one, exposed(&["https://a.example:8443", "https://b.example"]));
        assert_eq!(exposed(&[]), Ok(vec![]));
    }
}
