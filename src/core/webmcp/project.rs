//! A tool as the browser's registry takes it, or the reason why it cannot be carried there.

use super::annotations;
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

/// A projected tool.
#[derive(Clone, Debug)]
pub struct Descriptor<J> {
    /// The dictionary `registerTool` takes, all but `execute`.
    pub dictionary: J,
    /// Its JSON text, for comparing: an author may alter a schema after it was registered.
    pub text: J,
}

/// Projects a tool's dictionary under the name it is to be registered by.
///
/// Members with no meaning to the registry stay behind, and so does anything that is `null`.
pub fn project<J: Json>(tool: &J, name: &str, describe: Describe) -> Result<Descriptor<J>, Refusal> {
    let annotations = tool.some(Key::Annotations);
    // Until 2025-06-18 the title was one of the annotations.
    let title = string(tool, Key::Title).or_else(|| string(annotations.as_ref()?, Key::Title));
    let description = match (string(tool, Key::Description), describe) {
        (Some(text), _) => text,
        (None, Describe::Fallback) => title.clone().unwrap_or_else(|| J::string(name)),
        (None, Describe::Require) => {
            let reason = "WebMCP requires a description, and this tool has none.";
            return Err(Refusal::new(Code::DescriptionMissing, reason));
        }
    };
    let mut members = vec![(Key::Name, J::string(name))];
    put(&mut members, Key::Title, title);
    members.push((Key::Description, description));
    put(&mut members, Key::InputSchema, schema(tool, Key::InputSchema)?.map(rooted).transpose()?);
    put(&mut members, Key::OutputSchema, schema(tool, Key::OutputSchema)?);
    put(&mut members, Key::Annotations, annotations.as_ref().and_then(annotations::to_webmcp));
    let dictionary = J::object(&members);
    // Everything but the schemas is text and booleans, so a failure here is theirs.
    let text = dictionary.to_text().map_err(|reason| Refusal::new(Code::SchemaNotSerialisable, reason))?;
    Ok(Descriptor { dictionary, text })
}

/// A string that says something. An empty one is what browsers give for an absent one.
pub(super) fn string<J: Json>(object: &J, key: Key) -> Option<J> {
    object.get(key).filter(|value| value.kind() == Kind::String && !value.is(Key::Empty))
}

fn schema<J: Json>(tool: &J, key: Key) -> Result<Option<J>, Refusal> {
    match tool.some(key) {
        Some(schema) if !schema.is_object() => {
            Err(Refusal::new(Code::SchemaNotSerialisable, [key.name(), " must be an object."].concat()))
        }
        schema => Ok(schema),
    }
}

/// Arguments are an object always; agents refuse a schema that does not say so at its root.
fn rooted<J: Json>(schema: J) -> Result<J, Refusal> {
    if schema.get(Key::Type).is_some() {
        return Ok(schema);
    }
    // The type may be one that cannot be read, and then the schema cannot be written out either.
    match schema.to_plain() {
        Ok(schema) => Ok(schema.with(Key::Type, J::word(Key::Object))),
        Err(reason) => Err(Refusal::new(Code::SchemaNotSerialisable, reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::odd::Odd;
    use super::*;
    use serde_json::{Value, json};

    fn projected(tool: Value) -> Value {
        project(&tool, "t", Describe::Require).unwrap().dictionary
    }

    fn refused(tool: impl Into<Odd>) -> Code {
        project(&tool.into(), "t", Describe::Require).unwrap_err().code
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
        let described =
            |tool: Value| project(&tool, "t", Describe::Fallback).unwrap().dictionary["description"].clone();
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
    fn b9_a_schema_json_cannot_carry_is_found_before_the_registry_is_asked() {
        let cyclic = Odd::object(&[(Key::Description, Odd::string("d")), (Key::InputSchema, Odd::Cycle)]);
        let refusal = project(&cyclic, "t", Describe::Require).unwrap_err();
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
}
