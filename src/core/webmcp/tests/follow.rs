//! Following a manager and the registry.

use super::world::{World, tool};
use crate::core::code::Code;
use crate::core::webmcp::{Input, Options, Refusal};

const M: u32 = 1;
const N: u32 = 2;

/// A world whose manager `M` holds these tools and is published.
fn world(tools: &[&str]) -> World {
    let mut world = World::default();
    tools.iter().for_each(|name| world.add(M, tool(name, "d")));
    world.published(M, Options::default());
    world.seen.clear();
    world
}

#[test]
fn add_remove_and_clear_reach_the_registry() {
    let mut world = world(&["a"]);
    world.add(M, tool("b", "d"));
    world.settle();
    assert_eq!(world.names(), ["a", "b"]);
    world.remove(M, "a");
    world.settle();
    assert_eq!(world.names(), ["b"]);
    world.clear(M);
    world.settle();
    assert!(world.names().is_empty());
    assert_eq!(world.reports.len(), 3);
}

#[test]
fn s1_6_14_changes_are_gathered_while_a_synchronisation_waits() {
    let mut world = world(&[]);
    world.add(M, tool("a", "d"));
    for name in ["b", "c", "d"] {
        world.add(M, tool(name, "d"));
    }
    world.remove(M, "c");
    assert_eq!(world.reads.len(), 1);
    world.settle();
    assert_eq!(world.reports.len(), 2, "the first change, and all the others");
    assert_eq!(world.names(), ["a", "b", "d"]);
}

#[test]
fn s1_6_14_a_change_after_a_publication_runs_after_it() {
    let mut world = world(&["a"]);
    world.add(M, tool("b", "d"));
    world.publish(M, Options::default());
    world.remove(M, "a");
    world.settle();
    assert_eq!(world.names(), ["b"]);
}

#[test]
fn s1_6_15_a_change_while_a_registration_is_suspended_is_applied() {
    let mut world = world(&[]);
    world.add(M, tool("a", "d"));
    world.arrive(0);
    assert_eq!(world.answers.len(), 1);
    world.clear(M);
    world.add(M, tool("b", "d"));
    world.settle();
    assert_eq!(world.names(), ["b"]);
}

#[test]
fn s1_6_21_followed_additions_come_before_removals() {
    let mut world = world(&["old"]);
    world.add(M, tool("busy", "d"));
    world.remove(M, "old");
    world.add(M, tool("new", "d"));
    world.settle();
    let gaps =
        world.seen.iter().filter(|names| !names.contains(&"old".to_owned()) && !names.contains(&"new".to_owned()));
    assert_eq!(gaps.count(), 0);
    assert_eq!(world.names(), ["busy", "new"]);
}

#[test]
fn s1_6_30_a_manager_no_longer_followed_is_ignored() {
    let mut world = world(&["a"]);
    world.published(N, Options::default());
    world.managers.insert(M, vec![tool("b", "d")]);
    world.step(Input::Changed { manager: M, names: None });
    assert!(world.reads.is_empty());
    world.settle();
    assert!(world.names().is_empty());
}

#[test]
fn s1_6_50_a_change_of_the_second_manager_is_not_lost_behind_one_of_the_first() {
    let mut world = world(&["a"]);
    world.add(M, tool("b", "d"));
    world.add(M, tool("c", "d"));
    world.publish(N, Options::default());
    world.add(N, tool("n", "d"));
    world.settle();
    assert_eq!(world.names(), ["n"]);
}

#[test]
fn an_event_about_everything_reads_everything() {
    let mut world = world(&["a", "b"]);
    world.managers.insert(M, vec![tool("b", "new"), tool("c", "d")]);
    world.step(Input::Changed { manager: M, names: None });
    assert_eq!(world.reads, [(M, None)]);
    world.settle();
    assert_eq!(world.names(), ["b", "c"]);
    assert_eq!(world.description("b"), "new");
}

#[test]
fn b1_a_name_taken_by_somebody_else_is_blocked_and_retried() {
    let mut world = world(&[]);
    world.foreign("a");
    world.add(M, tool("a", "d"));
    world.settle();
    assert_eq!(world.bridge.blocked().map(|name| &**name).collect::<Vec<_>>(), ["a"]);
    assert_eq!(world.reports.last().map(|report| report.blocked.len()), Some(1));
    let reports = world.reports.len();
    world.foreign("other");
    world.settle();
    assert_eq!(world.reports.len(), reports, "still blocked is no news");
    world.foreign("a");
    world.settle();
    assert_eq!(world.names(), ["a", "other"]);
    assert_eq!(world.reports.last().map(|report| report.registered.len()), Some(1));
    assert!(world.bridge.status().is_complete());
}

#[test]
fn b1_a_name_freed_while_its_refusal_is_under_way_is_not_missed() {
    let mut world = world(&[]);
    world.foreign("a");
    world.add(M, tool("a", "d"));
    world.toolchange = false;
    world.arrive(0);
    assert_eq!(world.answers.len(), 1);
    world.registry.remove("a");
    world.step(Input::RegistryChanged);
    world.settle();
    assert_eq!(world.names(), ["a"]);
}

#[test]
fn a_blocked_tool_that_is_removed_is_no_longer_reported() {
    let mut world = world(&[]);
    world.foreign("a");
    world.add(M, tool("a", "d"));
    world.settle();
    world.remove(M, "a");
    world.settle();
    assert!(world.bridge.status().is_complete());
    assert_eq!(world.names(), ["a"]);
}

#[test]
fn s1_6_23_a_refused_registration_is_tried_again_at_the_next_change() {
    let mut world = world(&["old"]);
    world.refusing.insert("a".to_owned(), Code::RegistryFailed);
    world.add(M, tool("a", "d"));
    world.remove(M, "old");
    world.settle();
    assert!(world.names().is_empty());
    world.refusing.clear();
    world.step(Input::RegistryChanged);
    world.settle();
    assert!(world.names().is_empty(), "a timeout must not feed on the events it causes");
    world.add(M, tool("b", "d"));
    world.settle();
    assert_eq!(world.names(), ["a", "b"]);
}

#[test]
fn what_only_the_tool_can_cure_is_not_tried_again() {
    let mut world = world(&[]);
    world.add(M, tool("undescribed", ""));
    world.settle();
    world.add(M, tool("b", "d"));
    assert_eq!(world.reads, [(M, Some(vec!["b".into()]))]);
}

#[test]
fn s1_6_16_an_undescribed_tool_is_skipped_and_one_that_replaces_a_registered_one_releases_it() {
    let mut world = world(&["a"]);
    world.add(M, tool("new", ""));
    world.settle();
    assert!(world.seen.is_empty());
    world.add(M, tool("a", ""));
    world.settle();
    assert_eq!(world.seen, [Vec::<String>::new()]);
    let status = world.bridge.status();
    assert_eq!(status.skipped.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), ["a", "new"]);
}

#[test]
fn the_registry_changing_matters_only_when_something_waits() {
    let mut world = world(&["a"]);
    world.step(Input::RegistryChanged);
    assert!(world.reads.is_empty());
    let mut unpublished = World::default();
    unpublished.step(Input::RegistryChanged);
    unpublished.step(Input::Changed { manager: M, names: None });
    assert!(unpublished.reads.is_empty());
}

#[test]
fn answers_nobody_waits_for_do_no_harm() {
    let mut world = world(&["a"]);
    let registration = world.registration("a");
    let late = || Err(Refusal::from_exception("AbortError", "", false));
    world.step(Input::Registered { registration, outcome: late() });
    world.step(Input::Registered { registration: 99, outcome: late() });
    world.step(Input::Contents { offers: vec![tool("z", "d")] });
    assert_eq!(world.names(), ["a"]);
    world.add(M, tool("b", "d"));
    world.reads.clear();
    world.step(Input::Contents { offers: vec![tool("z", "d"), tool("b", "d"), tool("b", "e")] });
    world.settle();
    assert_eq!(world.names(), ["a", "b"], "only what was asked for counts, and once");
}

#[test]
fn c01_unpublish_and_publish_again_in_one_turn() {
    // What StrictMode does: mount, unmount, mount.
    let mut world = world(&[]);
    world.add(M, tool("a", "d"));
    world.remove(M, "a");
    world.add(M, tool("a", "d"));
    world.settle();
    assert_eq!(world.names(), ["a"]);
    world.remove(M, "a");
    world.add(M, tool("a", "d"));
    world.settle();
    assert_eq!(world.names(), ["a"]);
}

#[test]
fn what_is_tried_again_is_missing_until_it_is_there() {
    let mut world = World::default();
    world.add(M, tool("a", "d"));
    world.foreign("a");
    world.published(M, Options::default());
    world.step(Input::RegistryChanged);
    assert_eq!(world.bridge.status().blocked.len(), 1, "the manager is being read");
    world.foreign("a");
    world.arrive(0);
    assert_eq!(world.bridge.status().blocked.len(), 1, "the registry is asked");
    world.settle();
    assert_eq!(world.bridge.status().registered.len(), 1);
    assert!(world.bridge.status().blocked.is_empty());
}
