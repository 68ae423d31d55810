//! Fuzzing without a special compiler: seeded generators throw arbitrary values and sequences at the
//! core, and independent models say what has to come of them.
//!
//! `cargo test` runs each target for two seconds from a new seed. `FUZZ_SECONDS=600 cargo test
//! --release --test fuzz -- --nocapture --test-threads 1` runs them for long, and `FUZZ_SEED=n`
//! begins with that case: a failure prints its seed, and is then told again step by step.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod asked;
mod classify;
mod client;
mod input;
mod notices;
mod questions;
mod reading;
mod rng;
mod server;
mod values;

use rng::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

fn number_from(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Runs cases until the time is over. A case says how many executions it was worth.
fn fuzz(target: &str, case: fn(&mut Rng) -> u64) {
    let time = Duration::from_secs(number_from("FUZZ_SECONDS").unwrap_or(2));
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    // Short enough to be typed.
    let first = number_from("FUZZ_SEED").unwrap_or(clock % 1_000_000_000_000);
    let started = Instant::now();
    let (mut cases, mut executions) = (0, 0);
    while started.elapsed() < time {
        let seed = first.wrapping_add(cases);
        match catch_unwind(|| case(&mut Rng::new(seed, false))) {
            Ok(worth) => executions += worth,
            Err(_) => {
                println!("fuzz {target}: case {cases} failed; FUZZ_SEED={seed} begins with it. Its story:");
                match catch_unwind(AssertUnwindSafe(|| case(&mut Rng::new(seed, true)))) {
                    Err(panic) => resume_unwind(panic),
                    Ok(_) => panic!("fuzz {target}: case with seed {seed} failed only once"),
                }
            }
        }
        cases += 1;
    }
    println!(
        "fuzz {target}: {executions} executions in {cases} cases, {:.0} s, from seed {first}, no findings",
        started.elapsed().as_secs_f64()
    );
}

#[test]
fn classification() {
    fuzz("classification", classify::case);
}

#[test]
fn server_step() {
    fuzz("server step", server::case);
}

#[test]
fn client_step() {
    fuzz("client step", client::case);
}

#[test]
fn server_input() {
    fuzz("server input", input::case);
}

#[test]
fn server_notices() {
    fuzz("server notices", notices::case);
}

#[test]
fn client_questions() {
    fuzz("client questions", questions::case);
}
