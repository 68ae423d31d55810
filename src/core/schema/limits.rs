//! What reading, compiling and checking may cost, so that no schema and no value can hang the page.

/// Bounds of one compilation or one check. Whoever goes past one gets an error of its own kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Levels a value, or a schema, may be nested. Default 128, as in serde_json.
    pub nesting: u32,
    /// Values within a value, or within a schema. Default 1,000,000.
    pub values: u32,
    /// Subschemas that may be at work inside each other, references included. Default 512.
    pub depth: u32,
    /// Subschemas, keywords, members and comparisons looked at in one check, and searches in one
    /// compilation. Default 2,000,000.
    pub steps: u32,
    /// Bytes of a text a `pattern` is tried on: no engine of a host can be stopped. Default 100,000.
    pub pattern_text: u32,
    /// Failures that are told; the check ends early with the last of them. Default 10.
    pub failures: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { nesting: 128, values: 1_000_000, depth: 512, steps: 2_000_000, pattern_text: 100_000, failures: 10 }
    }
}
