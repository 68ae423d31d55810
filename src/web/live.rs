//! What the wasm side holds at this moment, for tests and hunts for leaks; what it holds of the page is
//! counted in live.js.

use super::{raw, run};
use std::cell::Cell;
use wasm_bindgen::prelude::*;

thread_local! {
    static OBJECTS: Cell<u32> = const { Cell::new(0) };
}

/// Has its owner counted as long as that is in memory.
pub struct Counted(());

impl Counted {
    /// One more.
    pub fn new() -> Self {
        OBJECTS.set(OBJECTS.get() + 1);
        Counted(())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        OBJECTS.set(OBJECTS.get() - 1);
    }
}

/// How much is held: connections, servers and sessions in memory, runs that have not ended, bytes of memory.
pub fn held() -> Vec<f64> {
    let pages = std::arch::wasm32::memory_size(0) as f64;
    vec![f64::from(OBJECTS.get()), run::in_flight() as f64, pages * 65_536.0]
}

/// A timer; it is cleared when it is dropped.
pub struct Timer {
    timer: JsValue,
    _ring: Closure<dyn FnMut()>,
}

impl Timer {
    /// Calls back after so many milliseconds.
    pub fn new(wait: f64, ring: impl FnOnce() + 'static) -> Self {
        let ring = Closure::once(ring);
        Timer { timer: raw::set_timer(ring.as_ref(), wait.clamp(0.0, LONGEST)), _ring: ring }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        raw::clear_timer(&self.timer);
    }
}

/// The longest a browser's timer can wait; beyond it they ring at once.
const LONGEST: f64 = 2_147_483_647.0;
