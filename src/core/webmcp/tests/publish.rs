//! Publishing: what is registered, what is left alone, what is reported.

use super::world::{World, tool};
use crate::core::code::Code;
use crate::core::machine::Machine;
use crate::core::webmcp::{Describe, Input, Offer, Options};
use serde_json::json;
use std::rc::Rc;

const M: u32 = 1;
const N: u32 = 2;

fn world(tools: &[&str]) -> World {
    let mut world = World::default();
    tools.iter().for_each(|name| world.add(M, tool(name, "d")));
    world
}

fn plain() -> Options {
    Options::default()
}

fn exposed(origins: &[&str]) -> Options {
    Options { origins: Some(origins.iter().map(|origin| origin.to_string()).collect()), ..Options::default() }
}

fn names(list: &[Rc<str>]) -> Vec<&str> {
    list.iter().map(|name| &**name).collect()
}

fn codes(list: &[(Rc<str>, crate::core::webmcp::Refusal)]) -> Vec<(&str, Code)> {
    list.iter().map(|(name, refusal)| (&**name, refusal.code)).collect()
}

#[test]
fn every_tool_is_registered_at_once_and_reported() {
    let mut world = world(&["b", "a"]);
    let job = world.publish(M, plain());
    assert_eq!(world.answers.len(), 2, "nothing waits for another registration");
    assert!(world.settled.is_empty());
    world.settle();
    let (report, failed) = world.outcome(job);
    assert_eq!((names(&report.registered), failed), (vec!["b", "a"], None));
    assert!(report.is_complete());
    assert_eq!(world.bridge.status().registered, report.registered);
}

#[test]
fn an_empty_manager_settles_at_once() {
    let mut world = world(&[]);
    world.publish(M, plain());
    assert_eq!(world.settled.len(), 1);
    assert_eq!(world.followed, Some(M));
}

#[test]
fn s1_6_24_a_second_publish_of_the_same_tools_touches_nothing() {
    let mut world = world(&["a", "b"]);
    world.published(M, plain());
    let (seen, asked) = (world.seen.len(), world.asked.len());
    let (report, _) = world.published(M, plain());
    assert_eq!(names(&report.unchanged), ["a", "b"]);
    assert_eq!((world.seen.len(), world.asked.len()), (seen, asked));
}

#[test]
fn s1_6_18b_an_equal_tool_keeps_the_registration_whatever_its_key_order() {
    let mut world = World::default();
    let with = |schema| Offer::new("a", json!({ "name": "a", "description": "d", "inputSchema": schema }));
    world.add(M, with(json!({ "type": "object", "title": "t" })));
    world.published(M, plain());
    let registration = world.registration("a");
    world.add(M, with(json!({ "title": "t", "type": "object" })));
    world.settle();
    assert_eq!(world.registration("a"), registration);
    assert!(world.reports.is_empty(), "nothing that can be seen has changed");
}

#[test]
fn s1_6_18b_an_equal_tool_is_the_one_known_from_now_on() {
    let mut world = World::default();
    let with = |icons| Offer::new("a", json!({ "name": "a", "description": "d", "icons": icons }));
    world.add(M, with(json!([])));
    world.published(M, plain());
    world.add(M, with(json!(["new"])));
    world.settle();
    assert_eq!(world.asked.len(), 1);
    assert_eq!(world.bridge.published("a").map(|offer| offer.dictionary()["icons"].clone()), Some(json!(["new"])));
}

#[test]
fn s1_6_18c_another_descriptor_is_registered_in_the_same_turn() {
    let mut world = world(&["a"]);
    world.published(M, plain());
    world.add(M, tool("a", "new"));
    world.settle();
    assert_eq!(world.description("a"), "new");
    assert_eq!(names(&world.reports[0].registered), ["a"]);
    assert!(world.reports[0].released.is_empty());
}

#[test]
fn s1_6_21_additions_come_before_removals() {
    let mut world = world(&["old"]);
    world.published(M, plain());
    world.managers.clear();
    world.managers.insert(M, vec![tool("new", "d")]);
    let (report, _) = world.published(M, plain());
    assert_eq!(world.seen, [vec!["old"], vec!["new", "old"], vec!["new"]]);
    assert_eq!((names(&report.registered), names(&report.released)), (vec!["new"], vec!["old"]));
}

#[test]
fn s1_6_25_another_manager_takes_over_a_name_and_the_rest_goes() {
    let mut world = world(&["a", "b"]);
    world.add(N, tool("a", "d"));
    world.published(M, plain());
    let before = world.registration("a");
    world.published(N, plain());
    assert_eq!(world.names(), ["a"]);
    assert_ne!(world.registration("a"), before);
    assert_eq!(world.bridge.route(world.registration("a")).map(|route| route.manager), Some(N));
    assert_eq!(world.followed, Some(N));
}

#[test]
fn s1_6_8_two_queued_publications_use_their_own_snapshots() {
    let mut world = world(&["a"]);
    let first = world.publish(M, plain());
    world.managers.insert(M, vec![tool("b", "d")]);
    let second = world.publish(M, plain());
    world.managers.insert(M, vec![tool("c", "d")]);
    world.settle();
    assert_eq!(names(&world.outcome(first).0.registered), ["a"]);
    assert_eq!(names(&world.outcome(second).0.registered), ["b"]);
    assert_eq!(world.names(), ["b"]);
}

#[test]
fn s1_6_15_a_manager_emptied_before_the_run_shows_the_snapshot_and_then_nothing() {
    let mut world = world(&["a"]);
    world.publish(M, plain());
    world.clear(M);
    world.settle();
    assert_eq!(world.seen, [vec!["a".to_owned()], vec![]]);
}

#[test]
fn one_bad_tool_never_stops_the_others() {
    let mut world = world(&["a", "b c", "d"]);
    world.add(M, tool("undescribed", ""));
    world.add(M, Offer::new("odd", json!({ "description": "d", "inputSchema": 5 })));
    world.refusing.insert("d".to_owned(), Code::BlockedByPolicy);
    world.foreign("taken");
    world.add(M, tool("taken", "d"));
    let (report, failed) = world.published(M, plain());
    assert_eq!((names(&report.registered), failed), (vec!["a"], None));
    assert_eq!(
        codes(&report.skipped),
        [
            ("b c", Code::NameNotCarriable),
            ("d", Code::BlockedByPolicy),
            ("undescribed", Code::DescriptionMissing),
            ("odd", Code::SchemaNotSerialisable),
        ],
    );
    assert_eq!(codes(&report.blocked), [("taken", Code::NameTaken)]);
}

#[test]
fn c08_a_nameless_tool_fails_on_its_name() {
    let mut world = World::default();
    world.add(M, tool("", ""));
    assert_eq!(codes(&world.published(M, plain()).0.skipped), [("", Code::NameNotCarriable)]);
}

#[test]
fn c08_tools_of_an_mcp_server_are_described_on_request() {
    let mut world = World::default();
    world.add(M, tool("x", ""));
    world.published(M, Options { describe: Describe::Fallback, ..plain() });
    assert_eq!(world.description("x"), "x");
}

#[test]
fn strict_turns_any_tool_left_out_into_a_failure_that_names_the_first() {
    let mut world = world(&["a", "b c"]);
    let strict = Options { strict: true, ..plain() };
    let (report, failed) = world.published(M, strict.clone());
    assert_eq!(failed.as_ref().map(|error| error.code), Some(Code::NameNotCarriable));
    assert!(failed.is_some_and(|error| error.message.contains("1 of 2") && error.message.contains("'b c'")));
    assert_eq!(names(&report.registered), ["a"]);
    world.remove(M, "b c");
    world.foreign("z");
    world.add(M, tool("z", "d"));
    assert_eq!(world.published(M, strict).1.map(|error| error.code), Some(Code::NameTaken));
}

#[test]
fn s1_6_20_a_refused_tool_still_lets_the_others_go() {
    let mut world = world(&["old", "a"]);
    world.published(M, plain());
    world.refusing.insert("bad".to_owned(), Code::RegistryFailed);
    world.managers.insert(M, vec![tool("bad", "d"), world.managers[&M][1].clone()]);
    let before = world.registration("a");
    world.published(M, plain());
    assert_eq!(world.names(), ["a"]);
    assert_eq!(world.registration("a"), before);
    world.refusing.clear();
    world.published(M, plain());
    assert_eq!(world.names(), ["a", "bad"]);
}

#[test]
fn a_tool_that_can_no_longer_be_carried_is_released() {
    let mut world = world(&["a"]);
    world.published(M, plain());
    world.managers.insert(M, vec![tool("a", "")]);
    let (report, _) = world.published(M, plain());
    assert_eq!(names(&report.released), ["a"]);
    assert_eq!(codes(&report.skipped), [("a", Code::DescriptionMissing)]);
    assert!(world.names().is_empty());
}

#[test]
fn b22_a_bad_origin_is_refused_before_anything_happens() {
    let mut world = world(&["a"]);
    world.add(N, tool("b", "d"));
    world.published(M, plain());
    let (report, failed) = world.published(N, exposed(&["https://ok.example", "http://x"]));
    assert_eq!(failed.as_ref().map(|error| error.code), Some(Code::OriginRefused));
    assert!(failed.is_some_and(|error| error.message.contains("'http://x'")));
    assert_eq!(report, Default::default());
    assert_eq!((world.names(), world.followed), (vec!["a"], Some(M)));
}

#[test]
fn s4_c_17_a_change_of_origins_alone_registers_anew_and_a_spelling_does_not() {
    let mut world = world(&["a"]);
    world.published(M, exposed(&["https://a.example", "https://b.example"]));
    let first = world.registration("a");
    world.published(M, exposed(&["https://B.example:443", "https://a.example/"]));
    assert_eq!(world.registration("a"), first);
    world.published(M, exposed(&["https://a.example"]));
    assert_ne!(world.registration("a"), first);
}

#[test]
fn names_are_mapped_on_request_and_the_report_shows_how() {
    let mut world = world(&["a b", "a:b", "c"]);
    let mapped = Options { map_names: true, ..plain() };
    let (report, _) = world.published(M, mapped.clone());
    assert_eq!(names(&report.registered), ["a b", "a:b", "c"]);
    assert_eq!(report.renamed.len(), 2);
    for (tool, registered) in &report.renamed {
        let offer = world.bridge.published(registered).map(|offer| offer.name().clone());
        assert_eq!(offer.as_ref(), Some(tool));
        assert_eq!(world.bridge.route(world.registration(registered)).map(|route| route.tool).as_ref(), Some(tool));
    }
    assert_eq!(world.published(M, mapped).0.unchanged.len(), 3);
    assert_eq!(codes(&world.published(M, plain()).0.skipped).len(), 2);
    assert_eq!(world.names(), ["c"]);
}

#[test]
fn a_tool_named_like_a_substitute_has_its_own_name() {
    let substitute = crate::core::webmcp::names::substitute("a b", 0);
    let mut world = world(&["a b", &substitute]);
    let (report, _) = world.published(M, Options { map_names: true, ..plain() });
    assert_eq!(report.registered.len(), 2);
    assert_eq!(world.bridge.published(&substitute).map(|offer| &**offer.name()), Some(&*substitute));
}

#[test]
fn a_change_of_results_alone_keeps_the_registration_and_applies_at_once() {
    let mut world = world(&["a"]);
    world.published(M, plain());
    let registration = world.registration("a");
    world.published(M, Options { raw: true, ..plain() });
    assert_eq!(world.registration("a"), registration);
    assert_eq!(world.bridge.route(registration).map(|route| route.raw), Some(true));
}

#[test]
fn a_thousand_tools_ask_for_a_thousand_registrations_in_one_step() {
    let many: Vec<String> = (0..1_000).map(|n| format!("t{n}")).collect();
    let mut world = world(&many.iter().map(String::as_str).collect::<Vec<_>>());
    world.publish(M, plain());
    assert_eq!(world.answers.len(), 1_000);
    world.settle();
    world.add(M, tool("one-more", "d"));
    assert_eq!(world.reads, [(M, Some(vec!["one-more".into()]))], "one tool is read, not a thousand");
    world.settle();
    assert_eq!(names(&world.reports[0].registered), ["one-more"]);
    assert!(world.reports[0].unchanged.is_empty());
}

#[test]
fn s1_6_44_destroy_lets_go_of_everything_once() {
    let mut world = world(&["a", "b"]);
    world.foreign("x");
    world.published(M, plain());
    world.step(Input::Destroy);
    world.step(Input::Destroy);
    assert_eq!((world.names(), world.followed), (vec!["x"], None));
    world.check_ownership();
    assert_eq!(world.bridge.status(), Default::default());
}

#[test]
fn s1_6_45_b11_destroy_amid_a_publication_settles_it_and_late_answers_do_no_harm() {
    let mut world = world(&["a", "b"]);
    let running = world.publish(M, plain());
    let queued = world.publish(M, Options { strict: true, ..plain() });
    world.arrive(0);
    world.step(Input::Destroy);
    assert_eq!(world.outcome(running), Default::default());
    assert_eq!(world.outcome(queued).1.map(|error| error.code), Some(Code::Closed));
    world.settle();
    assert!(world.names().is_empty());
    world.check_ownership();
}

#[test]
fn s1_6_26_publishing_after_the_end_settles_and_does_nothing() {
    let mut world = world(&["a"]);
    world.step(Input::Destroy);
    assert_eq!(world.published(M, plain()), Default::default());
    assert_eq!((world.names().len(), world.followed), (0, None));
}

#[test]
fn s1_6_29_what_waits_to_be_registered_when_the_bridge_ends_is_not_wanted() {
    let mut world = world(&["a"]);
    let mut effects = Vec::new();
    let offers = world.managers[&M].clone();
    world.bridge.step(Input::Publish { job: 1, manager: M, offers, options: plain() }, &mut effects);
    assert!(world.bridge.wants(1));
    world.step_unheeded(Input::Destroy);
    assert!(!world.bridge.wants(1));
}

#[test]
fn a_large_publication_takes_its_fingerprints_when_there_is_time() {
    let names: Vec<String> = (0..100).map(|number| format!("t{number}")).collect();
    let many = || world(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut early, mut late) = (many(), many());
    early.publish(M, plain());
    for _ in 0..100 {
        early.arrive(0);
    }
    assert_eq!(early.settled.len(), 1, "the publication does not wait for them");
    early.add(M, tool("t7", "d"));
    early.settle();
    assert_eq!(early.asked.len(), 101, "what is not known to be equal is registered anew");
    late.published(M, plain());
    late.add(M, tool("t7", "d"));
    late.settle();
    assert_eq!(late.asked.len(), 100);
    early.add(M, tool("t7", "d"));
    early.settle();
    assert_eq!(early.asked.len(), 101);
}
