//! Rules that look at a value alone, with no subschema.

use super::doc::{At, Span, Value};
use super::number;
use super::rule::{Ask, Bound, Count, Node, Rule};
use super::run::{Checked, Run, Stop};

impl<'a> Run<'a> {
    pub(super) fn assert(&mut self, node: &'a Node, rule: &'a Rule, at: At) -> Checked {
        let (doc, schema) = (self.doc, self.schema);
        let value = doc.value(at);
        match (&rule.ask, value) {
            (Ask::Never, _) => self.fail(node, rule.keyword, at, |_| "must not be there".to_owned()),
            (Ask::Const(wanted), _) => {
                if self.equal((&schema.doc, *wanted), (doc, at))? {
                    return Ok(true);
                }
                self.fail(node, rule.keyword, at, |_| {
                    format!("must be {}, but is {}", schema.doc.show(*wanted), doc.show(at))
                })
            }
            (Ask::Enum(list), _) => {
                for wanted in schema.doc.items(*list) {
                    if self.equal((&schema.doc, wanted), (doc, at))? {
                        return Ok(true);
                    }
                }
                self.fail(node, rule.keyword, at, |_| {
                    format!("must be one of {}, but is {}", schema.doc.show(*list), doc.show(at))
                })
            }
            (Ask::Bound(bound, limit), Value::Number(number)) => {
                let (holds, words) = match bound {
                    Bound::Least => (number >= *limit, "at least"),
                    Bound::Most => (number <= *limit, "at most"),
                    Bound::Above => (number > *limit, "more than"),
                    Bound::Below => (number < *limit, "less than"),
                };
                if holds {
                    return Ok(true);
                }
                self.fail(node, rule.keyword, at, |_| {
                    format!("must be {words} {}, but is {}", number::show(*limit), number::show(number))
                })
            }
            (Ask::MultipleOf(factor), Value::Number(number)) => {
                if number::is_multiple(number, *factor) {
                    return Ok(true);
                }
                self.fail(node, rule.keyword, at, |_| {
                    format!("must be a multiple of {}, but is {}", number::show(*factor), number::show(number))
                })
            }
            (Ask::Min(what, least), _) => {
                let Some(count) = self.count(*what, value)? else { return Ok(true) };
                if count >= *least {
                    return Ok(true);
                }
                self.fail(node, rule.keyword, at, |_| {
                    format!("must have at least {least} {}, but has {count}", noun(*what))
                })
            }
            (Ask::Max(what, most), _) => {
                let Some(count) = self.count(*what, value)? else { return Ok(true) };
                if count <= *most {
                    return Ok(true);
                }
                self.fail(node, rule.keyword, at, |_| {
                    format!("must have at most {most} {}, but has {count}", noun(*what))
                })
            }
            (Ask::Pattern(pattern), Value::Text(text)) => {
                if self.matches(*pattern, doc.str(text))? {
                    return Ok(true);
                }
                self.fail(node, rule.keyword, at, |_| {
                    let pattern = schema.doc.member(node.at, "pattern").and_then(|place| schema.doc.text(place));
                    let pattern = pattern.unwrap_or_default();
                    format!("must match the regular expression {pattern}, but is {}", doc.show(at))
                })
            }
            (Ask::Unique, Value::Array { first, .. }) => {
                let Some((one, other)) = self.twins(at)? else { return Ok(true) };
                self.fail(node, rule.keyword, at, |_| {
                    format!(
                        "must have no two equal items, but those at {} and {} are equal",
                        one - first,
                        other - first
                    )
                })
            }
            (Ask::Required(names), Value::Object { .. }) => self.required(node, rule.keyword, names, None, at),
            (Ask::Needs(needs), Value::Object { .. }) => {
                let mut valid = true;
                for (name, names) in needs {
                    let name = schema.doc.str(*name);
                    if self.member((doc, at), name)?.is_some() {
                        valid &= self.required(node, rule.keyword, names, Some(name), at)?;
                    }
                }
                Ok(valid)
            }
            _ => Ok(true),
        }
    }

    /// Asks for members, perhaps because another is there.
    fn required(
        &mut self,
        node: &'a Node,
        keyword: &'static str,
        names: &[Span],
        because: Option<&str>,
        at: At,
    ) -> Checked {
        let (doc, schema) = (self.doc, self.schema);
        let mut valid = true;
        for name in names {
            let name = schema.doc.str(*name);
            if self.member((doc, at), name)?.is_some() {
                continue;
            }
            valid = false;
            self.fail(node, keyword, at, |_| match because {
                Some(because) => format!("must have {name:?}, as it has {because:?}"),
                None => format!("must have {name:?}"),
            })?;
            if self.quiet {
                break;
            }
        }
        Ok(valid)
    }

    /// How much there is of something; characters are code points.
    fn count(&mut self, what: Count, value: Value) -> Result<Option<f64>, Stop> {
        Ok(match (what, value) {
            (Count::Items, Value::Array { len, .. }) | (Count::Members, Value::Object { len, .. }) => Some(len.into()),
            (Count::Characters, Value::Text(span)) => {
                let text = self.doc.str(span);
                self.steps_for(text.len() / 64)?;
                Some(text.chars().count() as f64)
            }
            _ => None,
        })
    }

    /// Whether a regular expression is found in a text.
    pub(super) fn matches(&mut self, pattern: usize, text: &str) -> Checked {
        self.steps_for(1 + text.len() / 16)?;
        if text.len() > self.limits.pattern_text as usize {
            return Err(Stop::PatternText);
        }
        let Some(pattern) = self.schema.patterns.get(pattern) else { return Ok(false) };
        pattern.is_match(text).map_err(|why| {
            self.gave_up = why;
            Stop::Pattern
        })
    }
}

fn noun(what: Count) -> &'static str {
    match what {
        Count::Characters => "characters",
        Count::Items => "items",
        Count::Members => "members",
    }
}
