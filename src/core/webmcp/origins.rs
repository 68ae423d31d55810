//! Origins a registration may be exposed to, judged as Chromium judges them.
//!
//! The registry refuses a whole registration for one bad entry, so entries are checked before
//! anything is registered. Only what decides the question is parsed: scheme, host and port.

use super::refusal::Refusal;
use crate::core::code::Code;

/// The origins of a list, each in one spelling, sorted and without repetition, so that equal
/// exposures compare equal. The error names the first entry that is not a secure origin.
pub fn exposure<S: AsRef<str>>(origins: &[S]) -> Result<Vec<String>, Refusal> {
    let mut list = origins
        .iter()
        .map(|entry| {
            let entry = entry.as_ref();
            secure_origin(entry).ok_or_else(|| {
                let reason =
                    format!("'{entry}' is not a secure origin, such as https://example.com or http://localhost:8080.");
                Refusal::new(Code::OriginRefused, reason)
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    list.sort_unstable();
    list.dedup();
    Ok(list)
}

/// The origin of a URL in one spelling, if browsers hold it to be potentially trustworthy.
///
/// Path, query and credentials are ignored, as the registry ignores them.
pub fn secure_origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.trim_matches(|c: char| c <= ' ').split_once(':')?;
    let scheme = scheme.to_ascii_lowercase();
    match scheme.as_str() {
        "https" | "wss" => Some(authority(&scheme, rest)?.origin),
        "http" | "ws" => authority(&scheme, rest).filter(|authority| is_loopback(&authority.host)).map(|a| a.origin),
        "file" => Some("file://".to_owned()),
        "chrome-extension" => Some(authority(&scheme, rest)?.origin),
        "blob" => secure_origin(rest).filter(|origin| origin.starts_with("http")),
        _ => None,
    }
}

struct Authority {
    host: String,
    origin: String,
}

fn authority(scheme: &str, rest: &str) -> Option<Authority> {
    // Browsers take any number of slashes, also backslashes, in front of the host of such schemes.
    let rest = rest.trim_start_matches(['/', '\\']);
    let authority = rest.split(['/', '\\', '?', '#']).next()?;
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, port),
        _ => (place, ""),
    };
    let host = host.to_ascii_lowercase();
    if !is_host(&host) {
        return None;
    }
    let number = if port.is_empty() { None } else { Some(port.parse::<u16>().ok().filter(|_| digits(port))?) };
    let usual = match scheme {
        "https" | "wss" => Some(443),
        "http" | "ws" => Some(80),
        _ => None,
    };
    let port = number.filter(|_| number != usual).map(|port| format!(":{port}")).unwrap_or_default();
    let origin = format!("{scheme}://{host}{port}");
    Some(Authority { host, origin })
}

fn digits(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a URL may have this host. Letters outside ASCII are left to the browser.
fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[') {
        return address.strip_suffix(']').is_some_and(|inner| inner.parse::<std::net::Ipv6Addr>().is_ok());
    }
    let forbidden = |c: char| c <= ' ' || c == '\u{7f}' || "#%/:<>?@[\\]^|*".contains(c);
    !host.is_empty() && host != "." && !host.chars().any(forbidden)
}

fn is_loopback(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    if host == "localhost" || host.ends_with(".localhost") {
        return true;
    }
    if let Some(address) = host.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        return address.parse() == Ok(std::net::Ipv6Addr::LOCALHOST);
    }
    host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b33_secure_origins_are_taken() {
        for origin in [
            "https://a.example",
            "https://a.example:8443/path?query#hash",
            "https://user:word@a.example",
            "HTTPS://A.Example",
            "http://localhost",
            "http://localhost:8080",
            "http://sub.localhost",
            "http://127.0.0.1:3000",
            "http://127.9.9.9",
            "http://[::1]:80",
            "https://[2001:db8::1]",
            "wss://a.example",
            "file:///home/me/page.html",
            "chrome-extension://abcdefghijklmnop",
            "blob:https://a.example/1f2e",
            "https://b\u{fc}cher.example",
        ] {
            assert!(secure_origin(origin).is_some(), "{origin}");
        }
    }

    #[test]
    fn b34_everything_else_is_refused() {
        for origin in [
            "http://x",
            "http://a.example",
            "http://localhost.example",
            "http://128.0.0.1",
            "http://127.0.0.1.example",
            "*",
            "null",
            "",
            " ",
            "/path",
            "a.example",
            "about:blank",
            "data:text/html,x",
            "javascript:1",
            "custom://x",
            "https://",
            "https://*",
            "https://a b",
            "https://a:99999",
            "https://a:+80",
            "https://[::zz]",
            "blob:null",
            "blob:http://a.example/1",
            "blob:data:x",
            "http://[::2]",
        ] {
            assert_eq!(secure_origin(origin), None, "{origin}");
        }
    }

    #[test]
    fn the_refusal_names_the_entry() {
        let refusal = exposure(&["https://a.example", "http://x"]).err();
        assert_eq!(refusal.as_ref().map(|refusal| refusal.code), Some(Code::OriginRefused));
        assert!(refusal.is_some_and(|refusal| refusal.reason.contains("'http://x'")));
    }

    #[test]
    fn one_spelling_for_one_exposure() {
        let one = exposure(&["https://B.example:443/x", "https://a.example", "https://a.example/y"]);
        assert_eq!(one, exposure(&["https://a.example", "https://b.example"]));
        assert_ne!(one, exposure(&["https://a.example:8443", "https://b.example"]));
        assert_eq!(exposure::<&str>(&[]), Ok(vec![]));
    }
}
