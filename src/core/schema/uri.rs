//! As much of URIs as references within one document need (RFC 3986, section 5).

/// A URI without its fragment, and the fragment, `""` if there is none.
pub fn split_fragment(uri: &str) -> (&str, &str) {
    uri.split_once('#').unwrap_or((uri, ""))
}

/// The parts of a URI that has no fragment.
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

fn parts(uri: &str) -> Parts<'_> {
    let (uri, query) = uri.split_once('?').map_or((uri, None), |(uri, query)| (uri, Some(query)));
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let (scheme, rest) = match uri.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, uri),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Some(authority), path)
        }
        None => (None, rest),
    };
    Parts { scheme, authority, path, query }
}

fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let last = path.split('/').next_back();
    for step in path.split('/') {
        match step {
            "." => {}
            // The empty step before a leading slash stays.
            ".." if kept.len() > 1 || kept.first().is_some_and(|first| !first.is_empty()) => drop(kept.pop()),
            ".." => {}
            _ => kept.push(step),
        }
    }
    let ends_in_folder = matches!(last, Some("." | ".."));
    kept.join("/") + if ends_in_folder { "/" } else { "" }
}

/// What a reference without a fragment means where this is the base.
pub fn resolve(base: &str, reference: &str) -> String {
    if reference.is_empty() {
        return base.to_owned();
    }
    let (own, above) = (parts(reference), parts(base));
    let (scheme, authority, path, query) = if own.scheme.is_some() {
        (own.scheme, own.authority, own.path.to_owned(), own.query)
    } else if own.authority.is_some() {
        (above.scheme, own.authority, own.path.to_owned(), own.query)
    } else if own.path.is_empty() {
        (above.scheme, above.authority, above.path.to_owned(), own.query.or(above.query))
    } else if own.path.starts_with('/') {
        (above.scheme, above.authority, own.path.to_owned(), own.query)
    } else {
        let folder = match above.path.rfind('/') {
            Some(slash) => above.path.get(..=slash).unwrap_or_default(),
            None if above.authority.is_some() => "/",
            None => "",
        };
        (above.scheme, above.authority, folder.to_owned() + own.path, own.query)
    };
    let mut uri = String::new();
    if let Some(scheme) = scheme {
        uri = uri + scheme + ":";
    }
    if let Some(authority) = authority {
        uri = uri + "//" + authority;
    }
    uri += &without_dots(&path);
    if let Some(query) = query {
        uri = uri + "?" + query;
    }
    uri
}

/// `%41` is `A`; what is no such code stays as it is.
pub fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        match after.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_as_the_rfc_shows() {
        let base = "http://a/b/c/d?q";
        for (reference, expected) in [
            ("g", "http://a/b/c/g"),
            ("./g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d?y"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../../g", "http://a/g"),
            ("g:h", "g:h"),
            ("", base),
        ] {
            assert_eq!(resolve(base, reference), expected, "{reference}");
        }
        assert_eq!(resolve("", "item.json"), "item.json");
        assert_eq!(resolve("http://a", "b"), "http://a/b");
        assert_eq!(percent_decoded("a%25b%2"), "a%b%2");
    }
}
