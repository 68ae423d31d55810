//! A checksum of JSON text that does not depend on the order of members, so that a bridge need not
//! keep the text of everything it registered to see whether a tool is still the same.

/// The checksum of a JSON text without white space. Texts of equal values have equal ones; others,
/// but for one pair in 2^64, do not.
pub fn digest(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut place = 0;
    // What is around the container at hand: the sum of its values so far, and what the next one goes by.
    let mut outer = Vec::new();
    let (mut sum, mut label) = (0u64, 0u64);
    while let Some(&byte) = bytes.get(place) {
        place += 1;
        match byte {
            b'{' | b'[' => {
                outer.push((sum, label));
                (sum, label) = (byte.into(), 0);
            }
            b'}' | b']' => {
                let inner = sum;
                (sum, label) = outer.pop().unwrap_or_default();
                sum = sum.wrapping_add(mix(label, inner));
            }
            // In an array values go by their place; in an object the name that follows counts.
            b',' => label = label.wrapping_add(1),
            _ => {
                let mut hash = add(START, byte);
                let (is_string, mut is_escaped) = (byte == b'"', false);
                while let Some(&next) = bytes.get(place) {
                    if !is_string && matches!(next, b',' | b'}' | b']') {
                        break;
                    }
                    place += 1;
                    hash = add(hash, next);
                    if is_string && next == b'"' && !is_escaped {
                        break;
                    }
                    is_escaped = next == b'\\' && !is_escaped;
                }
                if bytes.get(place) == Some(&b':') {
                    place += 1;
                    label = hash;
                } else {
                    // Sums do not depend on the order they are made in.
                    sum = sum.wrapping_add(mix(label, hash));
                }
            }
        }
    }
    sum
}

const START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, one byte at a time.
fn add(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// A number in which every bit depends on every bit of both: sums of anything less would cancel out.
fn mix(label: u64, value: u64) -> u64 {
    let mut mixed = label.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn the_order_of_members_does_not_count_and_everything_else_does() {
        let same = digest(r#"{"a":{"x":1,"y":[1,2]},"b":"}\",{"}"#);
        assert_eq!(digest(r#"{"b":"}\",{","a":{"y":[1,2],"x":1}}"#), same);
        for other in [
            r#"{"a":{"x":1,"y":[2,1]},"b":"}\",{"}"#,
            r#"{"a":{"y":1,"x":[1,2]},"b":"}\",{"}"#,
            r#"{"a":{"x":1,"y":[1,2],"b":"}\",{"}}"#,
            r#"{"a":{"x":"1","y":[1,2]},"b":"}\",{"}"#,
            r#"{"a":{"x":1,"y":[[1,2]]},"b":"}\",{"}"#,
            r#"{"a":{"x":1,"y":{"0":1,"1":2}},"b":"}\",{"}"#,
        ] {
            assert_ne!(digest(other), same, "{other}");
        }
        let few = [
            "",
            "0",
            "1",
            "null",
            "\"\"",
            "[]",
            "{}",
            "[[]]",
            "[{}]",
            "[0]",
            "[null]",
            r#"{"a":1,"b":2}"#,
            r#"{"a":2,"b":1}"#,
        ];
        let digests: std::collections::HashSet<u64> = few.iter().map(|text| digest(text)).collect();
        assert_eq!(digests.len(), few.len());
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (0..3u8).prop_map(Value::from),
            "[a\"\\\\,:\\[{}\\]]{0,3}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            let members = prop::collection::vec(("[ab\"\\\\:]{0,2}", inner.clone()), 0..3);
            prop_oneof![
                prop::collection::vec(inner, 0..3).prop_map(Value::from),
                members.prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// The text with the members of every object the other way round.
    fn reversed(value: &Value) -> String {
        match value {
            Value::Object(members) => {
                let name = |name: &str| Value::from(name).to_string();
                let members = members.iter().rev().map(|(key, value)| format!("{}:{}", name(key), reversed(value)));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
            Value::Array(items) => format!("[{}]", items.iter().map(reversed).collect::<Vec<_>>().join(",")),
            other => other.to_string(),
        }
    }

    proptest! {
        #[test]
        fn equal_values_and_no_others_have_equal_digests(one in value(), other in value()) {
            prop_assert_eq!(digest(&one.to_string()), digest(&reversed(&one)));
            prop_assert_eq!(digest(&one.to_string()) == digest(&other.to_string()), one == other);
        }

        #[test]
        fn any_text_has_one(text in "[ab\"\\\\,:\\[{}\\]]{0,20}") {
            digest(&text);
        }
    }
}
