//! A tool as the browser's registry takes it, or the reason why it cannot be carried there.
//!
//! What a dictionary holds is told by one number, and so is what of it is carried, so that a browser
//! needs one look for the one and one for the other however many members there are.

use super::digest::digest;
use super::refusal::Refusal;
use crate::core::code::Code;
use crate::json::{Json, Key, Kind, put};

/// What becomes of a tool without a description. MCP does not ask for one, the registry does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Describe {
    /// It is refused.
    #[default]
    Require,
    /// Its title describes it, or else its name: for tools mirrored from an MCP server.
    Fallback,
}

/// What a tool's dictionary holds of what the registry takes, or what of it is carried there.
///
/// Bits 0 to 2: a title, a title among the annotations, a description. From bits 4 and 6 on: the
/// input and the output schema, 0 for none, 1 for one with a type, 2 for one without, 3 for what is
/// no object. From bit 8 on the hints, two bits each: whether it is given, and which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sketch(pub u32);

const TITLE: u32 = 1;
const HINT_TITLE: u32 = 1 << 1;
const DESCRIPTION: u32 = 1 << 2;
const INPUT: u32 = 4;
const OUTPUT: u32 = 6;
const HINTS: u32 = 8;
/// Given, and true: the first hint of the list.
const CONSEQUENTIAL: u32 = 0b11 << HINTS;
/// The same of the last one.
const DESTRUCTIVE: u32 = 0b11 << (HINTS + 8);

const NO_TYPE: u32 = 2;
const NO_OBJECT: u32 = 3;

/// The hints WebMCP knows, in the order browsers list them, and one of MCP's.
const ALL_HINTS: [Key; 5] =
    [Key::ConsequentialHint, Key::Debugging, Key::ReadOnlyHint, Key::UntrustedContentHint, Key::DestructiveHint];

impl Sketch {
    /// What is carried, or why the tool cannot be.
    ///
    /// Members with no meaning to the registry stay behind, and so does anything that is `null`. An
    /// explicit `destructiveHint: true` becomes `consequentialHint: true`. Its default does not
    /// count: MCP's default is true, and would flag nearly every tool.
    pub fn carried(self, describe: Describe) -> Result<Sketch, Refusal> {
        let Sketch(mut bits) = self;
        if bits & DESCRIPTION == 0 && describe == Describe::Require {
            let reason = "WebMCP requires a description, and this tool has none.";
            return Err(Refusal::new(Code::DescriptionMissing, reason));
        }
        // Until 2025-06-18 the title was one of the annotations.
        if bits & TITLE != 0 {
            bits &= !HINT_TITLE;
        }
        for (key, place) in [(Key::InputSchema, INPUT), (Key::OutputSchema, OUTPUT)] {
            if self.schema(place) == NO_OBJECT {
                let reason = [key.name(), " must be an object."].concat();
                return Err(Refusal::new(Code::SchemaNotSerialisable, reason));
            }
        }
        if bits & DESTRUCTIVE == DESTRUCTIVE {
            bits |= CONSEQUENTIAL;
        }
        Ok(Sketch(bits & !DESTRUCTIVE))
    }

    fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }

    fn schema(self, place: u32) -> u32 {
        (self.0 >> place) & 0b11
    }
}

/// A value that may be the dictionary of a tool. A browser does each of these in one go.
pub trait Dictionary: Json {
    /// What it holds.
    fn sketch(&self) -> Sketch {
        let annotations = self.some(Key::Annotations);
        let hints = annotations.as_ref();
        let says = |object: Option<&Self>, key| u32::from(object.is_some_and(|object| string(object, key).is_some()));
        let mut bits = says(Some(self), Key::Title)
            | (says(hints, Key::Title) << 1)
            | (says(Some(self), Key::Description) << 2)
            | (schema(self, Key::InputSchema) << INPUT)
            | (schema(self, Key::OutputSchema) << OUTPUT);
        for (place, key) in (HINTS..).step_by(2).zip(ALL_HINTS) {
            let hint = hints.and_then(|hints| hints.get(key)?.as_bool());
            bits |= hint.map_or(0, |value| 1 | (u32::from(value) << 1)) << place;
        }
        Sketch(bits)
    }

    /// The dictionary `registerTool` takes, all but `execute`, with what the sketch says is carried.
    /// What has no description is described by its title, or else by the name. The error says what
    /// JSON cannot carry.
    fn projected(&self, name: &str, carried: Sketch) -> Result<Self, String> {
        let name = Self::string(name);
        let hints = self.some(Key::Annotations);
        let title = if carried.has(HINT_TITLE) { hints.as_ref() } else { Some(self).filter(|_| carried.has(TITLE)) };
        let title = title.and_then(|object| object.get(Key::Title));
        let mut members = vec![(Key::Name, name.clone())];
        put(&mut members, Key::Title, title.clone());
        let own = self.get(Key::Description).filter(|_| carried.has(DESCRIPTION));
        members.push((Key::Description, own.or(title).unwrap_or(name)));
        for (key, place) in [(Key::InputSchema, INPUT), (Key::OutputSchema, OUTPUT)] {
            let Some(schema) = self.get(key).filter(|_| carried.schema(place) != 0) else { continue };
            // Arguments are an object always; agents refuse a schema that does not say so at its root.
            let is_rooted = key == Key::OutputSchema || carried.schema(place) != NO_TYPE;
            let schema = if is_rooted { schema } else { schema.to_plain()?.with(Key::Type, Self::word(Key::Object)) };
            members.push((key, schema));
        }
        let mut list = Vec::new();
        for (place, key) in (HINTS..).step_by(2).zip(ALL_HINTS) {
            if carried.has(1 << place) {
                list.push((key, Self::bool(carried.has(2 << place))));
            }
        }
        put(&mut members, Key::Annotations, (!list.is_empty()).then(|| Self::object(&list)));
        Ok(Self::object(&members))
    }

    /// The origin of a URL, if it has one, as the platform's parser spells it.
    fn origin_of(url: &str) -> Option<String>;

    /// The JSON text of what is projected.
    fn projected_text(&self, name: &str, carried: Sketch) -> Result<String, String> {
        Ok(self.projected(name, carried)?.to_text()?.as_string().unwrap_or_default())
    }
}

/// A checksum of what is projected, for comparing: an author may alter a schema after it was registered.
pub(super) fn fingerprint<J: Dictionary>(tool: &J, name: &str, carried: Sketch) -> Result<u64, Refusal> {
    match tool.projected_text(name, carried) {
        Ok(text) => Ok(digest(&text)),
        // Everything but the schemas is text and booleans, so a failure here is theirs.
        Err(reason) => Err(Refusal::new(Code::SchemaNotSerialisable, reason)),
    }
}

/// A string that says something. An empty one is what browsers give for an absent one.
pub(super) fn string<J: Json>(object: &J, key: Key) -> Option<J> {
    object.get(key).filter(|value| value.kind() == Kind::String && !value.is(Key::Empty))
}

fn schema<J: Json>(tool: &J, key: Key) -> u32 {
    match tool.some(key) {
        None => 0,
        Some(schema) if !schema.is_object() => NO_OBJECT,
        // The type may be one that cannot be read, and then the schema cannot be written out either.
        Some(schema) if schema.get(Key::Type).is_none() => NO_TYPE,
        Some(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::odd::Odd;
    use super::*;
    use serde_json::{Value, json};

    fn project<J: Dictionary>(tool: &J, describe: Describe) -> Result<J, Refusal> {
        let carried = tool.sketch().carried(describe)?;
        fingerprint(tool, "t", carried)?;
        Ok(tool.projected("t", carried).unwrap())
    }

    fn projected(tool: Value) -> Value {
        project(&tool, Describe::Require).unwrap()
    }

    fn refused(tool: impl Into<Odd>) -> Code {
        project(&tool.into(), Describe::Require).unwrap_err().code
    }

    fn hints(annotations: Value) -> Option<Value> {
        projected(json!({ "description": "d", "annotations": annotations })).get("annotations").cloned()
    }

    #[test]
    fn the_least_a_tool_needs() {
        assert_eq!(projected(json!({ "name": "x", "description": "d" })), json!({ "name": "t", "description": "d" }));
    }

    #[test]
    fn everything_a_registry_reads_is_carried_and_nothing_else() {
        let tool = json!({
            "name": "t", "title": "T", "description": "d", "icons": [], "_meta": {}, "execution": {},
            "inputSchema": { "type": "object", "properties": { "a": true } },
            "outputSchema": { "type": "array" },
            "annotations": { "readOnlyHint": true, "openWorldHint": true },
        });
        assert_eq!(
            projected(tool),
            json!({
                "name": "t", "title": "T", "description": "d",
                "inputSchema": { "type": "object", "properties": { "a": true } },
                "outputSchema": { "type": "array" },
                "annotations": { "readOnlyHint": true },
            }),
        );
    }

    #[test]
    fn c33_null_members_stay_behind() {
        let tool = json!({
            "title": null, "description": "d", "inputSchema": null, "outputSchema": null, "annotations": { "readOnlyHint": null },
        });
        assert_eq!(projected(tool), json!({ "name": "t", "description": "d" }));
    }

    #[test]
    fn c08_a_description_is_required() {
        for tool in
            [json!({}), json!({ "description": null }), json!({ "description": "" }), json!({ "description": 5 })]
        {
            assert_eq!(refused(tool), Code::DescriptionMissing);
        }
        assert_eq!(projected(json!({ "description": " " }))["description"], " ");
    }

    #[test]
    fn c08_a_mirrored_tool_is_described_by_its_title_or_name() {
        let described = |tool: Value| project(&tool, Describe::Fallback).unwrap()["description"].clone();
        assert_eq!(described(json!({ "title": "T" })), "T");
        assert_eq!(described(json!({ "annotations": { "title": "A" } })), "A");
        assert_eq!(described(json!({ "title": "" })), "t");
        assert_eq!(described(json!({ "title": "T", "description": "d" })), "d");
    }

    #[test]
    fn a_title_among_the_annotations_counts_when_there_is_no_other() {
        let hints = json!({ "title": "A" });
        assert_eq!(projected(json!({ "description": "d", "annotations": hints }))["title"], "A");
        assert_eq!(projected(json!({ "title": "T", "description": "d", "annotations": hints }))["title"], "T");
    }

    #[test]
    fn b10_a_schema_is_an_object() {
        for schema in [json!("{}"), json!(5), json!(true), json!([])] {
            assert_eq!(refused(json!({ "description": "d", "inputSchema": schema })), Code::SchemaNotSerialisable);
            assert_eq!(refused(json!({ "description": "d", "outputSchema": schema })), Code::SchemaNotSerialisable);
        }
    }

    #[test]
    fn b9_a_schema_json_cannot_carry_is_found_out() {
        let cyclic = Odd::object(&[(Key::Description, Odd::string("d")), (Key::InputSchema, Odd::Cycle)]);
        let refusal = project(&cyclic, Describe::Require).unwrap_err();
        assert_eq!(refusal.code, Code::SchemaNotSerialisable);
        assert!(refusal.reason.contains("contains itself"), "{}", refusal.reason);
    }

    #[test]
    fn c37_a_root_without_type_gets_one_and_boolean_subschemas_stay() {
        let tool = json!({ "description": "d", "inputSchema": { "properties": { "a": true, "b": false } } });
        assert_eq!(
            projected(tool)["inputSchema"],
            json!({ "properties": { "a": true, "b": false }, "type": "object" }),
        );
    }

    #[test]
    fn only_an_explicit_destructive_hint_is_consequential() {
        assert_eq!(hints(json!({ "destructiveHint": true })), Some(json!({ "consequentialHint": true })));
        assert_eq!(hints(json!({ "destructiveHint": false })), None);
        let both = json!({ "destructiveHint": true, "consequentialHint": false });
        assert_eq!(hints(both), Some(json!({ "consequentialHint": true })));
        assert_eq!(hints(json!({ "consequentialHint": false })), Some(json!({ "consequentialHint": false })));
    }

    #[test]
    fn c08_null_is_absent_and_foreign_words_do_not_travel() {
        assert_eq!(hints(json!({ "readOnlyHint": null, "openWorldHint": true, "futureHint": 1 })), None);
        assert_eq!(hints(json!({ "readOnlyHint": "yes" })), None);
        assert_eq!(hints(json!({})), None);
        assert_eq!(hints(Value::Null), None);
    }

    #[test]
    fn hints_webmcp_shares_travel_as_they_are() {
        let shared = json!({ "debugging": true, "readOnlyHint": false, "untrustedContentHint": true });
        assert_eq!(hints(shared.clone()), Some(shared));
    }
}
