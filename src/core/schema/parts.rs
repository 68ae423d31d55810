//! Applies schemas to the members of objects and the elements of arrays.

use super::doc::{At, Value};
use super::rule::{Items, Members, Node, NodeId};
use super::run::{Checked, Run};

impl<'a> Run<'a> {
    /// Whether a node is just `false`.
    fn is_never(&self, id: NodeId) -> bool {
        self.node(id).rules.first().is_some_and(|rule| rule.keyword == "false schema")
    }

    pub(super) fn members(&mut self, node: &'a Node, members: &'a Members, at: At) -> Checked {
        let (doc, schema) = (self.doc, self.schema);
        let closed = members.rest.is_some_and(|rest| self.is_never(rest));
        let mut valid = true;
        for (name, member) in doc.members(at) {
            self.step()?;
            let mut known = false;
            if let Ok(place) = members.named.binary_search_by(|(own, _)| schema.doc.str(*own).cmp(name)) {
                known = true;
                if let Some((_, one)) = members.named.get(place) {
                    valid &= self.part(*one, member)?;
                }
            }
            for (pattern, one) in &members.matching {
                if self.matches(*pattern, name)? {
                    known = true;
                    valid &= self.part(*one, member)?;
                }
            }
            match members.rest {
                Some(_) if closed && !known => {
                    valid = false;
                    self.fail(node, "additionalProperties", at, |run| {
                        format!("must not have {name:?}; {}", run.allowed(members))
                    })?;
                }
                Some(rest) if !known => valid &= self.part(rest, member)?,
                _ => {}
            }
            if !valid && self.quiet {
                break;
            }
        }
        Ok(valid)
    }

    /// Says which members an object may have.
    fn allowed(&self, members: &Members) -> String {
        /// Enough to choose from; a longer list would bury the sentence.
        const MANY: usize = 20;
        let names: Vec<String> =
            members.named.iter().take(MANY).map(|(name, _)| format!("{:?}", self.schema.doc.str(*name))).collect();
        let mut list = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        if members.named.len() > MANY {
            list += ", …";
        }
        if !members.matching.is_empty() {
            list += " and names that match a pattern";
        }
        "allowed: ".to_owned() + &list
    }

    pub(super) fn items(&mut self, node: &'a Node, items: &'a Items, at: At) -> Checked {
        let doc = self.doc;
        let mut valid = true;
        for (place, item) in doc.items(at).enumerate() {
            self.step()?;
            let first = items.first.get(place);
            match (first, items.rest) {
                (Some(one), _) => valid &= self.part(*one, item)?,
                (None, Some(rest)) if self.is_never(rest) => {
                    return self.fail(node, items.rest_keyword, at, |run| {
                        let (most, len) = (items.first.len(), run.doc.items(at).len());
                        format!("must have at most {most} items, but has {len}")
                    });
                }
                (None, Some(rest)) => valid &= self.part(rest, item)?,
                (None, None) => break,
            }
            if !valid && self.quiet {
                break;
            }
        }
        Ok(valid)
    }

    pub(super) fn contains(
        &mut self,
        node: &'a Node,
        schema: NodeId,
        (min, max): (f64, f64),
        evaluates: bool,
        at: At,
    ) -> Checked {
        let doc = self.doc;
        if !matches!(doc.value(at), Value::Array { .. }) {
            return Ok(true);
        }
        let mut count = 0.0;
        for item in doc.items(at) {
            self.step()?;
            let before = self.marks.len();
            let matches = self.quietly(schema, item)?;
            self.marks.truncate(before);
            if matches {
                count += 1.0;
                if evaluates {
                    self.mark(item);
                }
            }
            // Enough is known, unless someone asks which elements match.
            if count >= min && max == f64::INFINITY && !self.schema.tracks {
                return Ok(true);
            }
        }
        if count < min {
            // Draft-07 has no `minContains`, and nobody needs it to ask for one.
            let keyword = if min == 1.0 { "contains" } else { "minContains" };
            return self.fail(node, keyword, at, |_| {
                format!("must have at least {min} items of the form that \"contains\" describes, but has {count}")
            });
        }
        if count > max {
            return self.fail(node, "maxContains", at, |_| {
                format!("must have at most {max} items of the form that \"contains\" describes, but has {count}")
            });
        }
        Ok(true)
    }

    /// Applies a schema to the members or elements that nothing beside or below has evaluated.
    pub(super) fn others(
        &mut self,
        node: &'a Node,
        keyword: &'static str,
        schema: NodeId,
        at: At,
        start: usize,
    ) -> Checked {
        let (first, len) = match (self.doc.value(at), keyword) {
            (Value::Object { first, len, .. }, "unevaluatedProperties") => (first, len),
            (Value::Array { first, len }, "unevaluatedItems") => (first, len),
            _ => return Ok(true),
        };
        self.steps_for(len as usize + self.marks.len() - start)?;
        let mut evaluated = vec![false; len as usize];
        for mark in self.marks.iter().skip(start) {
            if let Some(one) = mark.checked_sub(first).and_then(|place| evaluated.get_mut(place as usize)) {
                *one = true;
            }
        }
        let mut valid = true;
        for (child, done) in (first..).zip(evaluated) {
            if done {
                continue;
            }
            if self.is_never(schema) {
                valid = false;
                self.fail(node, keyword, at, |run| match run.doc.text(child | super::doc::NAME) {
                    Some(name) if keyword == "unevaluatedProperties" => {
                        format!("must not have {name:?}, which nothing in the schema allows")
                    }
                    _ => format!("must not have an item at {}, which nothing in the schema allows", child - first),
                })?;
            } else {
                valid &= self.part(schema, child)?;
            }
            if !valid && self.quiet {
                break;
            }
        }
        Ok(valid)
    }
}
