//! What a peer's messages may cost together: their weight while they are worked on, and their number in a second.

use super::*;

#[test]
fn requests_that_weigh_too_much_together_are_refused_until_others_are_done() {
    let mut page = Page::with_limits(Limits { bytes_in_flight: 1_000, ..Limits::default() });
    let call = |page: &mut Page, id: i64, length: usize| {
        let mut params = json!({ "name": "echo", "arguments": { "text": "x".repeat(length) } });
        params["_meta"] = meta();
        let frame = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        page.step(Input::Frame { frame: Frame::look(frame), versions: page.versions(), now: 0.0 })
    };
    assert!(call(&mut page, 1, 300).is_empty(), "it runs");
    let refused = call(&mut page, 2, 600);
    assert_eq!(error_of(&refused), (json!(2), -32603));
    assert!(call(&mut page, 3, 10).is_empty(), "a light one still has room");
    let (run, _) = page.runs[0].clone();
    page.step(Input::Returned { run, outcome: Ok(json!({ "content": [] })), versions: page.versions() });
    assert!(call(&mut page, 4, 300).is_empty(), "what was given back is free");
}

#[test]
fn notifications_count_against_the_messages_in_a_second_and_are_reported_beyond() {
    let mut page = Page::with_limits(Limits { messages_per_second: 2, ..Limits::default() });
    for _ in 0..3 {
        let frame = Frame::look(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        let versions = page.versions();
        assert!(page.step(Input::Frame { frame, versions, now: 5_000.0 }).is_empty());
    }
    assert_eq!(page.faults.len(), 1);
}
