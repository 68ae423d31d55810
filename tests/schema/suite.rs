//! The required cases of the JSON Schema Test Suite.

use super::compile;
use modelport::core::schema::{Fault, Limits};
use serde_json::Value;
use std::path::Path;

/// Groups that cannot pass, with the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[];

/// Runs the cases of a draft; how many passed, and how many ask for a document that would be fetched.
fn run(draft: &str, dialect: &str) -> (usize, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/json_schema_suite/{draft}.json"));
    let files: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (mut passed, mut remote, mut wrong) = (0, 0, Vec::new());
    for (file, groups) in files.as_object().unwrap() {
        for group in groups.as_array().unwrap() {
            let title = group["description"].as_str().unwrap();
            if EXCEPTIONS.iter().any(|(own, known, _)| *own == draft && *known == title) {
                continue;
            }
            let mut schema = group["schema"].clone();
            // The cases of draft-07 mostly do not name it.
            if let Some(object) = schema.as_object_mut() {
                object.entry("$schema").or_insert(Value::from(dialect));
            }
            let cases = group["tests"].as_array().unwrap();
            let schema = match compile(&schema) {
                Ok(schema) => schema,
                Err(error) if needs_documents(&group["schema"], error.fault) => {
                    remote += cases.len();
                    continue;
                }
                Err(error) => {
                    wrong.push(format!("{file}: {title}: {error}"));
                    continue;
                }
            };
            for case in cases {
                let answer = schema.check(&case["data"], &Limits::default());
                if answer.is_ok() == case["valid"].as_bool().unwrap() {
                    passed += 1;
                } else {
                    wrong.push(format!("{file}: {title}: {}: {answer:?}", case["description"]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{draft}: {} wrong, {passed} passed:\n{}", wrong.len(), wrong.join("\n"));
    println!("{draft}: {passed} passed, {remote} refused by name, as they need another document");
    (passed, remote)
}

/// Whether a schema is refused as it must be: it names a document that the suite serves or the web has.
fn needs_documents(schema: &Value, fault: Fault) -> bool {
    let text = schema.to_string();
    let serves = text.contains("localhost:1234") || text.contains("\"$ref\":\"http");
    serves && matches!(fault, Fault::Remote | Fault::Dialect)
}

#[test]
fn draft_2020_12() {
    let (passed, remote) = run("draft2020-12", "https://json-schema.org/draft/2020-12/schema");
    assert!(passed > 1_200 && remote < 80, "{passed} {remote}");
}

#[test]
fn draft_07() {
    let (passed, remote) = run("draft7", "http://json-schema.org/draft-07/schema#");
    assert!(passed > 800 && remote < 60, "{passed} {remote}");
}

#[test]
fn draft_2019_09() {
    let (passed, remote) = run("draft2019-09", "https://json-schema.org/draft/2019-09/schema");
    assert!(passed > 1_100 && remote < 80, "{passed} {remote}");
}
