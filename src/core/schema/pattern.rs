//! Regular expressions are the host's: RegExp in a browser, a crate natively.

/// What compiles a `pattern`.
pub trait Patterns {
    /// The expression, to be searched for anywhere in a text as ECMA-262 does with the flag `u`.
    /// The error says what is wrong with it.
    fn compile(&self, pattern: &str) -> Result<Box<dyn Pattern>, String>;
}

/// A compiled `pattern`.
pub trait Pattern {
    /// Whether it is found in a text. The error says why that could not be found out in bounds.
    fn is_match(&self, text: &str) -> Result<bool, String>;
}
