//! Arbitrary JSON, and frames of both eras: well-formed ones, and the same after an accident.

use crate::rng::Rng;
use modelport::json::Key;
use serde_json::{Map, Value, json};

/// Ids that meet often, of both types, and now and then one that is odd or none.
pub fn id(rng: &mut Rng) -> Value {
    match rng.below(24) {
        0..12 => json!(rng.below(5)),
        12..20 => json!(rng.below(4).to_string()),
        20 => json!(""),
        21 => json!(-9_007_199_254_740_991_i64),
        22 => number(rng),
        _ => any(rng, 1),
    }
}

fn number(rng: &mut Rng) -> Value {
    match rng.below(14) {
        0 => json!(0),
        1 => json!(-0.0),
        2 => json!(1.0),
        3 => json!(0.5),
        4 => json!(9_007_199_254_740_991_i64),
        5 => json!(9_007_199_254_740_992_i64),
        6 => json!(-9_007_199_254_740_993_i64),
        7 => json!(i64::MIN),
        8 => json!(u64::MAX),
        9 => json!(f64::MAX),
        10 => json!(5e-324),
        11 => json!(-32_700 + rng.below(700) as i64),
        12 => json!(f64::from_bits(rng.next())),
        _ => json!(rng.next() as i64 >> rng.below(64)),
    }
}

fn text(rng: &mut Rng) -> String {
    match rng.below(10) {
        0 => String::new(),
        1 => "x".repeat(rng.below(5_000)),
        2 => "\u{0}\u{fffd}\u{10ffff}\"\\\n".to_owned(),
        3 => rng.below(10).to_string(),
        4 => (0..rng.below(12)).filter_map(|_| char::from_u32(rng.below(0x11_0000) as u32)).collect(),
        5 => "2025-03-26".to_owned(),
        _ => word(rng).to_owned(),
    }
}

fn word(rng: &mut Rng) -> &'static str {
    rng.pick(Key::ALL).name()
}

/// Any value, with at most so many levels of breadth; now and then a deep and narrow one, within what
/// `serde_json` reads back.
pub fn any(rng: &mut Rng, levels: usize) -> Value {
    match rng.below(if levels == 0 { 7 } else { 11 }) {
        0 => Value::Null,
        1 => json!(rng.once_in(2)),
        2 | 3 => number(rng),
        4..7 => json!(text(rng)),
        7 => (0..rng.below(4)).map(|_| any(rng, levels - 1)).collect(),
        8 if rng.once_in(20) => (0..rng.below(100)).fold(Value::Null, |inner, at| match at % 2 {
            0 => json!([inner]),
            _ => json!({ "params": inner }),
        }),
        _ => Value::Object((0..rng.below(5)).map(|_| (text(rng), any(rng, levels - 1))).collect()),
    }
}

/// What a stateless request says of itself.
pub fn meta(rng: &mut Rng) -> Value {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    if rng.once_in(2) {
        meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": "fuzz", "version": "1" });
    }
    if rng.once_in(8) {
        meta["io.modelcontextprotocol/logLevel"] = json!("info");
    }
    if rng.once_in(3) {
        meta["progressToken"] = id(rng);
    }
    meta
}

/// `params` with the `_meta` of one era or the other.
fn params(rng: &mut Rng, mut params: Value) -> Value {
    if rng.once_in(2) {
        params["_meta"] = meta(rng);
    } else if rng.once_in(2) {
        params["_meta"] = json!({ "progressToken": id(rng) });
    }
    params
}

/// A frame that is in order.
pub fn sound(rng: &mut Rng) -> Value {
    let (id, version) = (id(rng), "2.0");
    match rng.below(16) {
        0..6 => {
            let name = *rng.pick(&["echo", "slow", "gone", ""]);
            let params = params(rng, json!({ "name": name, "arguments": { "a": 1 } }));
            json!({ "jsonrpc": version, "id": id, "method": "tools/call", "params": params })
        }
        6 | 7 => {
            let params = params(rng, json!({}));
            json!({ "jsonrpc": version, "id": id, "method": "tools/list", "params": params })
        }
        8 => json!({ "jsonrpc": version, "id": id, "method": "server/discover", "params": { "_meta": meta(rng) } }),
        9 => json!({ "jsonrpc": version, "id": id, "method": "ping" }),
        10 => {
            let asked = *rng.pick(&["2024-11-05", "2025-11-25", "2026-07-28", "1999-01-01"]);
            json!({ "jsonrpc": version, "id": id, "method": "initialize", "params": {
                "protocolVersion": asked, "capabilities": {}, "clientInfo": { "name": "fuzz", "version": "1" } } })
        }
        11 => json!({ "jsonrpc": version, "method": "notifications/initialized" }),
        12 => {
            json!({ "jsonrpc": version, "method": "notifications/cancelled", "params": { "requestId": id, "reason": "no" } })
        }
        13 => json!({ "jsonrpc": version, "id": id, "result": any(rng, 2) }),
        14 => {
            json!({ "jsonrpc": version, "id": id, "error": { "code": -32_601, "message": "no", "data": any(rng, 1) } })
        }
        _ => json!({ "jsonrpc": version, "method": text(rng), "params": any(rng, 2) }),
    }
}

/// Something happens to one member somewhere: it goes, it changes, it is renamed, another comes.
pub fn mutate(rng: &mut Rng, value: &mut Value) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let names: Vec<String> = members.keys().cloned().collect();
            let name = rng.pick(&names).clone();
            match rng.below(8) {
                0 => drop(members.remove(&name)),
                1 => drop(members.insert(word(rng).to_owned(), any(rng, 2))),
                2 => {
                    let moved = members.remove(&name).unwrap_or_default();
                    members.insert(text(rng), moved);
                }
                3 | 4 => drop(members.insert(name, any(rng, 2))),
                _ => members.get_mut(&name).into_iter().for_each(|inner| mutate(rng, inner)),
            }
        }
        other => *other = any(rng, 2),
    }
}

/// A frame after some accidents, or none.
pub fn frame(rng: &mut Rng) -> Value {
    match rng.below(16) {
        0 => any(rng, 3),
        1 => (0..rng.below(3)).map(|_| sound(rng)).collect(),
        2 => {
            let members: Map<String, Value> = (0..rng.below(7))
                .map(|_| {
                    let name = *rng.pick(&["jsonrpc", "id", "method", "params", "result", "error"]);
                    let value =
                        if rng.once_in(2) { json!(*rng.pick(&["2.0", "ping", "tools/list"])) } else { any(rng, 2) };
                    (name.to_owned(), value)
                })
                .collect();
            Value::Object(members)
        }
        3 => doubled(rng),
        4..8 => {
            let mut frame = sound(rng);
            for _ in 0..=rng.below(4) {
                mutate(rng, &mut frame);
            }
            frame
        }
        _ => sound(rng),
    }
}

/// A frame some of whose members were written twice, as it comes out of its text.
fn doubled(rng: &mut Rng) -> Value {
    let (one, other) = (sound(rng), sound(rng));
    let (one, other) = (one.to_string(), other.to_string());
    let text = [&one[..one.len() - 1], ",", &other[1..]].concat();
    serde_json::from_str(&text).unwrap_or_else(|problem| panic!("{text}: {problem}"))
}
