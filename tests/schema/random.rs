//! Small schemas and values by chance: the crate `jsonschema` must be of the same opinion.

use super::compile;
use modelport::core::schema::{Limits, Refusal};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

const NAMES: [&str; 4] = ["a", "b", "ab", "c"];

#[derive(Clone, Copy, PartialEq, Debug)]
enum Draft {
    Seven,
    Newest,
}

fn number() -> impl Strategy<Value = Value> {
    select(vec![json!(-1), json!(0), json!(1), json!(1.0), json!(1.5), json!(2), json!(3), json!(0.1), json!(0.3)])
}

fn scalar() -> impl Strategy<Value = Value> {
    let text = select(vec![json!(""), json!("a"), json!("ab"), json!("b"), json!("😀"), json!("é1")]);
    prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number(), text]
}

fn object_of(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec((select(&NAMES[..]), value), 0..4)
        .prop_map(|members| Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()))
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 20, 4, |inner| {
        prop_oneof![prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from), object_of(inner)]
    })
}

fn named(keyword: &'static str, value: impl Strategy<Value = Value>) -> impl Strategy<Value = (String, Value)> {
    value.prop_map(move |value| (keyword.to_owned(), value))
}

/// A keyword that needs no subschema.
fn assertion() -> impl Strategy<Value = (String, Value)> {
    let types = ["null", "boolean", "integer", "number", "string", "array", "object"];
    let names = || {
        prop::collection::vec(select(&NAMES[..]), 0..3).prop_map(|mut names| {
            names.sort_unstable();
            names.dedup();
            json!(names)
        })
    };
    let small = || (0..4_u32).prop_map(Value::from);
    let counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
    let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
    prop_oneof![
        4 => prop::sample::subsequence(types.to_vec(), 1..4).prop_map(|types| ("type".to_owned(), json!(types))),
        2 => (select(counts.to_vec()), small()).prop_map(|(keyword, count)| (keyword.to_owned(), count)),
        1 => (select(bounds.to_vec()), number()).prop_map(|(keyword, bound)| (keyword.to_owned(), bound)),
        1 => named("multipleOf", select(vec![json!(1), json!(1.5), json!(0.1), json!(2)])),
        1 => named("const", value()),
        1 => named("enum", prop::collection::vec(value(), 1..4).prop_map(Value::from)),
        1 => named("uniqueItems", any::<bool>().prop_map(Value::from)),
        1 => named("pattern", select(vec![json!("^a"), json!("b$"), json!("\\d"), json!("^.$"), json!("^(?!a)")])),
        2 => named("required", names()),
    ]
}

/// A keyword with subschemas.
fn applicator(draft: Draft, inner: BoxedStrategy<Value>) -> BoxedStrategy<(String, Value)> {
    let one = || inner.clone();
    let some = || prop::collection::vec(inner.clone(), 1..4).prop_map(Value::from);
    let singles = match draft {
        Draft::Seven => vec![
            "items",
            "additionalItems",
            "contains",
            "additionalProperties",
            "propertyNames",
            "not",
            "if",
            "then",
            "else",
        ],
        Draft::Newest => vec![
            "items",
            "unevaluatedItems",
            "contains",
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
            "not",
            "if",
            "then",
            "else",
        ],
    };
    let list = if draft == Draft::Seven { "items" } else { "prefixItems" };
    let depends = if draft == Draft::Seven { "dependencies" } else { "dependentSchemas" };
    let names = prop::collection::vec(select(&NAMES[..]), 1..2).prop_map(|names| json!(names));
    let needs = if draft == Draft::Seven { "dependencies" } else { "dependentRequired" };
    let patterns = (select(vec!["^a", "b$", "c"]), one()).prop_map(|(pattern, schema)| json!({ pattern: schema }));
    prop_oneof![
        4 => (select(singles), one()).prop_map(|(keyword, schema)| (keyword.to_owned(), schema)),
        4 => named("properties", object_of(one())),
        1 => named("patternProperties", patterns),
        2 => (select(vec!["allOf", "anyOf", "oneOf"]), some()).prop_map(|(keyword, all)| (keyword.to_owned(), all)),
        2 => named(list, some()),
        1 => named(depends, object_of(one())),
        1 => named(needs, object_of(names)),
        1 => named("minContains", (0..3_u32).prop_map(Value::from)),
        1 => named("maxContains", (0..3_u32).prop_map(Value::from)),
    ]
    .boxed()
}

fn schema(draft: Draft) -> impl Strategy<Value = Value> {
    let reference =
        prop_oneof![Just(json!({ "$ref": "#/definitions/one" })), Just(json!({ "$ref": "#/definitions/two" }))];
    let leaf = || prop::collection::vec(assertion(), 0..3).prop_map(|all| Value::Object(all.into_iter().collect()));
    let nested = move |leaf: BoxedStrategy<Value>| {
        leaf.prop_recursive(3, 24, 3, move |inner| {
            let all = (prop::collection::vec(assertion(), 0..2), prop::collection::vec(applicator(draft, inner), 1..4));
            all.prop_map(|(some, more)| Value::Object(some.into_iter().chain(more).collect::<Map<_, _>>()))
        })
    };
    let plain = prop_oneof![6 => leaf(), 1 => any::<bool>().prop_map(Value::from)].boxed();
    let defined = nested(plain.clone()).boxed();
    let main = nested(prop_oneof![3 => plain, 1 => reference].boxed());
    (main, defined.clone(), defined).prop_map(move |(main, one, two)| {
        // No keyword of the main schema stands beside its `$ref`, so that draft-07 sees the dialect.
        let mut schema = json!({
            "$schema": match draft {
                Draft::Seven => "http://json-schema.org/draft-07/schema#",
                Draft::Newest => "https://json-schema.org/draft/2020-12/schema",
            },
            "definitions": { "one": one, "two": two },
        });
        schema["allOf"] = json!([main]);
        if let (Draft::Newest, Value::Object(main)) = (draft, &main) {
            // At the root, so that `unevaluated…` sees what its neighbours have evaluated.
            let all = schema.as_object_mut().unwrap();
            all.remove("allOf");
            all.extend(main.clone());
        }
        schema
    })
}

fn agree(schema: &Value, values: &[Value]) -> Result<(), TestCaseError> {
    let ours = compile(schema).map_err(|error| TestCaseError::fail(format!("{schema}: {error}")))?;
    let theirs =
        jsonschema::validator_for(schema).map_err(|error| TestCaseError::fail(format!("{schema}: {error}")))?;
    for value in values {
        let answer = ours.check(value, &Limits::default());
        let limit = matches!(answer, Err(Refusal::Exceeded(_) | Refusal::NotJson(_)));
        prop_assert!(!limit, "{schema} {value}: {answer:?}");
        prop_assert_eq!(answer.is_ok(), theirs.is_valid(value), "{} {}: {:?}", schema, value, answer);
        if let Err(Refusal::Invalid { failures, .. }) = answer {
            for failure in failures {
                prop_assert!(value.pointer(&failure.at).is_some(), "{} {}: {:?}", schema, value, failure);
                let rule = failure.rule.strip_suffix("/minContains").unwrap_or(&failure.rule);
                prop_assert!(schema.pointer(rule).is_some(), "{} {}: {:?}", schema, value, failure);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_on_2020_12(schema in schema(Draft::Newest), values in prop::collection::vec(value(), 1..12)) {
        agree(&schema, &values)?;
    }

    #[test]
    fn agrees_on_draft_07(schema in schema(Draft::Seven), values in prop::collection::vec(value(), 1..12)) {
        agree(&schema, &values)?;
    }
}
