//! One tool: the dictionary its author wrote, its handler, and how MCP shows it.

use crate::core::code::Code;
use crate::core::error::Error;
use crate::json::{Json, Key, Kind, put};
use std::cell::OnceCell;
use std::rc::Rc;

/// A tool as its author gave it. `H` is the handler, which the core never looks into.
pub struct Tool<J, H> {
    name: Rc<str>,
    dictionary: J,
    handler: H,
    has_output_schema: bool,
    listing: OnceCell<Result<J, String>>,
}

impl<J: Json, H> Tool<J, H> {
    /// Checks what every use of a tool relies on; `invalid-argument` names the member that does not fit.
    pub fn new(dictionary: J, handler: H) -> Result<Self, Error> {
        let refuse = |message: String| Err(Error::new(Code::InvalidArgument, message));
        if !dictionary.is_object() {
            return refuse("a tool must be an object".to_owned());
        }
        let Some(name) = dictionary.text(Key::Name).filter(|name| !name.is_empty()) else {
            return refuse("a tool's name must be a non-empty string".to_owned());
        };
        for key in [Key::Title, Key::Description] {
            if dictionary.some(key).is_some_and(|value| value.kind() != Kind::String) {
                return refuse([key.name(), " of tool \"", &name, "\" must be a string"].concat());
            }
        }
        for key in [Key::InputSchema, Key::OutputSchema, Key::Annotations, Key::Meta] {
            if dictionary.some(key).is_some_and(|value| !value.is_object()) {
                return refuse([key.name(), " of tool \"", &name, "\" must be an object"].concat());
            }
        }
        if dictionary.some(Key::Icons).is_some_and(|icons| icons.kind() != Kind::Array) {
            return refuse(["icons of tool \"", &name, "\" must be an array"].concat());
        }
        let has_output_schema = dictionary.some(Key::OutputSchema).is_some();
        Ok(Tool { name: name.into(), dictionary, handler, has_output_schema, listing: OnceCell::new() })
    }

    /// The tool's name.
    pub fn name(&self) -> &Rc<str> {
        &self.name
    }

    /// The dictionary as the author wrote it.
    pub fn dictionary(&self) -> &J {
        &self.dictionary
    }

    /// What runs it.
    pub fn handler(&self) -> &H {
        &self.handler
    }

    /// Whether results carry `structuredContent` of a promised shape.
    pub fn has_output_schema(&self) -> bool {
        self.has_output_schema
    }

    /// The tool as `tools/list` shows it, made once. The error says what JSON cannot carry.
    pub fn listing(&self) -> Result<&J, &str> {
        if self.listing.get().is_none() {
            // Not `get_or_init`: an author's toJSON may come back here, and the first one done wins.
            let _ = self.listing.set(self.describe());
        }
        match self.listing.get() {
            Some(listing) => listing.as_ref().map_err(String::as_str),
            None => Err("the listing could not be made"),
        }
    }

    /// Optional members that are `null` are left out: strict clients drop whole lists for one of them.
    fn describe(&self) -> Result<J, String> {
        let mut members = vec![(Key::Name, J::string(&self.name))];
        for key in [Key::Title, Key::Description] {
            put(&mut members, key, self.dictionary.some(key));
        }
        members.push((Key::InputSchema, self.input_schema()?));
        for key in [Key::OutputSchema, Key::Icons, Key::Meta] {
            if let Some(value) = self.dictionary.some(key) {
                members.push((key, plain(key, &value)?));
            }
        }
        if let Some(annotations) = self.dictionary.some(Key::Annotations) {
            members.push((Key::Annotations, mcp_annotations(&plain(Key::Annotations, &annotations)?)));
        }
        Ok(J::object(&members))
    }

    /// MCP requires an input schema with `type: "object"` at its root.
    fn input_schema(&self) -> Result<J, String> {
        let any_object = || J::object(&[(Key::Type, J::word(Key::Object))]);
        let Some(schema) = self.dictionary.some(Key::InputSchema) else { return Ok(any_object()) };
        let schema = plain(Key::InputSchema, &schema)?;
        Ok(if schema.get(Key::Type).is_some() { schema } else { any_object().merged(&schema) })
    }
}

/// A listing as peers of the handshake era know one: whatever is promised is an object, and each property
/// has an object for a schema (MCP 2025-11-25, schema). Strict ones drop whole lists for one that differs.
pub(super) fn legacy<J: Json>(listing: &J) -> J {
    let mut listing = listing.clone();
    for key in [Key::InputSchema, Key::OutputSchema] {
        let Some(schema) = listing.get(key) else { continue };
        if key == Key::OutputSchema && schema.which(Key::Type) != Some(Key::Object) {
            listing = listing.without(key);
        } else if let Some(properties) = spelt_out(&schema) {
            listing = listing.with(key, schema.with(Key::Properties, properties));
        }
    }
    listing
}

/// The properties of a schema with an object for each boolean; `None` if there is none.
fn spelt_out<J: Json>(schema: &J) -> Option<J> {
    let properties = schema.get(Key::Properties)?.entries()?;
    if properties.iter().all(|(_, property)| property.kind() != Kind::Bool) {
        return None;
    }
    let mut spelt = J::object(&[]);
    for (name, property) in properties {
        let empty = J::object(&[]);
        let property = match property.as_bool() {
            Some(true) => empty,
            Some(false) => J::object(&[]).set_member("not", empty),
            None => property,
        };
        spelt = spelt.set_member(&name, property);
    }
    Some(spelt)
}

fn plain<J: Json>(key: Key, value: &J) -> Result<J, String> {
    let copy = value.to_plain().map_err(|reason| [key.name(), ": ", &reason].concat())?;
    let fits = copy.kind() == value.kind();
    if fits { Ok(copy) } else { Err([key.name(), ": its toJSON() gives something else"].concat()) }
}

/// The author's hints as MCP knows them. WebMCP's `consequentialHint` is MCP's `destructiveHint`,
/// unless the author said that one too; the rest is carried as it is.
fn mcp_annotations<J: Json>(annotations: &J) -> J {
    let consequential = annotations.get(Key::ConsequentialHint).and_then(|hint| hint.as_bool());
    let annotations = annotations.without_nulls();
    match consequential {
        Some(true) if annotations.get(Key::DestructiveHint).is_none() => {
            annotations.with(Key::DestructiveHint, J::bool(true))
        }
        _ => annotations,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn listing(dictionary: Value) -> Value {
        Tool::new(dictionary, ()).unwrap().listing().unwrap().clone()
    }

    #[test]
    fn a_bare_tool_gets_the_schema_mcp_requires() {
        assert_eq!(listing(json!({ "name": "a" })), json!({ "name": "a", "inputSchema": { "type": "object" } }));
        assert_eq!(listing(json!({ "name": "a", "inputSchema": null }))["inputSchema"], json!({ "type": "object" }));
    }

    #[test]
    fn c37_a_root_without_type_gets_one_and_keeps_the_rest() {
        let schema = json!({ "anyOf": [{ "required": ["a"] }], "properties": { "a": true } });
        let shown = listing(json!({ "name": "a", "inputSchema": schema }))["inputSchema"].clone();
        assert_eq!(shown, json!({ "type": "object", "anyOf": [{ "required": ["a"] }], "properties": { "a": true } }));
    }

    #[test]
    fn c37_the_handshake_era_is_shown_objects_for_booleans() {
        let schema = json!({ "type": "object", "required": ["a"],
            "properties": { "a": true, "b": false, "c": { "items": true }, "__proto__": true } });
        let dictionary = json!({ "name": "a", "inputSchema": schema, "outputSchema": schema });
        let shown = listing(dictionary);
        let spelt = json!({ "type": "object", "required": ["a"],
            "properties": { "a": {}, "b": { "not": {} }, "c": { "items": true }, "__proto__": {} } });
        assert_eq!(legacy(&shown), json!({ "name": "a", "inputSchema": spelt, "outputSchema": spelt }));
        assert_eq!(shown["inputSchema"], schema, "the other listing stays as it is");
    }

    #[test]
    fn c38_the_handshake_era_is_promised_objects_only() {
        for (schema, is_shown) in [
            (json!({ "type": "object" }), true),
            (json!({ "type": "array", "items": {} }), false),
            (json!({ "type": ["object", "null"] }), false),
            (json!({}), false),
        ] {
            let shown = listing(json!({ "name": "a", "outputSchema": schema }));
            assert_eq!(shown["outputSchema"], schema);
            assert_eq!(legacy(&shown).get("outputSchema"), is_shown.then_some(&schema));
        }
    }

    #[test]
    fn c33_null_members_are_left_out_and_unknown_ones_kept() {
        let shown = listing(json!({
            "name": "a", "title": null, "_meta": { "x.example/k": 1 },
            "annotations": { "readOnlyHint": null, "futureHint": 1 }, "execution": {},
        }));
        assert_eq!(
            shown,
            json!({
                "name": "a", "inputSchema": { "type": "object" }, "_meta": { "x.example/k": 1 }, "annotations": { "futureHint": 1 },
            })
        );
    }

    #[test]
    fn a_consequential_tool_is_destructive_to_mcp_unless_it_says_otherwise() {
        let hints =
            |annotations: Value| listing(json!({ "name": "a", "annotations": annotations }))["annotations"].clone();
        assert_eq!(hints(json!({ "consequentialHint": true }))["destructiveHint"], json!(true));
        assert_eq!(
            hints(json!({ "consequentialHint": true, "destructiveHint": false }))["destructiveHint"],
            json!(false)
        );
        assert_eq!(hints(json!({ "consequentialHint": false })).get("destructiveHint"), None);
    }

    #[test]
    fn members_of_the_wrong_sort_are_named() {
        for (dictionary, member) in [
            (json!("a"), "object"),
            (json!({}), "name"),
            (json!({ "name": "" }), "name"),
            (json!({ "name": "a", "description": 5 }), "description"),
            (json!({ "name": "a", "inputSchema": "{}" }), "inputSchema"),
            (json!({ "name": "a", "inputSchema": [] }), "inputSchema"),
            (json!({ "name": "a", "annotations": true }), "annotations"),
            (json!({ "name": "a", "icons": {} }), "icons"),
        ] {
            let error = Tool::new(dictionary, ()).err().unwrap();
            assert_eq!(error.code, Code::InvalidArgument);
            assert!(error.message.contains(member), "{}", error.message);
        }
    }
}
