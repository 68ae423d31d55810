//! Equality as JSON Schema has it: 1 is 1.0, and the order of members says nothing.

use super::doc::{At, Doc, Value};
use super::run::{Run, Stop};

impl Run<'_> {
    /// Whether two values of two documents are equal. Both are nested no deeper than [`Doc::read`] allows.
    pub(super) fn equal(&mut self, one: (&Doc, At), other: (&Doc, At)) -> Result<bool, Stop> {
        self.step()?;
        let ((a, b), (x, y)) = ((one.0, other.0), (one.1, other.1));
        Ok(match (a.value(x), b.value(y)) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(x), Value::Bool(y)) => x == y,
            (Value::Number(x), Value::Number(y)) => x == y,
            (Value::Text(x), Value::Text(y)) => a.str(x) == b.str(y),
            (Value::Array { len, first }, Value::Array { len: same, first: second }) if len == same => {
                for place in 0..len {
                    if !self.equal((a, first + place), (b, second + place))? {
                        return Ok(false);
                    }
                }
                true
            }
            (Value::Object { len, .. }, Value::Object { len: same, .. }) if len == same => {
                for (place, (name, member)) in (0..).zip(a.members(x)) {
                    // Equal objects mostly have their members in the same order.
                    let twin = match b.nth(y, place) {
                        Some((own, twin)) if own == name => Some(twin),
                        _ => self.member((b, y), name)?,
                    };
                    let Some(twin) = twin else { return Ok(false) };
                    if !self.equal((a, member), (b, twin))? {
                        return Ok(false);
                    }
                }
                true
            }
            _ => false,
        })
    }

    /// Two equal elements of an array, if there are any: only those are compared whose hashes are equal.
    pub(super) fn twins(&mut self, at: At) -> Result<Option<(At, At)>, Stop> {
        let doc = self.doc;
        let mut hashes = Vec::new();
        for item in doc.items(at) {
            hashes.push((self.hash(item)?, item));
        }
        hashes.sort_unstable();
        for (place, (hash, item)) in hashes.iter().enumerate() {
            let rest = hashes.get(place + 1..).unwrap_or_default();
            for (_, other) in rest.iter().take_while(|(other, _)| other == hash) {
                if self.equal((doc, *item), (doc, *other))? {
                    return Ok(Some((*item, *other)));
                }
            }
        }
        Ok(None)
    }

    /// A number that equal values share.
    fn hash(&mut self, at: At) -> Result<u64, Stop> {
        self.step()?;
        let doc = self.doc;
        Ok(match doc.value(at) {
            Value::Null => 1,
            Value::Bool(value) => 2 + u64::from(value),
            // Adding zero makes one of the two zeros.
            Value::Number(value) => mix(4, (value + 0.0).to_bits()),
            Value::Text(span) => of_text(doc.str(span)),
            Value::Array { .. } => {
                let mut hash = 5;
                for item in doc.items(at) {
                    hash = mix(hash, self.hash(item)?);
                }
                hash
            }
            Value::Object { .. } => {
                // A sum, as the order says nothing.
                let mut hash = 6_u64;
                for (name, member) in doc.members(at) {
                    hash = hash.wrapping_add(mix(of_text(name), self.hash(member)?));
                }
                hash
            }
        })
    }
}

fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn of_text(text: &str) -> u64 {
    text.bytes().fold(7, |hash, byte| mix(hash, u64::from(byte)))
}
