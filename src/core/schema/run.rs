//! One check: applies nodes to places of a value, within bounds.
//!
//! Branches whose failures nobody wants to hear run quietly and end at their first failure. Which
//! members and elements have been evaluated is a stack of places: a subschema that fails takes what
//! it has put there back, as its annotations do not count.

use super::doc::{At, Doc, NAME};
use super::failure::{Exceeded, Failure, Refusal};
use super::limits::Limits;
use super::rule::{Ask, Node, NodeId, Rule};
use super::{Schema, types};

/// The limit that came first. One byte, as every application of a node hands it up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stop {
    Depth,
    Steps,
    PatternText,
    /// What the engine said stands in [`Run::gave_up`].
    Pattern,
}

/// Whether it passed, unless a limit came first.
pub(super) type Checked = Result<bool, Stop>;

/// A failure whose places are still numbers.
pub(super) struct Found {
    pub at: At,
    pub node: At,
    pub keyword: &'static str,
    pub message: String,
}

/// The state of a check.
pub(super) struct Run<'a> {
    pub schema: &'a Schema,
    pub doc: &'a Doc,
    pub limits: &'a Limits,
    pub steps: u32,
    pub depth: u32,
    pub quiet: bool,
    /// Whether failures of branches are being looked into.
    pub explaining: bool,
    pub found: Vec<Found>,
    pub more: bool,
    /// Places that have been evaluated.
    pub marks: Vec<At>,
    /// The resources entered, the outermost first.
    pub entered: Vec<u32>,
    /// Why the engine gave a regular expression up.
    pub gave_up: String,
}

impl<'a> Run<'a> {
    /// Checks a value against a schema.
    pub fn check(schema: &'a Schema, doc: &'a Doc, limits: &'a Limits) -> Result<(), Refusal> {
        let mut run = Run {
            schema,
            doc,
            limits,
            steps: 0,
            depth: 0,
            quiet: limits.failures == 0,
            explaining: false,
            found: Vec::new(),
            more: limits.failures == 0,
            marks: Vec::new(),
            entered: Vec::new(),
            gave_up: String::new(),
        };
        match run.apply(0, 0) {
            Ok(true) => Ok(()),
            // A limit that ends the search for more failures does not unsay those already found.
            Err(stop) if run.found.is_empty() => Err(Refusal::Exceeded(match stop {
                Stop::Depth => Exceeded::Depth,
                Stop::Steps => Exceeded::Steps,
                Stop::PatternText => Exceeded::PatternText,
                Stop::Pattern => Exceeded::Pattern(run.gave_up),
            })),
            ended => {
                let failures = run.found.iter().map(|found| run.tell(found)).collect();
                Err(Refusal::Invalid { failures, more: run.more || ended.is_err() })
            }
        }
    }

    fn tell(&self, found: &Found) -> Failure {
        let mut rule = self.schema.doc.pointer(found.node);
        if found.keyword != "false schema" {
            rule = rule + "/" + found.keyword;
        }
        Failure { at: self.doc.pointer(found.at), keyword: found.keyword, rule, message: found.message.clone() }
    }

    /// Counts a step.
    pub fn step(&mut self) -> Result<(), Stop> {
        self.steps_for(1)
    }

    /// Counts several.
    pub fn steps_for(&mut self, count: usize) -> Result<(), Stop> {
        self.steps = self.steps.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        if self.steps > self.limits.steps { Err(Stop::Steps) } else { Ok(()) }
    }

    /// Looks a member up; the search counts.
    pub fn member(&mut self, (doc, at): (&Doc, At), name: &str) -> Result<Option<At>, Stop> {
        self.steps_for(1 + doc.count(at) / 16)?;
        Ok(doc.member(at, name))
    }

    /// Notes a failure; the sentence is made only if it is told.
    pub fn fail(
        &mut self,
        node: &Node,
        keyword: &'static str,
        at: At,
        message: impl FnOnce(&Self) -> String,
    ) -> Checked {
        if !self.quiet {
            let message = message(self);
            self.found.push(Found { at, node: node.at, keyword, message });
            if self.found.len() >= self.limits.failures {
                // Whether there are more would take more time than it is worth.
                self.quiet = true;
                self.more = true;
            }
        }
        Ok(false)
    }

    pub fn node(&self, id: NodeId) -> &'a Node {
        self.schema.nodes.get(id as usize).unwrap_or(&self.schema.any)
    }

    /// Applies a node to a place.
    pub fn apply(&mut self, id: NodeId, at: At) -> Checked {
        let node = self.node(id);
        if node.rules.is_empty() {
            return Ok(true);
        }
        if self.depth >= self.limits.depth {
            return Err(Stop::Depth);
        }
        self.depth += 1;
        let enters = self.entered.last() != Some(&node.resource);
        if enters {
            self.entered.push(node.resource);
        }
        let start = self.marks.len();
        let mut valid = true;
        for rule in &node.rules {
            // What is left over says nothing once something else is wrong.
            if !valid && (self.quiet || matches!(rule.ask, Ask::OtherItems(_) | Ask::OtherMembers(_))) {
                break;
            }
            self.step()?;
            valid &= self.rule(node, rule, at, start)?;
        }
        if !valid {
            self.marks.truncate(start);
        }
        if enters {
            self.entered.pop();
        }
        self.depth -= 1;
        Ok(valid)
    }

    /// Applies a node to a part of the place it stands at, which is then evaluated.
    pub fn part(&mut self, id: NodeId, at: At) -> Checked {
        let start = self.marks.len();
        let valid = self.apply(id, at)?;
        self.marks.truncate(start);
        self.mark(at);
        Ok(valid)
    }

    /// Notes that a place has been evaluated, if anyone will ask.
    pub fn mark(&mut self, at: At) {
        if self.schema.tracks {
            self.marks.push(at);
        }
    }

    /// Applies a node only to learn whether it passes.
    pub fn quietly(&mut self, id: NodeId, at: At) -> Checked {
        let quiet = std::mem::replace(&mut self.quiet, true);
        let valid = self.apply(id, at);
        self.quiet = quiet;
        valid
    }

    fn rule(&mut self, node: &'a Node, rule: &'a Rule, at: At, start: usize) -> Checked {
        match &rule.ask {
            Ask::Type(set) => {
                let value = self.doc.value(at);
                if set & types::of(value) != 0 {
                    return Ok(true);
                }
                let wanted = *set;
                self.fail(node, rule.keyword, at, |run| {
                    format!("must be {}, but is {}", types::words(wanted), run.doc.show(at))
                })
            }
            Ask::Ref(target) => self.apply(*target, at),
            Ask::Dynamic(target, instead) => {
                self.steps_for(self.entered.len() * instead.len() / 16)?;
                let taken = self.entered.iter().find_map(|entered| {
                    instead.iter().find(|(resource, _)| resource == entered).map(|(_, node)| *node)
                });
                self.apply(taken.unwrap_or(*target), at)
            }
            Ask::AllOf(all) => {
                let mut valid = true;
                for one in all {
                    valid &= self.apply(*one, at)?;
                    if !valid && self.quiet {
                        break;
                    }
                }
                Ok(valid)
            }
            Ask::Members(members) => self.members(node, members, at),
            Ask::Items(items) => self.items(node, items, at),
            Ask::AnyOf(any) => self.any_of(node, any, at),
            Ask::OneOf(all) => self.one_of(node, all, at),
            Ask::If(condition, then, other) => {
                let next = if self.quietly(*condition, at)? { then } else { other };
                next.map_or(Ok(true), |next| self.apply(next, at))
            }
            Ask::Not(not) => {
                let before = self.marks.len();
                if !self.quietly(*not, at)? {
                    return Ok(true);
                }
                self.marks.truncate(before);
                self.fail(node, rule.keyword, at, |_| "must not have the form that \"not\" describes".to_owned())
            }
            Ask::Implies(schemas) => {
                let mut valid = true;
                for (name, schema) in schemas {
                    if self.member((self.doc, at), self.schema.doc.str(*name))?.is_some() {
                        valid &= self.apply(*schema, at)?;
                    }
                    if !valid && self.quiet {
                        break;
                    }
                }
                Ok(valid)
            }
            Ask::Names(schema) => self.names(node, *schema, at),
            Ask::Contains { node: schema, min, max, evaluates } => {
                self.contains(node, *schema, (*min, *max), *evaluates, at)
            }
            Ask::OtherMembers(schema) => self.others(node, rule.keyword, *schema, at, start),
            Ask::OtherItems(schema) => self.others(node, rule.keyword, *schema, at, start),
            _ => self.assert(node, rule, at),
        }
    }

    fn any_of(&mut self, node: &'a Node, any: &'a [NodeId], at: At) -> Checked {
        let mut valid = false;
        for one in any {
            valid |= self.quietly(*one, at)?;
            // All that match say what has been evaluated.
            if valid && !self.schema.tracks {
                break;
            }
        }
        if valid {
            return Ok(true);
        }
        self.no_branch(node, "anyOf", any, at)
    }

    fn one_of(&mut self, node: &'a Node, all: &'a [NodeId], at: At) -> Checked {
        let mut matching = None;
        for (place, one) in all.iter().enumerate() {
            if !self.quietly(*one, at)? {
                continue;
            }
            if let Some(first) = matching.replace(place) {
                return self.fail(node, "oneOf", at, |run| {
                    let total = all.len();
                    let value = run.doc.show(at);
                    format!("must match exactly one of {total} forms, but number {first} and number {place} of \"oneOf\" both match {value}")
                });
            }
        }
        if matching.is_some() { Ok(true) } else { self.no_branch(node, "oneOf", all, at) }
    }

    fn names(&mut self, node: &'a Node, schema: NodeId, at: At) -> Checked {
        let doc = self.doc;
        let mut valid = true;
        for (name, member) in doc.members(at) {
            self.step()?;
            if !self.quietly(schema, member | NAME)? {
                valid = false;
                self.fail(node, "propertyNames", at, |_| format!("must not have {name:?}, which is no allowed name"))?;
                if self.quiet {
                    break;
                }
            }
        }
        Ok(valid)
    }
}
