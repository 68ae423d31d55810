//! Schemas from the wild: what they are for passes, and what they refuse is refused at the right place.

use super::compile;
use modelport::core::schema::{Fault, Limits, Refusal};
use serde_json::Value;
use std::path::Path;

pub fn samples() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    paths.iter().map(|path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()).collect()
}

#[test]
fn samples_are_judged_rightly() {
    let samples = samples();
    assert_eq!(samples.len(), 14);
    for sample in samples {
        let id = sample["id"].as_str().unwrap();
        let schema = &sample["tool"]["inputSchema"];
        let schema = compile(schema).unwrap_or_else(|error| panic!("{id}: {error}"));
        schema
            .check(&sample["valid_arguments"], &Limits::default())
            .unwrap_or_else(|refusal| panic!("{id}: {refusal}"));
        let answer = schema.check(&sample["invalid_arguments"], &Limits::default());
        // An empty schema accepts what MCP itself refuses.
        if id == "S16" {
            assert_eq!(answer, Ok(()));
            continue;
        }
        let Err(Refusal::Invalid { failures, .. }) = answer else { panic!("{id}: {answer:?}") };
        println!("{id}: {}", Refusal::Invalid { failures: failures.clone(), more: false });
        let (at, keyword) = (sample["invalid_at"].as_str().unwrap(), sample["invalid_keyword"].as_str().unwrap());
        // The place comes first; a second rule may break there too.
        assert_eq!(failures[0].at, at, "{id}: {failures:?}");
        assert!(failures.iter().any(|one| one.at == at && one.keyword == keyword), "{id}: {failures:?}");
    }
}

#[test]
fn a_dangling_reference_is_told_at_once() {
    let samples = samples();
    let sample = samples.iter().find(|sample| sample["id"] == "S04").unwrap();
    let error = compile(&sample["tool"]["outputSchema"]).err().unwrap();
    assert_eq!((error.fault, error.at.as_str()), (Fault::Dangling, "/properties/screen/$ref"));
    assert!(error.message.contains("#/$defs/Screen"), "{error}");
}
