//! The house rules, as tests: which room may name which, what must not be written, how long files
//! may be, and that what is said twice is said alike.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold what was made or fetched, not what was written.
const NOT_OURS: &[&str] =
    &["node_modules", "target", "dist", "generated", "test-results", "playwright-report", "report"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every written file below a folder whose name ends in one of these.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if name.starts_with('.') || NOT_OURS.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() { walk(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    found.retain(|path| endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)));
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn sources() -> Vec<PathBuf> {
    let mut all = files("src", &[".rs", ".js"]);
    all.extend(files("www", &[".ts", ".js"]));
    all.extend(files("scripts", &[".mjs", ".rs"]));
    all.extend(files("playwright", &[".ts"]));
    all.extend(files("benches", &[".mjs", ".js", ".ts"]));
    all.extend(files("tests", &[".rs"]));
    all.extend(files("examples", &[".rs", ".css"]));
    all
}

/// Rust code without comments and string literals: their words are nobody's dependencies.
fn bare(source: &str) -> String {
    let mut out = String::new();
    for line in source.lines() {
        let mut chars = line.chars().peekable();
        let mut in_string = false;
        while let Some(c) = chars.next() {
            match c {
                '\\' if in_string => drop(chars.next()),
                '\'' if !in_string && chars.peek() == Some(&'"') => drop(chars.next()),
                '"' => in_string = !in_string,
                '/' if !in_string && chars.peek() == Some(&'/') => break,
                _ if in_string => {}
                _ => out.push(c),
            }
        }
        out.push('\n');
    }
    out
}

/// The shipped part of a file: house custom puts its tests at the end.
fn shipped(source: &str) -> &str {
    match source.find("#[cfg(test)]\nmod tests {") {
        Some(end) => &source[..end],
        None => source,
    }
}

/// Whole files that only tests compile: `#[cfg(test)] mod name;` in the file above them.
fn is_test_file(path: &Path) -> bool {
    let declared = |file: &Path, module: &str| {
        let text = read(file);
        let mut lines = text.lines().map(str::trim).peekable();
        while let Some(line) = lines.next() {
            let next = lines.peek().copied().unwrap_or_default();
            if line == "#[cfg(test)]" && next.trim_start_matches("pub(crate) ").starts_with(&format!("mod {module};")) {
                return true;
            }
        }
        false
    };
    path.ancestors().take_while(|one| one.file_name().is_some_and(|name| name != "src")).any(|one| {
        let module = one.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let above = one.parent().unwrap_or(one);
        declared(&above.join("mod.rs"), &module) || declared(&above.join("lib.rs"), &module)
    })
}

fn complain(what: &str, complaints: &[String]) {
    assert!(complaints.is_empty(), "{what}:\n  {}", complaints.join("\n  "));
}

/// The paths a file names, `a::b`, each from its first segment on.
fn paths(code: &str) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    for line in code.lines() {
        let words: String =
            line.chars().map(|c| if c.is_alphanumeric() || c == '_' || c == ':' { c } else { ' ' }).collect();
        for word in words.split_whitespace().filter(|word| word.contains("::")) {
            let path: Vec<String> = word.split("::").map(str::to_owned).collect();
            if path.first().is_some_and(|first| first.chars().next().is_some_and(char::is_lowercase)) {
                found.insert(path);
            }
        }
    }
    found
}

#[test]
fn the_core_names_no_browser() {
    let mut complaints = Vec::new();
    let core: Vec<PathBuf> = files("src/core", &[".rs"]).into_iter().chain([root().join("src/json.rs")]).collect();
    for path in core {
        let source = read(&path);
        let code = bare(&source);
        for word in [
            "js_sys",
            "web_sys",
            "wasm_bindgen",
            "gloo",
            "futures_",
            "JsValue",
            "async fn",
            "std::time",
            "std::thread",
            "std::sync",
            "cfg(target",
        ] {
            if code.contains(word) {
                complaints.push(format!("{} says {word}", short(&path)));
            }
        }
        for named in paths(&code).into_iter().filter(|named| named[0] == "crate") {
            if !matches!(named.get(1).map(String::as_str), Some("core" | "json" | "")) {
                complaints.push(format!("{} names {}", short(&path), named.join("::")));
            }
        }
        // Where a path can come from outside the crate, `use` says so first.
        for line in code.lines().map(str::trim).filter(|line| line.starts_with("use ") || line.starts_with("pub use "))
        {
            let first = line
                .trim_start_matches("pub ")
                .trim_start_matches("use ")
                .split(&[':', ';', ' '][..])
                .next()
                .unwrap_or_default();
            let allowed = ["crate", "super", "self", "std", "serde", "serde_json"].contains(&first);
            let own = first.chars().next().is_some_and(char::is_uppercase) || code.contains(&format!("mod {first};"));
            if !allowed
                && !own
                && !(first == "proptest" && (is_test_file(&path) || source.contains("#[cfg(test)]\nmod tests")))
            {
                complaints.push(format!("{} uses {first}", short(&path)));
            }
        }
    }
    complain("core names nothing but json, serde, serde_json and std", &complaints);
}

#[test]
fn nothing_points_back() {
    let mut complaints = Vec::new();
    for (room, forbidden) in [
        ("src/web", &["crate::api", "super::api", "super::super::api"][..]),
        ("src/core", &["crate::api", "crate::web"][..]),
    ] {
        for path in files(room, &[".rs"]) {
            let code = bare(&read(&path));
            complaints.extend(
                forbidden
                    .iter()
                    .filter(|word| code.contains(*word))
                    .map(|word| format!("{} names {word}", short(&path))),
            );
        }
    }
    complain("api uses web, web uses core, nothing points back", &complaints);
}

#[test]
fn nothing_shipped_can_panic_or_leak_on_purpose() {
    let mut complaints = Vec::new();
    for path in files("src", &[".rs"]).into_iter().filter(|path| !is_test_file(path)) {
        let code = bare(shipped(&read(&path)));
        for word in [
            ".forget()",
            "mem::forget",
            "Box::leak",
            ".unwrap()",
            ".expect(",
            "panic!",
            "todo!",
            "unimplemented!",
            "unreachable!",
            "dbg!",
            "println!",
        ] {
            for (number, _) in code.lines().enumerate().filter(|(_, line)| line.contains(word)) {
                complaints.push(format!("{}:{} says {word}", short(&path), number + 1));
            }
        }
    }
    complain("not outside tests", &complaints);
}

#[test]
fn files_are_at_most_400_lines() {
    let long: Vec<String> = sources()
        .iter()
        .map(|path| (read(path).lines().count(), path))
        .filter(|(lines, _)| *lines > 400)
        .map(|(lines, path)| format!("{}: {lines}", short(path)))
        .collect();
    complain("at most 400 lines", &long);
}

#[test]
fn every_source_file_begins_by_saying_what_it_is() {
    let mut complaints = Vec::new();
    for path in sources() {
        let text = read(&path);
        let mut lines = text.lines().filter(|line| !line.starts_with("#!/"));
        let first = lines.next().unwrap_or_default();
        let starts = if path.extension().is_some_and(|ending| ending == "rs") {
            first.starts_with("//!")
        } else {
            first.starts_with("//") || first.starts_with("/*")
        };
        if !starts || first.len() < 12 {
            complaints.push(format!("{}: {first}", short(&path)));
        }
    }
    complain("the first line is a comment that says what the file is", &complaints);
}

/// The attributes right above each `pub fn` of a file, and its name.
fn exported(code: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (mut attributes, mut in_export) = (String::new(), false);
    for line in code.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("#[") {
            attributes.push_str(trimmed);
        } else if trimmed.starts_with("impl ") {
            in_export = attributes.contains("wasm_bindgen");
            attributes.clear();
        } else if let Some(rest) = trimmed.strip_prefix("pub fn ") {
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let indented = line.starts_with(' ');
            if (indented && in_export) || attributes.contains("wasm_bindgen") {
                found.push((attributes.clone(), name));
            }
            attributes.clear();
        } else if !trimmed.is_empty() && !trimmed.starts_with("//") {
            attributes.clear();
        }
    }
    found
}

#[test]
fn exported_names_are_javascripts_own() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for path in files("src/api", &[".rs"]) {
        for (attributes, name) in exported(&read(&path)) {
            count += 1;
            let given = attributes
                .split("js_name = ")
                .nth(1)
                .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
            let seen: String = given.unwrap_or(name);
            if seen.contains('_') || seen.chars().next().is_some_and(char::is_uppercase) {
                complaints.push(format!("{}: {seen}", short(&path)));
            }
        }
    }
    assert!(count > 20, "the exports were not found: {count}");
    complain("exported functions are camelCase", &complaints);
}

/// What stands between two texts.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let from = text.find(before)? + before.len();
    text[from..].find(after).map(|to| &text[from..from + to])
}

#[test]
fn one_version_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    let json = |file: &str| -> serde_json::Value { serde_json::from_str(&read(&root().join(file))).unwrap() };
    assert_eq!(json("package.json")["version"], version, "package.json");
    assert_eq!(json("package-lock.json")["version"], version, "package-lock.json");
    assert_eq!(between(&read(&root().join("www/version.ts")), "version = \"", "\""), Some(version), "www/version.ts");
}

/// Every word of `code.rs`, the one for nameless remote codes included.
fn code_words() -> BTreeSet<String> {
    let source = read(&root().join("src/core/code.rs"));
    let table = between(&source, "codes! {\n    ///", "\n}\n").unwrap();
    let mut words: BTreeSet<String> =
        table.lines().filter_map(|line| between(line, " = \"", "\"")).map(str::to_owned).collect();
    assert!(words.len() > 20, "the codes were not found: {words:?}");
    words.insert("remote-error".to_owned());
    words
}

#[test]
fn every_error_code_is_in_the_readme() {
    let path = root().join("README.md");
    if !path.exists() {
        return;
    }
    let readme = read(&path);
    let missing: Vec<String> = code_words().into_iter().filter(|word| !readme.contains(&format!("`{word}`"))).collect();
    complain("codes that README.md does not list", &missing);
}

#[test]
fn the_script_side_makes_no_codes_of_its_own() {
    let words = code_words();
    let mut complaints = Vec::new();
    for path in files("www", &[".ts"]) {
        let source = read(&path);
        for part in source.split("new ModelportError(\"").skip(1) {
            let code = part.split('"').next().unwrap_or_default();
            if !words.contains(code) {
                complaints.push(format!("{}: {code}", short(&path)));
            }
        }
    }
    complain("codes that src/core/code.rs does not have", &complaints);
}

#[test]
fn no_file_names_the_host_of_a_registry() {
    // In pieces, so that this file does not name one.
    let hosts =
        [["npm", "js.org"], ["npm", "js.com/"], ["index.crates", ".io"], ["static.crates", ".io"], ["arti", "factory"]]
            .map(|pieces| pieces.concat());
    let mut complaints = Vec::new();
    let mut all = sources();
    all.extend(
        [".npmrc", "package.json", "package-lock.json", "Cargo.toml", "Cargo.lock", ".ci/run"]
            .map(|file| root().join(file)),
    );
    for path in all {
        let text = read(&path);
        complaints.extend(
            hosts.iter().filter(|host| text.contains(*host)).map(|host| format!("{} names {host}", short(&path))),
        );
        if path.ends_with("package-lock.json") && text.contains("\"resolved\"") {
            complaints.push("package-lock.json says where packages were fetched".to_owned());
        }
    }
    complain("any mirror will do", &complaints);
}

#[test]
fn dist_has_one_wasm() {
    fn count(folder: &Path) -> usize {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.path())
            .map(|path| {
                if path.is_dir() {
                    count(&path)
                } else {
                    usize::from(path.extension().is_some_and(|ending| ending == "wasm"))
                }
            })
            .sum()
    }
    let dist = root().join("dist");
    if dist.join("index.js").exists() {
        assert_eq!(count(&dist), 1);
    }
}
