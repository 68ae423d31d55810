//! A compiled schema: nodes in an arena, each a list of rules with every reference resolved.

use super::doc::{At, Span};
use super::resources::ResourceId;

/// The number of a compiled subschema.
pub type NodeId = u32;

/// A compiled subschema.
#[derive(Debug, Default)]
pub struct Node {
    /// Where it stands in the schema.
    pub at: At,
    /// The resource it belongs to.
    pub resource: ResourceId,
    /// What it asks, `unevaluated…` last.
    pub rules: Vec<Rule>,
}

/// One thing a schema asks of a value.
#[derive(Debug)]
pub struct Rule {
    /// The keyword, for people.
    pub keyword: &'static str,
    /// What it asks.
    pub ask: Ask,
}

/// A bound on a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    Least,
    Most,
    Above,
    Below,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Count {
    Characters,
    Items,
    Members,
}

/// The subschemas for the elements of an array.
#[derive(Debug, Default)]
pub struct Items {
    pub first: Vec<NodeId>,
    pub rest: Option<NodeId>,
    /// The keyword of the rest, which differs between dialects.
    pub rest_keyword: &'static str,
}

/// The subschemas for the members of an object.
#[derive(Debug, Default)]
pub struct Members {
    /// Sorted by name.
    pub named: Vec<(Span, NodeId)>,
    pub matching: Vec<(usize, NodeId)>,
    pub rest: Option<NodeId>,
}

/// What a rule asks.
#[derive(Debug)]
pub enum Ask {
    Never,
    /// A set of bits, see [`super::types`].
    Type(u8),
    Const(At),
    Enum(At),
    Bound(Bound, f64),
    MultipleOf(f64),
    /// At least that many.
    Min(Count, f64),
    /// At most that many.
    Max(Count, f64),
    Pattern(usize),
    Unique,
    Items(Box<Items>),
    Contains {
        node: NodeId,
        min: f64,
        max: f64,
        /// Whether what it matches counts as evaluated; since 2020-12.
        evaluates: bool,
    },
    Required(Vec<Span>),
    Members(Box<Members>),
    Names(NodeId),
    /// Names that ask for other names.
    Needs(Vec<(Span, Vec<Span>)>),
    /// Names that ask for a schema.
    Implies(Vec<(Span, NodeId)>),
    Ref(NodeId),
    /// Where it leads unless one of these resources has been entered.
    Dynamic(NodeId, Vec<(ResourceId, NodeId)>),
    AllOf(Vec<NodeId>),
    AnyOf(Vec<NodeId>),
    OneOf(Vec<NodeId>),
    Not(NodeId),
    If(NodeId, Option<NodeId>, Option<NodeId>),
    OtherMembers(NodeId),
    OtherItems(NodeId),
}
