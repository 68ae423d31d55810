//! Origins a registration may be exposed to, judged as Chromium judges them.
//!
//! The registry refuses a whole registration for one bad entry, so entries are checked before
//! anything is registered. Only what decides the question is parsed: scheme, host and port. The
//! addresses are parsed here, as the parsers and the text search of `std` are many times the code.

use super::refusal::Refusal;
use crate::core::code::Code;

/// The origins of a list, each in one spelling, sorted and without repetition, so that equal
/// exposures compare equal. The error names the first entry that is not a secure origin.
pub fn exposure<S: AsRef<str>>(origins: &[S]) -> Result<Vec<String>, Refusal> {
    let mut list: Vec<String> = Vec::with_capacity(origins.len());
    for entry in origins {
        let entry = entry.as_ref();
        let Some(origin) = secure_origin(entry) else {
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

/// The origin of a URL in one spelling, if browsers hold it to be potentially trustworthy.
///
/// Path, query and credentials are ignored, as the registry ignores them.
pub fn secure_origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.trim_matches(|c: char| c <= ' ').split_once(':')?;
    let scheme = scheme.to_ascii_lowercase();
    match scheme.as_str() {
        "https" | "wss" | "chrome-extension" => Some(authority(&scheme, rest)?.origin),
        "http" | "ws" => authority(&scheme, rest).filter(|authority| is_loopback(&authority.host)).map(|a| a.origin),
        "file" => Some("file://".to_owned()),
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
    let end = rest.bytes().position(|byte| b"/\\?#".contains(&byte)).unwrap_or(rest.len());
    let authority = rest.get(..end)?;
    let (_, place) = split_last(authority, b'@').unwrap_or(("", authority));
    let (host, port) = match split_last(place, b':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (place, ""),
    };
    let host = host.to_ascii_lowercase();
    if !is_host(&host) {
        return None;
    }
    let number = if port.is_empty() { None } else { Some(decimal(port, u16::MAX.into())?) };
    let usual = match scheme {
        "https" | "wss" => Some(443),
        "http" | "ws" => Some(80),
        _ => None,
    };
    let port = number.filter(|_| number != usual).map(|port| [":", &port.to_string()].concat()).unwrap_or_default();
    let origin = [scheme, "://", &host, &port].concat();
    Some(Authority { host, origin })
}

/// What is in front of the last such byte, and what is behind it.
fn split_last(text: &str, byte: u8) -> Option<(&str, &str)> {
    let place = text.bytes().rposition(|other| other == byte)?;
    Some((text.get(..place)?, text.get(place + 1..)?))
}

/// A number in decimal digits, no greater than `most`.
fn decimal(digits: &str, most: u32) -> Option<u32> {
    digits.bytes().try_fold(0, |number: u32, digit| {
        let number = number * 10 + u32::from(digit.wrapping_sub(b'0'));
        (digit.is_ascii_digit() && number <= most).then_some(number)
    })
}

/// Whether a URL may have this host. Letters outside ASCII are left to the browser.
fn is_host(host: &str) -> bool {
    if host.starts_with('[') {
        return bracketed(host).and_then(ipv6).is_some();
    }
    let forbidden = |byte: u8| byte <= b' ' || byte == 0x7f || b"#%/:<>?@[\\]^|*".contains(&byte);
    !host.is_empty() && host != "." && !host.bytes().any(forbidden)
}

fn is_loopback(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    match bracketed(host) {
        Some(address) => ipv6(address) == Some(true),
        None => host == "localhost" || host.ends_with(".localhost") || ipv4(host) == Some(127),
    }
}

fn bracketed(host: &str) -> Option<&str> {
    host.strip_prefix('[')?.strip_suffix(']')
}

/// The first part of an IPv4 address; `None` if it is none.
fn ipv4(address: &str) -> Option<u32> {
    let (mut first, mut parts) = (0, 0);
    for part in address.split('.') {
        // A leading zero would mean octal to some and decimal to others.
        let is_plain = part == "0" || !(part.is_empty() || part.starts_with('0'));
        let number = decimal(part, 255).filter(|_| is_plain)?;
        first = if parts == 0 { number } else { first };
        parts += 1;
    }
    (parts == 4).then_some(first)
}

/// Whether an IPv6 address is the loopback address; `None` if it is none at all.
fn ipv6(address: &str) -> Option<bool> {
    let last = address.bytes().filter(|byte| *byte == b':').count();
    let (mut groups, mut gaps, mut only_zeros, mut is_one) = (0, 0, true, false);
    for (place, group) in address.split(':').enumerate() {
        only_zeros = only_zeros && !is_one;
        match group {
            // A gap at an end is written with two colons there, so beside it is another empty group.
            "" if place == 0 && !address.starts_with("::") => return None,
            "" if place == last && !address.ends_with("::") => return None,
            "" if place == 0 || place == last => {}
            "" => gaps += 1,
            _ if place == last && ipv4(group).is_some() => {
                groups += 2;
                is_one = group == "0.0.0.1";
                only_zeros = only_zeros && is_one;
            }
            _ if group.len() <= 4 && group.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                groups += 1;
                let value = group.trim_start_matches('0');
                is_one = value == "1";
                only_zeros = only_zeros && (is_one || value.is_empty());
            }
            _ => return None,
        }
    }
    let fits = if gaps == 0 { groups == 8 } else { gaps == 1 && groups < 8 };
    fits.then_some(only_zeros && is_one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::net::{Ipv4Addr, Ipv6Addr};

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
            "http://[0:0::0:1]",
            "http://[0:0:0:0:0:0:0:0001]",
            "http://[::0.0.0.1]",
            "https://[2001:db8::1]",
            "https://[1:2:3:4:5:6:1.2.3.4]",
            "https://[1::]",
            "https://[::]",
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
            "https://[::1",
            "https://[1::2::3]",
            "https://[1:2:3:4:5:6:7]",
            "https://[1:2:3:4:5:6:7:8::]",
            "https://[:1:2:3:4:5:6:7]",
            "https://[12345::]",
            "https://[::1.2.3.4:5]",
            "http://[1::]",
            "http://[::1:0]",
            "http://[1::1]",
            "http://127.0.0",
            "http://127.0.0.01",
            "http://127.0.0.256",
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

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

        #[test]
        fn addresses_are_what_std_holds_them_to_be(short in "[01:.]{0,14}", long in "(([0-2a]{0,5}|12|0\\.0\\.0\\.1)[:.]){0,9}[01]{0,2}") {
            for text in [short, long] {
                let loopback = text.parse::<Ipv6Addr>().ok().map(|address| address == Ipv6Addr::LOCALHOST);
                prop_assert_eq!(ipv6(&text), loopback, "{}", text);
                let first = text.parse::<Ipv4Addr>().ok().map(|address| u32::from(address.octets()[0]));
                prop_assert_eq!(ipv4(&text), first, "{}", text);
            }
        }
    }
}
