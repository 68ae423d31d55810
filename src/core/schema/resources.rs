//! Which schema resources a document holds (`$id`), what they are called, and where a reference leads.

use super::dialect::{Dialect, ref_is_alone, subschemas};
use super::doc::{At, Doc};
use super::error::{Fault, SchemaError};
use super::limits::Limits;
use super::uri;

/// The number of a resource.
pub type ResourceId = u32;

const UNKNOWN: ResourceId = ResourceId::MAX;

/// A schema with a URI of its own, and what belongs to it.
struct Resource {
    base: String,
    root: At,
    dialect: Dialect,
}

/// A name for a place within a resource.
struct Anchor {
    resource: ResourceId,
    name: String,
    at: At,
    dynamic: bool,
}

/// The resources of a document.
pub struct Resources<'a> {
    doc: &'a Doc,
    all: Vec<Resource>,
    anchors: Vec<Anchor>,
    /// The resource of each place that has been looked at as a schema.
    of: Vec<ResourceId>,
    /// Steps that are left for searches.
    steps: usize,
}

/// A place a reference leads to, and what it takes to lead elsewhere while a check runs.
pub struct Target {
    /// The place.
    pub at: At,
    /// The name by which outer resources may take over, if the place has one.
    pub dynamic: Option<String>,
}

/// The anchor that `$recursiveAnchor` of 2019-09 makes.
const RECURSIVE: &str = "";

impl<'a> Resources<'a> {
    /// Finds the resources of a document.
    pub fn of(doc: &'a Doc, limits: &Limits) -> Result<Self, SchemaError> {
        let root = Resource { base: String::new(), root: 0, dialect: Dialect::Draft2020 };
        let mut resources = Resources {
            doc,
            all: vec![root],
            anchors: Vec::new(),
            of: vec![UNKNOWN; doc.len()],
            steps: limits.steps as usize,
        };
        resources.scan(0, 0)?;
        Ok(resources)
    }

    fn error<T>(&self, fault: Fault, at: At, message: String) -> Result<T, SchemaError> {
        Err(SchemaError { fault, at: self.doc.pointer(at), message })
    }

    /// Counts a search for what stands at a place: many searches in long lists take too long.
    pub fn searches(&mut self, place: At, count: usize) -> Result<(), SchemaError> {
        match self.steps.checked_sub(1 + count / 16) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => self.error(Fault::TooLarge, place, "the schema takes too many steps to compile".to_owned()),
        }
    }

    /// Takes a place and all below it for schemas, within a resource unless they say otherwise.
    fn scan(&mut self, at: At, resource: ResourceId) -> Result<(), SchemaError> {
        let mut left = vec![(at, resource)];
        let mut below = Vec::new();
        while let Some((at, outer)) = left.pop() {
            let resource = self.enter(at, outer)?;
            match self.of.get_mut(at as usize) {
                Some(own) if *own == UNKNOWN => *own = resource,
                _ => continue,
            }
            subschemas(self.doc, at, self.dialect(resource), &mut below);
            left.extend(below.drain(..).map(|schema| (schema, resource)));
        }
        Ok(())
    }

    /// Notes what a schema calls itself; the resource it belongs to.
    fn enter(&mut self, at: At, outer: ResourceId) -> Result<ResourceId, SchemaError> {
        let doc = self.doc;
        let mut dialect = self.dialect(outer);
        // A dialect holds for a whole resource, so only the root of one may name it.
        if let Some(place) = doc.member(at, "$schema").filter(|_| at == 0 || doc.member(at, "$id").is_some()) {
            let Some(uri) = doc.text(place) else {
                return self.error(Fault::Keyword, place, "\"$schema\" must be a string".to_owned());
            };
            let Some(named) = Dialect::named(uri) else {
                let message =
                    format!("the dialect {uri:?} is not supported; 2020-12, 2019-09 and draft-07 of JSON Schema are");
                return self.error(Fault::Dialect, place, message);
            };
            dialect = named;
            if let Some(root) = self.all.get_mut(at as usize).filter(|_| at == 0) {
                root.dialect = dialect;
            }
        }
        let mut resource = outer;
        let id = doc.member(at, "$id").filter(|_| !ref_is_alone(doc, at, dialect));
        if let Some(place) = id {
            let Some(id) = doc.text(place) else {
                return self.error(Fault::Keyword, place, "\"$id\" must be a string".to_owned());
            };
            let (id, fragment) = uri::split_fragment(id);
            if !id.is_empty() {
                let base = uri::resolve(self.base(outer), id);
                if at == 0 {
                    self.all.iter_mut().for_each(|root| root.base.clone_from(&base));
                } else {
                    resource = self.all.len() as ResourceId;
                    self.all.push(Resource { base, root: at, dialect });
                }
            }
            // Up to draft-07 a fragment in `$id` was what `$anchor` is now.
            if !fragment.is_empty() {
                if dialect != Dialect::Draft7 {
                    let message = "\"$id\" must have no fragment; \"$anchor\" names a place in a schema".to_owned();
                    return self.error(Fault::Keyword, place, message);
                }
                self.anchors.push(Anchor { resource, name: fragment.to_owned(), at, dynamic: false });
            }
        }
        for (keyword, since, dynamic) in
            [("$anchor", Dialect::Draft2019, false), ("$dynamicAnchor", Dialect::Draft2020, true)]
        {
            let Some(place) = doc.member(at, keyword).filter(|_| dialect >= since) else { continue };
            let Some(name) = doc.text(place) else {
                return self.error(Fault::Keyword, place, format!("{keyword:?} must be a string"));
            };
            self.anchors.push(Anchor { resource, name: name.to_owned(), at, dynamic });
        }
        if dialect == Dialect::Draft2019
            && let Some(super::doc::Value::Bool(true)) =
                doc.member(at, "$recursiveAnchor").map(|place| doc.value(place))
        {
            self.anchors.push(Anchor { resource, name: RECURSIVE.to_owned(), at, dynamic: true });
        }
        Ok(resource)
    }

    fn base(&self, resource: ResourceId) -> &str {
        self.all.get(resource as usize).map_or("", |resource| &resource.base)
    }

    /// The dialect of a resource.
    pub fn dialect(&self, resource: ResourceId) -> Dialect {
        self.all.get(resource as usize).map_or(Dialect::Draft2020, |resource| resource.dialect)
    }

    /// The resource of a schema.
    pub fn resource(&self, at: At) -> ResourceId {
        self.of.get(at as usize).copied().filter(|own| *own != UNKNOWN).unwrap_or_default()
    }

    /// Where a reference leads that stands at a place in a schema.
    pub fn target(&mut self, schema: At, place: At) -> Result<Target, SchemaError> {
        let doc = self.doc;
        let Some(reference) = doc.text(place) else {
            return self.error(Fault::Keyword, place, "a reference must be a string".to_owned());
        };
        self.searches(place, self.all.len() + self.anchors.len())?;
        let (uri, fragment) = uri::split_fragment(reference);
        let uri = uri::resolve(self.base(self.resource(schema)), uri);
        let own = self.resource(schema);
        // A document may use one name twice; the own resource goes first.
        let named =
            std::iter::once(own).chain(0..self.all.len() as ResourceId).find(|resource| self.base(*resource) == uri);
        let Some(resource) = named else {
            let message = format!(
                "the reference {reference:?} leads to another document, and none is fetched; \
                 put that schema into \"$defs\" and refer to it with \"#/$defs/…\""
            );
            return self.error(Fault::Remote, place, message);
        };
        let fragment = uri::percent_decoded(fragment);
        let root = self.all.get(resource as usize).map_or(0, |resource| resource.root);
        let mut dynamic = None;
        let found = if fragment.is_empty() {
            Some(root)
        } else if fragment.starts_with('/') {
            let (found, searched) = doc.follow(root, &fragment);
            self.searches(place, searched)?;
            found
        } else {
            let anchor = self.anchors.iter().find(|anchor| anchor.resource == resource && anchor.name == fragment);
            dynamic = anchor.filter(|anchor| anchor.dynamic).map(|anchor| anchor.name.clone());
            anchor.map(|anchor| anchor.at)
        };
        let Some(at) = found else {
            return self.error(Fault::Dangling, place, format!("the reference {reference:?} leads nowhere"));
        };
        self.adopt(at)?;
        if fragment.is_empty() && self.recursive(resource).is_some() {
            dynamic = Some(RECURSIVE.to_owned());
        }
        Ok(Target { at, dynamic })
    }

    fn recursive(&self, resource: ResourceId) -> Option<&Anchor> {
        self.anchors.iter().find(|anchor| anchor.resource == resource && anchor.name == RECURSIVE)
    }

    /// Makes a place a schema that only a reference takes for one.
    fn adopt(&mut self, at: At) -> Result<(), SchemaError> {
        let known = |place: At| self.of.get(place as usize).is_some_and(|own| *own != UNKNOWN);
        let mut above = at;
        while !known(above) && above != 0 {
            above = self.doc.parent(above);
        }
        if above == at { Ok(()) } else { self.scan(at, self.resource(above)) }
    }

    /// The places that take a dynamic name over, each with its resource.
    pub fn dynamic(&self, name: &str) -> impl Iterator<Item = (ResourceId, At)> {
        let named = move |anchor: &&Anchor| anchor.dynamic && anchor.name == name;
        self.anchors.iter().filter(named).map(|anchor| (anchor.resource, anchor.at))
    }
}
