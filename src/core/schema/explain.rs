//! Says more where no branch of `anyOf` or `oneOf` matches: what is wrong with the one that was meant.

use super::doc::At;
use super::rule::{Ask, Node, NodeId};
use super::run::{Checked, Found, Run, Stop};

impl<'a> Run<'a> {
    /// Fails, and adds the failures of the branch that comes closest, if one does.
    pub(super) fn no_branch(&mut self, node: &'a Node, keyword: &'static str, all: &'a [NodeId], at: At) -> Checked {
        let tells = !self.quiet;
        self.fail(node, keyword, at, |run| match run.words(all) {
            Some(words) => format!("must be one of {words}, but is {}", run.doc.show(at)),
            None => format!("matches none of the {} forms in {keyword:?}; it is {}", all.len(), run.doc.show(at)),
        })?;
        // Within a branch that is itself being explained there is no end to explaining.
        if !tells || self.quiet || self.explaining {
            return Ok(false);
        }
        self.explaining = true;
        let closest = self.closest(all, at);
        self.explaining = false;
        if let Some(failures) = closest {
            let room = self.limits.failures.saturating_sub(self.found.len());
            self.more |= failures.len() > room;
            self.found.extend(failures.into_iter().take(room));
            self.quiet = self.found.len() >= self.limits.failures;
        }
        Ok(false)
    }

    /// The values that branches allow if each is for just one: an enumeration with titles.
    fn words(&self, all: &[NodeId]) -> Option<String> {
        /// As many as a sentence may list.
        const MANY: usize = 50;
        let word = |id: &NodeId| {
            self.node(*id).rules.iter().find_map(|rule| match rule.ask {
                Ask::Const(wanted) => Some(self.schema.doc.show(wanted)),
                _ => None,
            })
        };
        let words = all.iter().take(MANY).map(word).collect::<Option<Vec<_>>>()?;
        Some(words.join(", ") + if all.len() > MANY { ", …" } else { "" })
    }

    /// The failures of the one branch that fits better than every other.
    fn closest(&mut self, all: &[NodeId], at: At) -> Option<Vec<Found>> {
        let mut best: Option<(u32, Vec<Found>)> = None;
        let mut tie = false;
        for one in all {
            let told = std::mem::take(&mut self.found);
            let more = self.more;
            let (marks, entered, depth) = (self.marks.len(), self.entered.len(), self.depth);
            let ended: Result<bool, Stop> = self.apply(*one, at);
            self.marks.truncate(marks);
            self.entered.truncate(entered);
            self.depth = depth;
            self.quiet = false;
            self.more = more;
            let failures = std::mem::replace(&mut self.found, told);
            // The verdict stands, whatever limit ends its explanation.
            if ended.is_err() {
                return None;
            }
            let distance = self.distance(&failures, at);
            match &best {
                Some((least, _)) if *least < distance => {}
                Some((least, _)) if *least == distance => tie = true,
                _ => {
                    best = Some((distance, failures));
                    tie = false;
                }
            }
        }
        best.filter(|_| !tie).map(|(_, failures)| failures)
    }

    /// How far a value is from the form a branch is for: its type, and the words that tell branches apart.
    fn distance(&self, failures: &[Found], at: At) -> u32 {
        let weigh = |found: &Found| match found.keyword {
            "type" | "false schema" if found.at == at => 4,
            "const" | "enum" if found.at == at || self.doc.parent(found.at) == at => 2,
            "required" | "additionalProperties" if found.at == at => 1,
            _ => 0,
        };
        failures.iter().map(weigh).sum()
    }
}
