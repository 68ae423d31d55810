//! The official SDK for Rust as a peer, natively and in both eras: its clients of our sessions, its
//! server for our client, over an in-memory stream of lines.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
#![allow(deprecated, reason = "what rmcp deprecates, peers still speak")]

mod caller;
mod guest;
mod host;
mod kitchen;

use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;

/// One of rmcp's types from its JSON.
fn typed<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|problem| panic!("{value}: {problem}"))
}

/// Runs a test where tasks need not be `Send`; one that hangs fails.
fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let local = tokio::task::LocalSet::new();
    let outcome = local.block_on(&runtime, async { tokio::time::timeout(Duration::from_secs(60), test).await });
    outcome.expect("it ends");
}

/// Waits until this was heard; what comes before it is passed over.
async fn heard(events: &mut UnboundedReceiver<(String, Value)>, name: &str) -> Value {
    loop {
        let (event, value) = events.recv().await.unwrap_or_else(|| panic!("{name} never came"));
        if event == name {
            return value;
        }
    }
}
