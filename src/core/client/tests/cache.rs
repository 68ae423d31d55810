//! Answers that are given again while they are fresh.

use super::*;

fn page() -> Page {
    let limits = Limits { cached_answers: 2, ..Limits::default() };
    Page::with(json!({}), Opening::Auto, limits).opened(Revision::V2026_07_28)
}

impl Page {
    /// Asks, and answers with this unless what was kept did.
    fn asked_for(&mut self, waiter: &'static str, method: Key, params: Value, anew: bool, answer: Value) -> bool {
        let manner = Manner { anew, ..Manner::default() };
        let request = Request { method: Word::Known(method), params: vec![], extra: Some(params), waiter, manner };
        let mut effects = vec![];
        self.client.step(Input::Request { now: self.now, request }, &mut effects);
        let frames = self.run(effects);
        for frame in &frames {
            self.hear(json!({ "jsonrpc": "2.0", "id": frame["id"], "result": answer }));
        }
        assert!(self.settled[waiter].is_ok());
        frames.is_empty()
    }
}

#[test]
fn an_answer_serves_as_long_as_it_says_counted_from_the_question() {
    let mut page = page();
    let tools = json!({ "tools": [{ "name": "a" }], "ttlMs": 100, "cacheScope": "private" });
    assert!(!page.asked_for("1", Key::ToolsList, json!({}), false, tools.clone()));
    page.now += 99.0;
    assert!(page.asked_for("2", Key::ToolsList, json!({}), false, json!({})));
    assert_eq!(page.settled["2"], Ok(tools.clone()));
    assert!(!page.asked_for("3", Key::ToolsList, json!({ "cursor": "x" }), false, tools.clone()), "another page");
    assert!(!page.asked_for("4", Key::ToolsList, json!({}), true, tools.clone()), "who wants it anew gets it");
    page.now += 100.0;
    assert!(!page.asked_for("5", Key::ToolsList, json!({}), false, json!({ "tools": [], "ttlMs": 0 })));
    assert!(!page.asked_for("6", Key::ToolsList, json!({}), false, json!({ "tools": [] })), "0 is stale at once");
}

#[test]
fn a_notice_of_change_makes_it_stale() {
    let mut page = page();
    let fresh = json!({ "contents": [], "resources": [], "ttlMs": 1000 });
    page.asked_for("1", Key::ResourcesRead, json!({ "uri": "a" }), false, fresh.clone());
    page.asked_for("2", Key::ResourcesList, json!({}), false, fresh.clone());
    let notice = |method: &str| json!({ "jsonrpc": "2.0", "method": format!("notifications/{method}"), "params": { "uri": "a" } });
    page.hear(notice("resources/list_changed"));
    assert!(
        page.asked_for("3", Key::ResourcesRead, json!({ "uri": "a" }), false, json!({})),
        "what it holds did not change"
    );
    assert!(!page.asked_for("4", Key::ResourcesList, json!({}), false, fresh.clone()));
    page.hear(notice("resources/updated"));
    assert!(!page.asked_for("5", Key::ResourcesRead, json!({ "uri": "a" }), false, fresh.clone()));
    assert!(page.asked_for("6", Key::ResourcesList, json!({}), false, json!({})));
}

#[test]
fn calls_and_prompts_are_never_kept_and_the_oldest_leaves() {
    let mut page = page();
    let fresh = json!({ "ttlMs": 1000 });
    page.asked_for("1", Key::ToolsList, json!({}), false, fresh.clone());
    page.asked_for("2", Key::PromptsGet, json!({ "name": "p" }), false, fresh.clone());
    assert!(!page.asked_for("3", Key::PromptsGet, json!({ "name": "p" }), false, fresh.clone()));
    assert!(!page.asked_for("4", Key::ToolsCall, json!({ "name": "p" }), false, fresh.clone()));
    assert!(!page.asked_for("5", Key::ToolsCall, json!({ "name": "p" }), false, fresh.clone()));
    page.asked_for("6", Key::ResourcesRead, json!({ "uri": "a" }), false, fresh.clone());
    page.asked_for("7", Key::ResourcesRead, json!({ "uri": "b" }), false, fresh.clone());
    assert!(!page.asked_for("8", Key::ToolsList, json!({}), false, fresh.clone()), "two were younger");
    assert!(page.asked_for("9", Key::ResourcesRead, json!({ "uri": "b" }), false, fresh));
}

#[test]
fn the_handshake_era_knows_no_hints() {
    let mut page = Page::ready(Revision::V2025_11_25);
    let fresh = json!({ "tools": [], "ttlMs": 1000 });
    page.asked_for("1", Key::ToolsList, json!({}), false, fresh.clone());
    assert!(!page.asked_for("2", Key::ToolsList, json!({}), false, fresh));
}

#[test]
fn an_answer_of_before_a_change_is_not_kept() {
    let mut page = page();
    let mut effects = vec![];
    let request = |waiter| {
        let (method, manner) = (Word::Known(Key::ToolsList), Manner::default());
        Request { method, params: vec![], extra: None, waiter, manner }
    };
    page.client.step(Input::Request { now: page.now, request: request("1") }, &mut effects);
    let id = page.run(effects)[0]["id"].clone();
    page.now += 5.0;
    page.hear(json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
    page.hear(json!({ "jsonrpc": "2.0", "id": id, "result": { "tools": [], "ttlMs": 1000 } }));
    assert!(page.settled["1"].is_ok());
    let fresh = json!({ "tools": [], "ttlMs": 1000 });
    assert!(!page.asked_for("2", Key::ToolsList, json!({}), false, fresh.clone()), "it may be stale");
    assert!(page.asked_for("3", Key::ToolsList, json!({}), false, fresh));
}
