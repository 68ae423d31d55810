//! From a document to an arena of nodes. What a keyword cannot be is an error, never a guess.

use super::dialect::{Dialect, ref_is_alone};
use super::doc::{At, Doc, Span, Value};
use super::error::{Fault, SchemaError};
use super::limits::Limits;
use super::pattern::{Pattern, Patterns};
use super::resources::Resources;
use super::rule::{Ask, Bound, Count, Items, Members, Node, NodeId, Rule};
use super::types;

const NONE: NodeId = NodeId::MAX;

type Compiled<T> = Result<T, SchemaError>;

/// What has been compiled so far.
pub struct Compiler<'a> {
    doc: &'a Doc,
    host: &'a dyn Patterns,
    resources: Resources<'a>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The regular expressions.
    pub patterns: Vec<Box<dyn Pattern>>,
    /// Whether anything asks what has been evaluated.
    pub tracks: bool,
    texts: Vec<&'a str>,
    /// The node of each place.
    of: Vec<NodeId>,
    left: Vec<NodeId>,
}

impl<'a> Compiler<'a> {
    /// Compiles a document; the first node is its root.
    pub fn compile(doc: &'a Doc, host: &'a dyn Patterns, limits: &Limits) -> Compiled<Self> {
        let mut compiler = Compiler {
            doc,
            host,
            resources: Resources::of(doc, limits)?,
            nodes: Vec::new(),
            patterns: Vec::new(),
            tracks: false,
            texts: Vec::new(),
            of: vec![NONE; doc.len()],
            left: Vec::new(),
        };
        compiler.node(0);
        while let Some(id) = compiler.left.pop() {
            let at = compiler.nodes.get(id as usize).map_or(0, |node| node.at);
            let rules = compiler.rules(at)?;
            let resource = compiler.resources.resource(at);
            if let Some(node) = compiler.nodes.get_mut(id as usize) {
                *node = Node { at, resource, rules };
            }
        }
        Ok(compiler)
    }

    /// The node of a place; what it asks is found out later, so that no schema is too deep for the stack.
    fn node(&mut self, at: At) -> NodeId {
        let next = self.nodes.len() as NodeId;
        let Some(id) = self.of.get_mut(at as usize) else { return 0 };
        if *id == NONE {
            *id = next;
            self.nodes.push(Node { at, ..Node::default() });
            self.left.push(next);
        }
        *id
    }

    fn rules(&mut self, at: At) -> Compiled<Vec<Rule>> {
        match self.doc.value(at) {
            Value::Bool(true) => return Ok(Vec::new()),
            Value::Bool(false) => return Ok(vec![Rule { keyword: "false schema", ask: Ask::Never }]),
            Value::Object { .. } => {}
            _ => return self.wrong(at, "a schema must be an object or a boolean"),
        }
        let doc = self.doc;
        let dialect = self.resources.dialect(self.resources.resource(at));
        let alone = ref_is_alone(doc, at, dialect);
        let mut rules = Vec::new();
        for (name, place) in doc.members(at).filter(|(name, _)| !alone || *name == "$ref") {
            if name == "dependencies" && dialect <= Dialect::Draft2019 {
                rules.extend(self.dependencies(place)?);
            } else {
                rules.extend(self.rule(name, place, at, dialect)?);
            }
        }
        if !alone {
            rules.extend(self.members(at)?);
            rules.extend(self.items(at, dialect)?);
        }
        // The type first: no other failure explains more. What is left over can be told only at the end.
        rules.sort_by_key(|rule| match rule.ask {
            Ask::Type(_) => 0,
            Ask::OtherItems(_) | Ask::OtherMembers(_) => 2,
            _ => 1,
        });
        Ok(rules)
    }

    fn rule(&mut self, name: &str, place: At, at: At, dialect: Dialect) -> Compiled<Option<Rule>> {
        use Dialect::{Draft2019, Draft2020};
        let (keyword, ask) = match name {
            "type" => ("type", Ask::Type(self.types(place)?)),
            "const" => ("const", Ask::Const(place)),
            "enum" => ("enum", Ask::Enum(self.array(place)?)),
            "minimum" => ("minimum", Ask::Bound(Bound::Least, self.number(place)?)),
            "maximum" => ("maximum", Ask::Bound(Bound::Most, self.number(place)?)),
            "exclusiveMinimum" => ("exclusiveMinimum", Ask::Bound(Bound::Above, self.number(place)?)),
            "exclusiveMaximum" => ("exclusiveMaximum", Ask::Bound(Bound::Below, self.number(place)?)),
            "multipleOf" => match self.number(place)? {
                factor if factor > 0.0 => ("multipleOf", Ask::MultipleOf(factor)),
                _ => return self.wrong(place, "\"multipleOf\" must be greater than 0"),
            },
            "minLength" => ("minLength", Ask::Min(Count::Characters, self.count(place)?)),
            "maxLength" => ("maxLength", Ask::Max(Count::Characters, self.count(place)?)),
            "minItems" => ("minItems", Ask::Min(Count::Items, self.count(place)?)),
            "maxItems" => ("maxItems", Ask::Max(Count::Items, self.count(place)?)),
            "minProperties" => ("minProperties", Ask::Min(Count::Members, self.count(place)?)),
            "maxProperties" => ("maxProperties", Ask::Max(Count::Members, self.count(place)?)),
            "pattern" => match self.doc.text(place) {
                Some(text) => ("pattern", Ask::Pattern(self.pattern(text, place)?)),
                None => return self.wrong(place, "\"pattern\" must be a string"),
            },
            "uniqueItems" => match self.doc.value(place) {
                Value::Bool(true) => ("uniqueItems", Ask::Unique),
                Value::Bool(false) => return Ok(None),
                _ => return self.wrong(place, "\"uniqueItems\" must be a boolean"),
            },
            "contains" => {
                let node = self.node(place);
                let (mut min, mut max) = (1.0, f64::INFINITY);
                if dialect >= Draft2019 {
                    min = self.doc.member(at, "minContains").map_or(Ok(min), |place| self.count(place))?;
                    max = self.doc.member(at, "maxContains").map_or(Ok(max), |place| self.count(place))?;
                }
                ("contains", Ask::Contains { node, min, max, evaluates: dialect >= Draft2020 })
            }
            "required" => ("required", Ask::Required(self.strings(place)?)),
            "propertyNames" => ("propertyNames", Ask::Names(self.node(place))),
            "dependentRequired" if dialect >= Draft2019 => {
                let mut needs = Vec::new();
                for (name, place) in self.object(place)? {
                    needs.push((name, self.strings(place)?));
                }
                ("dependentRequired", Ask::Needs(needs))
            }
            "dependentSchemas" if dialect >= Draft2019 => {
                let schemas = self.object(place)?;
                let schemas = schemas.into_iter().map(|(name, place)| (name, self.node(place)));
                ("dependentSchemas", Ask::Implies(schemas.collect()))
            }
            "$ref" => ("$ref", Ask::Ref(self.reference(at, place)?.0)),
            "$dynamicRef" if dialect >= Draft2020 => {
                let (node, instead) = self.reference(at, place)?;
                ("$dynamicRef", Ask::Dynamic(node, instead))
            }
            "$recursiveRef" if dialect == Draft2019 => {
                let (node, instead) = self.reference(at, place)?;
                ("$recursiveRef", Ask::Dynamic(node, instead))
            }
            "allOf" => ("allOf", Ask::AllOf(self.schemas(place)?)),
            "anyOf" => ("anyOf", Ask::AnyOf(self.schemas(place)?)),
            "oneOf" => ("oneOf", Ask::OneOf(self.schemas(place)?)),
            "not" => ("not", Ask::Not(self.node(place))),
            "if" => {
                let [then, other] = ["then", "else"].map(|name| self.doc.member(at, name));
                let condition = self.node(place);
                let [then, other] = [then, other].map(|place| place.map(|place| self.node(place)));
                ("if", Ask::If(condition, then, other))
            }
            "unevaluatedProperties" if dialect >= Draft2019 => {
                self.tracks = true;
                ("unevaluatedProperties", Ask::OtherMembers(self.node(place)))
            }
            "unevaluatedItems" if dialect >= Draft2019 => {
                self.tracks = true;
                ("unevaluatedItems", Ask::OtherItems(self.node(place)))
            }
            _ => return Ok(None),
        };
        Ok(Some(Rule { keyword, ask }))
    }

    fn members(&mut self, at: At) -> Compiled<Option<Rule>> {
        let doc = self.doc;
        let [named, matching, rest] =
            ["properties", "patternProperties", "additionalProperties"].map(|name| doc.member(at, name));
        if named.or(matching).or(rest).is_none() {
            return Ok(None);
        }
        let mut members = Members::default();
        for (name, place) in named.map_or(Ok(Vec::new()), |place| self.object(place))? {
            members.named.push((name, self.node(place)));
        }
        members.named.sort_by_key(|(name, _)| doc.str(*name));
        for (pattern, place) in matching.map_or(Ok(Vec::new()), |place| self.object(place))? {
            members.matching.push((self.pattern(doc.str(pattern), place)?, self.node(place)));
        }
        members.rest = rest.map(|place| self.node(place));
        Ok(Some(Rule { keyword: "additionalProperties", ask: Ask::Members(Box::new(members)) }))
    }

    fn items(&mut self, at: At, dialect: Dialect) -> Compiled<Option<Rule>> {
        let [prefix, all, additional] =
            ["prefixItems", "items", "additionalItems"].map(|name| self.doc.member(at, name));
        let is_list = |place: &At| matches!(self.doc.value(*place), Value::Array { .. });
        let (first, rest, rest_keyword) = if dialect >= Dialect::Draft2020 {
            if let Some(place) = all.filter(is_list) {
                return self
                    .wrong(place, "\"items\" must be a schema; for a list of schemas 2020-12 has \"prefixItems\"");
            }
            (prefix, all, "items")
        } else if all.as_ref().is_some_and(is_list) {
            (all, additional, "additionalItems")
        } else {
            (None, all, "items")
        };
        if first.or(rest).is_none() {
            return Ok(None);
        }
        // Up to 2019-09 the list may be empty.
        let first = match first {
            Some(place) if dialect < Dialect::Draft2020 => {
                self.doc.items(place).map(|place| self.node(place)).collect()
            }
            Some(place) => self.schemas(place)?,
            None => Vec::new(),
        };
        let items = Items { first, rest: rest.map(|place| self.node(place)), rest_keyword };
        Ok(Some(Rule { keyword: "items", ask: Ask::Items(Box::new(items)) }))
    }

    /// `dependencies` asks for names and for schemas: two keywords since 2019-09.
    fn dependencies(&mut self, place: At) -> Compiled<[Rule; 2]> {
        let (mut needs, mut implies) = (Vec::new(), Vec::new());
        for (name, place) in self.object(place)? {
            match self.doc.value(place) {
                Value::Array { .. } => needs.push((name, self.strings(place)?)),
                _ => implies.push((name, self.node(place))),
            }
        }
        Ok([Ask::Needs(needs), Ask::Implies(implies)].map(|ask| Rule { keyword: "dependencies", ask }))
    }

    #[allow(clippy::type_complexity, reason = "the two halves of one variant")]
    fn reference(&mut self, at: At, place: At) -> Compiled<(NodeId, Vec<(u32, NodeId)>)> {
        let target = self.resources.target(at, place)?;
        let instead: Vec<(u32, At)> =
            target.dynamic.map(|name| self.resources.dynamic(&name).collect()).unwrap_or_default();
        self.resources.searches(place, instead.len() * 16)?;
        let instead = instead.into_iter().map(|(resource, at)| (resource, self.node(at))).collect();
        Ok((self.node(target.at), instead))
    }

    fn pattern(&mut self, text: &'a str, place: At) -> Compiled<usize> {
        self.resources.searches(place, self.texts.len())?;
        if let Some(known) = self.texts.iter().position(|own| *own == text) {
            return Ok(known);
        }
        match self.host.compile(text) {
            Ok(pattern) => {
                self.texts.push(text);
                self.patterns.push(pattern);
                Ok(self.patterns.len() - 1)
            }
            Err(why) => {
                let message = format!("the regular expression {text:?} does not compile: {why}");
                Err(SchemaError { fault: Fault::Pattern, at: self.doc.pointer(place), message })
            }
        }
    }

    fn wrong<T>(&self, place: At, message: &str) -> Compiled<T> {
        Err(SchemaError { fault: Fault::Keyword, at: self.doc.pointer(place), message: message.to_owned() })
    }

    /// The name by which a keyword is called in an error.
    fn must<T>(&self, place: At, be: &str) -> Compiled<T> {
        let pointer = self.doc.pointer(place);
        let name = pointer.rsplit('/').next().unwrap_or_default();
        self.wrong(place, &format!("{name:?} must be {be}, not {}", self.doc.show(place)))
    }

    fn types(&self, place: At) -> Compiled<u8> {
        let bit = |place: At| match self.doc.text(place).and_then(types::named) {
            Some(bit) => Ok(bit),
            None => self.must(place, &format!("a type ({}) or a list of types", types::NAMES.join(", "))),
        };
        match self.doc.value(place) {
            Value::Array { len: 1.., .. } => self.doc.items(place).try_fold(0, |set, item| Ok(set | bit(item)?)),
            _ => bit(place),
        }
    }

    fn number(&self, place: At) -> Compiled<f64> {
        match self.doc.value(place) {
            Value::Number(number) => Ok(number),
            _ => self.must(place, "a number"),
        }
    }

    fn count(&self, place: At) -> Compiled<f64> {
        match self.doc.value(place) {
            Value::Number(number) if number >= 0.0 && number.fract() == 0.0 => Ok(number),
            _ => self.must(place, "a whole number that is not negative"),
        }
    }

    fn array(&self, place: At) -> Compiled<At> {
        match self.doc.value(place) {
            Value::Array { .. } => Ok(place),
            _ => self.must(place, "an array"),
        }
    }

    fn strings(&self, place: At) -> Compiled<Vec<Span>> {
        let text = |item: At| match self.doc.value(item) {
            Value::Text(span) => Ok(span),
            _ => self.must(place, "an array of strings"),
        };
        match self.doc.value(place) {
            Value::Array { .. } => self.doc.items(place).map(text).collect(),
            _ => self.must(place, "an array of strings"),
        }
    }

    fn object(&self, place: At) -> Compiled<Vec<(Span, At)>> {
        match self.doc.value(place) {
            Value::Object { .. } => Ok(self.doc.spans(place).collect()),
            _ => self.must(place, "an object"),
        }
    }

    fn schemas(&mut self, place: At) -> Compiled<Vec<NodeId>> {
        match self.doc.value(place) {
            Value::Array { len: 1.., .. } => Ok(self.doc.items(place).map(|item| self.node(item)).collect()),
            _ => self.must(place, "an array of at least one schema"),
        }
    }
}
