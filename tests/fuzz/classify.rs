//! Target: what a frame is taken for, whatever it is.

use crate::reading::{self, Reading, check_sent};
use crate::rng::Rng;
use crate::values;
use modelport::core::frame::{Facts, Frame};
use modelport::core::message::{self, Id, Malformed, Message};
use serde_json::Value;

fn is_same(one: &Facts, other: &Facts) -> bool {
    // No number equals itself if it is none.
    let (mut one, mut other) = (*one, *other);
    if one.number.is_nan() && other.number.is_nan() {
        (one.number, other.number) = (0.0, 0.0);
    }
    one == other
}

/// An id goes out as it came in.
fn check_id(id: &Id, frame: &Value) {
    let back: Value = id.to_json();
    assert_eq!(reading::id(&back).as_ref(), Some(id), "{frame}");
    assert_eq!(back.is_string(), frame["id"].is_string(), "{frame}");
    match back.as_f64() {
        Some(number) => assert_eq!(frame["id"].as_f64(), Some(number), "{frame}"),
        None => assert_eq!(back, frame["id"]),
    }
}

/// The message written out again is the same message.
fn check_again(frame: &Value, again: &Value) {
    check_sent(again);
    let reading = reading::read(frame);
    assert_eq!(reading::read(again), reading, "{frame} became {again}");
    match reading {
        Reading::Response(..) => {
            assert_eq!((frame.get("result"), frame.get("error")), (again.get("result"), again.get("error")));
        }
        _ => assert_eq!(frame.get("params").filter(|params| params.is_object()), again.get("params")),
    }
}

pub fn case(rng: &mut Rng) -> u64 {
    let value = values::frame(rng);
    rng.tell(|| value.to_string());
    let frame = Frame::look(value.clone());
    let facts = reading::facts(&value);
    assert!(is_same(&frame.facts, &facts), "{value}: {:?} is not {facts:?}", frame.facts);
    let (expected, got) = (reading::read(&value), message::classify(&frame));
    match (&got, expected) {
        (Ok(Message::Request { id, method, params }), Reading::Request(own, name)) => {
            assert_eq!((id, method.text()), (&own, name), "{value}");
            check_id(id, &value);
            check_again(&value, &message::request(id, method, params.clone()));
        }
        (Ok(Message::Notification { method, params }), Reading::Notification(name)) => {
            assert_eq!(method.text(), name, "{value}");
            check_again(&value, &message::notification(method, params.clone()));
        }
        (Ok(Message::Response { id, outcome: Ok(result) }), Reading::Response(own, true)) => {
            assert_eq!(id, &own, "{value}");
            check_id(id, &value);
            if result.is_object() {
                check_again(&value, &message::result(id, result.clone()));
            }
        }
        (Ok(Message::Response { id, outcome: Err(error) }), Reading::Response(own, false)) => {
            assert_eq!(id, &own, "{value}");
            check_id(id, &value);
            let read = message::read_error(error);
            let written: Value = message::failure(Some(id), &read);
            check_sent(&written);
            if let Some(number) = error["code"].as_i64().filter(|number| i32::try_from(*number).is_ok()) {
                assert_eq!(written["error"]["code"], number, "{value}");
            }
            if error.is_object() {
                // Through text, as the core carries it: `serde_json` reads some numbers one digit off.
                let data = error.get("data").map(|data| serde_json::from_str(&data.to_string()).unwrap());
                assert_eq!(data.as_ref(), written["error"].get("data"), "{value}");
            }
            assert_eq!(message::read_error(&written["error"]).message, read.message, "{value}");
        }
        (Err(Malformed::Request(id, error)), Reading::BadRequest(own)) => {
            assert_eq!(id, &own, "{value}");
            let answer: Value = message::failure(id.as_ref(), error);
            check_sent(&answer);
            assert_eq!(answer.get("id").is_some(), id.is_some(), "{value}");
        }
        (Err(Malformed::Response(_)), Reading::BadResponse) | (Err(Malformed::Foreign), Reading::Foreign) => {}
        (got, expected) => panic!("{value}: {got:?} is not {expected:?}"),
    }
    1
}
