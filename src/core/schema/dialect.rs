//! The dialects of JSON Schema, and where each keeps its subschemas.

use super::doc::{At, Doc, Value};

/// A dialect that is honoured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// Draft-07.
    Draft7,
    /// 2019-09, read loosely.
    Draft2019,
    /// 2020-12: what a schema is that does not say.
    Draft2020,
}

impl Dialect {
    /// The dialect that a `$schema` names.
    pub fn named(uri: &str) -> Option<Dialect> {
        let uri = uri.strip_suffix('#').unwrap_or(uri);
        let path = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
        match path {
            "json-schema.org/draft-07/schema" => Some(Dialect::Draft7),
            "json-schema.org/draft/2019-09/schema" => Some(Dialect::Draft2019),
            "json-schema.org/draft/2020-12/schema" => Some(Dialect::Draft2020),
            _ => None,
        }
    }
}

/// How a keyword holds subschemas.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    One,
    List,
    Map,
}

/// Keywords with subschemas, and the first and the last dialect that has them.
const HOLDERS: &[(&str, Holds, Dialect, Dialect)] = {
    use Dialect::{Draft7, Draft2019, Draft2020};
    use Holds::{List, Map, One};
    &[
        ("definitions", Map, Draft7, Draft2020),
        ("$defs", Map, Draft2019, Draft2020),
        ("properties", Map, Draft7, Draft2020),
        ("patternProperties", Map, Draft7, Draft2020),
        ("dependentSchemas", Map, Draft2019, Draft2020),
        ("dependencies", Map, Draft7, Draft2019),
        ("allOf", List, Draft7, Draft2020),
        ("anyOf", List, Draft7, Draft2020),
        ("oneOf", List, Draft7, Draft2020),
        ("prefixItems", List, Draft2020, Draft2020),
        // A list up to 2019-09: `subschemas` looks at what is there.
        ("items", One, Draft7, Draft2020),
        ("additionalItems", One, Draft7, Draft2019),
        ("unevaluatedItems", One, Draft2019, Draft2020),
        ("contains", One, Draft7, Draft2020),
        ("additionalProperties", One, Draft7, Draft2020),
        ("unevaluatedProperties", One, Draft2019, Draft2020),
        ("propertyNames", One, Draft7, Draft2020),
        ("not", One, Draft7, Draft2020),
        ("if", One, Draft7, Draft2020),
        ("then", One, Draft7, Draft2020),
        ("else", One, Draft7, Draft2020),
        ("contentSchema", One, Draft2019, Draft2020),
    ]
};

/// Whether `$ref` silences what stands beside it.
pub fn ref_is_alone(doc: &Doc, at: At, dialect: Dialect) -> bool {
    dialect == Dialect::Draft7 && doc.member(at, "$ref").is_some_and(|place| doc.text(place).is_some())
}

/// The places of the subschemas right below a schema.
pub fn subschemas(doc: &Doc, at: At, dialect: Dialect, found: &mut Vec<At>) {
    let alone = ref_is_alone(doc, at, dialect);
    for (name, member) in doc.members(at) {
        let holder = HOLDERS.iter().find(|(own, _, first, last)| *own == name && (*first..=*last).contains(&dialect));
        let Some((_, holds, ..)) = holder else { continue };
        // What stands beside a lone `$ref` is no schema, but its definitions are referred to all the same.
        if alone && name != "definitions" {
            continue;
        }
        match (holds, doc.value(member)) {
            (Holds::Map, Value::Object { .. }) => found.extend(doc.members(member).map(|(_, schema)| schema)),
            (Holds::List, Value::Array { .. }) => found.extend(doc.items(member)),
            (Holds::One, Value::Array { .. }) if name == "items" => found.extend(doc.items(member)),
            (Holds::One, _) => found.push(member),
            _ => {}
        }
    }
}
