//! Refuses schemas that ask for themselves about the very same value, which no check could finish.

use super::doc::Doc;
use super::error::{Fault, SchemaError};
use super::rule::{Ask, Node, NodeId};

/// The nodes that a node always applies to the value it is itself applied to.
fn always(node: &Node) -> Vec<NodeId> {
    let mut found = Vec::new();
    for rule in &node.rules {
        match &rule.ask {
            Ask::Ref(one) | Ask::Not(one) | Ask::If(one, ..) => found.push(*one),
            Ask::AllOf(all) | Ask::AnyOf(all) | Ask::OneOf(all) => found.extend(all),
            _ => {}
        }
    }
    found
}

#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Not,
    Above,
    Done,
}

/// The first such schema is the error. What is endless only for some values ends at the depth limit.
pub fn refuse(doc: &Doc, nodes: &[Node]) -> Result<(), SchemaError> {
    let mut seen = vec![Seen::Not; nodes.len()];
    for start in 0..nodes.len() as NodeId {
        // The way down: each node with those below it that are left.
        let mut way: Vec<(NodeId, Vec<NodeId>)> = Vec::new();
        let mut next = Some(start);
        loop {
            if let Some((id, node)) = next.take().and_then(|id| Some((id, nodes.get(id as usize)?))) {
                match seen.get_mut(id as usize) {
                    Some(state) if *state == Seen::Not => {
                        *state = Seen::Above;
                        way.push((id, always(node)));
                    }
                    Some(Seen::Above) => {
                        let message = "this schema refers to itself without going deeper into the value".to_owned();
                        return Err(SchemaError { fault: Fault::Endless, at: doc.pointer(node.at), message });
                    }
                    _ => {}
                }
            }
            let Some((id, left)) = way.last_mut() else { break };
            next = left.pop();
            if next.is_none() {
                if let Some(state) = seen.get_mut(*id as usize) {
                    *state = Seen::Done;
                }
                way.pop();
            }
        }
    }
    Ok(())
}
