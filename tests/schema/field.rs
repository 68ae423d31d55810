//! Cases from the field about schemas, by their numbers: what people's schemas really did to other validators.

use super::compile;
use super::samples::samples;
use modelport::core::schema::{Exceeded, Fault, Limits, Refusal};
use serde_json::{Value, json};

fn check(schema: &Value, value: &Value) -> Result<(), Refusal> {
    compile(schema).unwrap_or_else(|error| panic!("{schema}: {error}")).check(value, &Limits::default())
}

fn sample(id: &str) -> Value {
    samples().into_iter().find(|sample| sample["id"] == id).unwrap_or_else(|| panic!("no sample {id}"))
}

#[test]
fn c41_patterns_are_those_of_ecma_262_and_end() {
    let mail = &sample("S08")["tool"]["inputSchema"];
    assert_eq!(check(mail, &json!({ "mail": "pat.doe@example.org" })), Ok(()));
    assert!(check(mail, &json!({ "mail": "pat..doe@example.org" })).is_err());
    for (pattern, right, wrong) in [
        ("^(?<year>\\d{4})-\\k<year>$", "2026-2026", "2026-2027"),
        ("^\\p{L}+$", "Ärger", "1st"),
        ("^(a|b)\\1$", "aa", "ab"),
        ("(?<!-)x$", "ax", "-x"),
    ] {
        let schema = json!({ "pattern": pattern });
        assert_eq!(
            (check(&schema, &json!(right)), check(&schema, &json!(wrong)).is_err()),
            (Ok(()), true),
            "{pattern}"
        );
    }
    let text = json!("a".repeat(40) + "!");
    let refusal = check(&json!({ "pattern": "^(a+)+$" }), &text).unwrap_err();
    assert!(matches!(refusal, Refusal::Invalid { .. }), "{refusal}");
    let refusal = check(&json!({ "pattern": "^(?:(?=a)a|(?=a)a)*$" }), &text).unwrap_err();
    assert!(matches!(refusal, Refusal::Exceeded(Exceeded::Pattern(_))), "{refusal}");
    assert_eq!(compile(&json!({ "pattern": "[" })).err().unwrap().fault, Fault::Pattern);
}

#[test]
fn c42_the_dialect_is_the_one_that_is_declared_or_2020_12() {
    for id in ["S10", "S11"] {
        let sample = sample(id);
        assert_eq!(check(&sample["tool"]["inputSchema"], &sample["valid_arguments"]), Ok(()), "{id}");
    }
    // Read as 2020-12 the tuple of draft-07 is no schema at all.
    let mut undeclared = sample("S11")["tool"]["inputSchema"].clone();
    undeclared.as_object_mut().unwrap().remove("$schema");
    let error = compile(&undeclared).err().unwrap();
    assert_eq!((error.fault, error.at.as_str()), (Fault::Keyword, "/properties/range/items"));
    let two = sample("S03");
    assert!(check(&two["tool"]["inputSchema"], &two["invalid_arguments"]).is_err(), "two branches match");
}

#[test]
fn c43_nothing_is_fetched_and_nothing_goes_on_for_ever() {
    let remote = json!({ "type": "object", "properties": { "a": { "$ref": "https://example.org/a.json" } } });
    assert_eq!(compile(&remote).err().unwrap().fault, Fault::Remote);
    let endless = json!({ "$defs": { "a": { "allOf": [{ "$ref": "#/$defs/b" }] }, "b": { "allOf": [{ "$ref": "#/$defs/a" }] } },
        "$ref": "#/$defs/a" });
    assert_eq!(compile(&endless).err().unwrap().fault, Fault::Endless);
    // The value copies itself on the stack, level by level, which a test's own stack is too small for.
    let judge = move || {
        let tree = json!({ "type": "object", "properties": { "next": { "$ref": "#" } } });
        let deep = (0..2_000).fold(json!({}), |inner, _| Value::Object([("next".into(), inner)].into_iter().collect()));
        assert_eq!(check(&tree, &deep), Err(Refusal::Exceeded(Exceeded::Nesting)));
        assert_eq!(check(&tree, &json!({ "next": {} })), Ok(()), "and the next one is judged as ever");
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(judge).unwrap().join().unwrap();
    let wide: Vec<Value> = (0..10_000).map(|place| json!({ "const": place })).collect();
    let wide = json!({ "oneOf": wide });
    assert!(matches!(
        compile(&wide).map(|schema| schema.check(&json!(5), &Limits::default())),
        Ok(Ok(()) | Err(Refusal::Exceeded(_)))
    ));
}

#[test]
fn c45_a_pattern_that_is_wrong_is_told_with_its_place() {
    let sample = sample("S15");
    let Err(Refusal::Invalid { failures, .. }) =
        check(&sample["tool"]["inputSchema"], &json!({ "day": "2026-11-30", "time": "8:30 PM" }))
    else {
        panic!("8 is not in [1-12]")
    };
    assert_eq!((failures[0].at.as_str(), failures[0].keyword), ("/time", "pattern"));
    assert_eq!(
        check(&sample["tool"]["inputSchema"], &sample["valid_arguments"]),
        Ok(()),
        "an unknown format is a note"
    );
}
