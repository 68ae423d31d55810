//! Nothing a stranger sends hangs or passes for want of time, and every fault of a schema is told by name.

use super::{compile, patterns};
use modelport::core::schema::{Exceeded, Fault, Limits, Refusal, Schema};
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// Runs on a stack as small as that of wasm, which has 1 MiB.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(test).unwrap().join().unwrap();
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(json!(1), |value, _| json!([value]))
}

fn exceeded(schema: &Value, value: &Value) -> Exceeded {
    let start = Instant::now();
    let answer = compile(schema).unwrap_or_else(|error| panic!("{error}")).check(value, &Limits::default());
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
    match answer {
        Err(Refusal::Exceeded(exceeded)) => exceeded,
        other => panic!("{other:?}"),
    }
}

#[test]
fn deep_values_are_checked_up_to_the_limit() {
    on_a_small_stack(|| {
        let lists = json!({ "anyOf": [{ "type": "number" }, { "items": { "allOf": [{ "$ref": "#" }] } }] });
        let schema = compile(&lists).unwrap();
        assert_eq!(schema.check(&nested(120), &Limits::default()), Ok(()));
        assert_eq!(exceeded(&lists, &nested(129)), Exceeded::Nesting);
        let lists = json!({ "uniqueItems": true, "const": nested(128), "enum": [nested(127), nested(126)] });
        let answer = compile(&lists).map(drop);
        assert_eq!(answer.unwrap_err().fault, Fault::TooLarge);
    });
}

#[test]
fn schemas_that_go_deep_end_at_the_limit() {
    on_a_small_stack(|| {
        // Each level of the value costs eight of the schema, all of them loud.
        let wrap = |inner: Value| (0..4).fold(inner, |inner, _| json!({ "allOf": [inner] }));
        let schema = wrap(json!({ "properties": { "a": { "oneOf": [{ "$ref": "#" }, { "type": "null" }] } } }));
        let value = (0..127).fold(json!(1), |value, _| json!({ "a": value }));
        assert_eq!(exceeded(&schema, &value), Exceeded::Depth);
        // Endless only by way of a condition: not seen before, stopped while it runs.
        assert_eq!(exceeded(&json!({ "if": true, "then": { "$ref": "#" } }), &json!(1)), Exceeded::Depth);
        let dynamic = json!({ "$dynamicAnchor": "a", "$dynamicRef": "#a" });
        assert_eq!(exceeded(&dynamic, &json!(1)), Exceeded::Depth);
    });
}

#[test]
fn schemas_that_refer_to_themselves_are_refused() {
    for schema in [
        json!({ "$ref": "#" }),
        json!({ "$defs": { "a": { "allOf": [{ "$ref": "#/$defs/b" }] }, "b": { "not": { "$ref": "#/$defs/a" } } },
                "$ref": "#/$defs/a" }),
        json!({ "anyOf": [true, { "$ref": "#" }] }),
    ] {
        assert_eq!(compile(&schema).err().unwrap().fault, Fault::Endless, "{schema}");
    }
    let list = json!({ "properties": { "next": { "$ref": "#" } } });
    assert!(compile(&list).unwrap().check(&json!({ "next": { "next": {} } }), &Limits::default()).is_ok());
}

#[test]
fn bombs_run_out_of_steps() {
    // Each definition applies the one before it twice.
    let mut defs = json!({ "d0": { "type": "number" } });
    for level in 1..40 {
        let below = format!("#/$defs/d{}", level - 1);
        defs[format!("d{level}")] = json!({ "allOf": [{ "$ref": below }, { "$ref": below }] });
    }
    let bomb = |keyword: &str| {
        let mut defs = defs.clone();
        for level in 1..40 {
            let branches = defs[format!("d{level}")].as_object_mut().unwrap().remove("allOf").unwrap();
            defs[format!("d{level}")] = json!({ keyword: branches });
        }
        json!({ "$defs": defs, "$ref": "#/$defs/d39" })
    };
    assert_eq!(exceeded(&bomb("allOf"), &json!(1)), Exceeded::Steps);
    assert_eq!(exceeded(&bomb("oneOf"), &json!(1)), Exceeded::Steps);
    assert_eq!(exceeded(&bomb("anyOf"), &json!("a")), Exceeded::Steps);
    // Many items against many words, and many items against each other.
    let words: Vec<u32> = (0..3_000).collect();
    let others: Vec<u32> = (3_000..6_000).collect();
    assert_eq!(exceeded(&json!({ "items": { "not": { "enum": words } } }), &json!(others)), Exceeded::Steps);
    let many: Vec<u32> = (0..100_000).collect();
    assert!(compile(&json!({ "uniqueItems": true })).unwrap().check(&json!(many), &Limits::default()).is_ok());
}

#[test]
fn long_lists_are_searched_within_bounds() {
    let member = |name: String| (name, json!(1));
    let wide = Value::Object((0..20_000).map(|place| member(format!("m{place}"))).collect());
    let twisted = Value::Object((0..20_000).rev().map(|place| member(format!("m{place}"))).collect());
    let constant = json!({ "const": wide });
    assert_eq!(compile(&constant).unwrap().check(&wide, &Limits::default()), Ok(()));
    assert_eq!(exceeded(&constant, &twisted), Exceeded::Steps);
    let needs: Value = (0..20_000).map(|place| (format!("m{place}"), json!([]))).collect::<Map<_, _>>().into();
    assert_eq!(exceeded(&json!({ "dependentRequired": needs }), &wide), Exceeded::Steps);
    // As many references as there are places to search through for each.
    let defs: Map<String, Value> = (0..20_000).map(|place| (format!("d{place}"), json!(true))).collect();
    let refs: Map<String, Value> =
        (0..20_000).map(|place| (format!("p{place}"), json!({ "$ref": format!("#/$defs/d{place}") }))).collect();
    let error = compile(&json!({ "$defs": defs, "properties": refs })).err().unwrap();
    assert_eq!(error.fault, Fault::TooLarge, "{error}");
}

#[test]
fn a_failure_found_is_told_though_the_steps_end() {
    let schema =
        json!({ "prefixItems": [{ "type": "string" }], "items": { "enum": (0..3_000).collect::<Vec<u32>>() } });
    let value: Vec<u32> = (0..3_000).rev().collect();
    let Err(Refusal::Invalid { failures, more }) = compile(&schema).unwrap().check(&json!(value), &Limits::default())
    else {
        panic!()
    };
    assert_eq!((failures.len(), failures[0].at.as_str(), more), (1, "/0", true));
}

#[test]
fn expressions_that_run_away_are_stopped() {
    let text = "a".repeat(40) + "!";
    // Look-around makes the engine one that goes back.
    let schema = json!({ "pattern": "^(?:(?=a)a|(?=a)a)*$" });
    assert!(matches!(exceeded(&schema, &json!(text)), Exceeded::Pattern(_)));
    assert!(matches!(exceeded(&json!({ "not": schema }), &json!(text)), Exceeded::Pattern(_)));
    let long = "a".repeat(100_001);
    assert_eq!(exceeded(&json!({ "pattern": "a" }), &json!(long)), Exceeded::PatternText);
}

#[test]
fn values_and_failures_are_counted() {
    let limits = Limits { values: 100, failures: 3, ..Limits::default() };
    let schema = Schema::compile(&json!({ "items": { "type": "string" } }), &patterns::Native, &limits).unwrap();
    let value = |count: usize| Value::from(vec![1; count]);
    assert_eq!(schema.check(&value(100), &limits), Err(Refusal::Exceeded(Exceeded::Values)));
    let Err(Refusal::Invalid { failures, more }) = schema.check(&value(50), &limits) else { panic!() };
    assert_eq!((failures.len(), more), (3, true));
    let Err(Refusal::Invalid { failures, more }) = schema.check(&value(2), &limits) else { panic!() };
    assert_eq!((failures.len(), more), (2, false));
}

#[test]
fn faults_are_told_by_name_and_place() {
    for (schema, fault, at, word) in [
        (json!({ "$schema": "http://json-schema.org/draft-04/schema#" }), Fault::Dialect, "/$schema", "draft-04"),
        (json!({ "items": { "$ref": "#/$defs/a" } }), Fault::Dangling, "/items/$ref", "#/$defs/a"),
        (json!({ "$ref": "#a" }), Fault::Dangling, "/$ref", "#a"),
        (json!({ "$ref": "https://example.org/a" }), Fault::Remote, "/$ref", "https://example.org/a"),
        (json!({ "not": { "type": "strnig" } }), Fault::Keyword, "/not/type", "strnig"),
        (json!({ "properties": { "a/b": { "minLength": -1 } } }), Fault::Keyword, "/properties/a~1b/minLength", "-1"),
        (json!({ "items": [true] }), Fault::Keyword, "/items", "prefixItems"),
        (json!({ "required": "a" }), Fault::Keyword, "/required", "array of strings"),
        (json!({ "allOf": [3] }), Fault::Keyword, "/allOf/0", "object or a boolean"),
        (json!({ "exclusiveMinimum": true }), Fault::Keyword, "/exclusiveMinimum", "number"),
        (json!({ "pattern": "(" }), Fault::Pattern, "/pattern", "("),
        (json!([]), Fault::Keyword, "", "schema"),
        (nested(200), Fault::TooLarge, "", "nested"),
    ] {
        let error = compile(&schema).err().unwrap_or_else(|| panic!("{schema}"));
        assert_eq!((error.fault, error.at.as_str()), (fault, at), "{error}");
        assert!(error.message.contains(word), "{error}");
    }
}

#[test]
fn sentences_say_what_to_do() {
    let schema = json!({
        "properties": {
            "size": { "enum": ["s", "m"] }, "count": { "type": ["integer", "null"], "minimum": 1 },
            "shape": { "oneOf": [
                { "properties": { "kind": { "const": "circle" }, "r": { "type": "number" } }, "required": ["kind", "r"] },
                { "properties": { "kind": { "const": "box" } }, "required": ["kind"], "additionalProperties": false },
            ] },
        },
        "required": ["size"],
        "additionalProperties": false,
    });
    let told = |value: Value| compile(&schema).unwrap().check(&value, &Limits::default()).unwrap_err().to_string();
    assert_eq!(
        told(json!({ "size": "xl" })),
        r##"/size must be one of ["s", "m"], but is "xl" (rule: #/properties/size/enum)"##
    );
    assert_eq!(
        told(json!({ "size": "s", "count": "2" })),
        r##"/count must be integer or null, but is "2" (rule: #/properties/count/type)"##
    );
    assert_eq!(told(json!({})), r##"the value must have "size" (rule: #/required)"##);
    assert_eq!(
        told(json!({ "size": "s", "color": 1 })),
        r##"the value must not have "color"; allowed: "count", "shape", "size" (rule: #/additionalProperties)"##
    );
    assert!(
        told(json!({ "size": "s", "shape": { "kind": "circle", "r": "1" } })).ends_with(
            r##"; /shape/r must be number, but is "1" (rule: #/properties/shape/oneOf/0/properties/r/type)"##
        )
    );
}
