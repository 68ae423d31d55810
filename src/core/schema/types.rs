//! The `type` keyword as a set of bits.

use super::doc::Value;

/// The names of the bits, the lowest first. A whole number is both an integer and a number.
pub const NAMES: [&str; 7] = ["boolean", "integer", "number", "string", "array", "object", "null"];

/// The set with only this type.
pub fn named(name: &str) -> Option<u8> {
    NAMES.iter().position(|own| *own == name).map(|bit| 1 << bit)
}

/// The types a value has.
pub fn of(value: Value) -> u8 {
    match value {
        Value::Bool(_) => 1,
        Value::Number(number) if number.fract() == 0.0 => 0b11 << 1,
        Value::Number(_) => 1 << 2,
        Value::Text(_) => 1 << 3,
        Value::Array { .. } => 1 << 4,
        Value::Object { .. } => 1 << 5,
        Value::Null => 1 << 6,
    }
}

/// The set in words.
pub fn words(set: u8) -> String {
    let names: Vec<&str> = (0..).zip(NAMES).filter(|(bit, _)| set & (1 << bit) != 0).map(|(_, name)| name).collect();
    names.join(" or ")
}
