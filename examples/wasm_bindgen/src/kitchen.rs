//! The timers, with no page in sight.

use std::cell::{OnceCell, RefCell};

#[derive(Clone)]
pub struct Timer {
    pub label: String,
    pub seconds: f64,
    started: f64,
}

impl Timer {
    /// How long it still runs; 0 once it rings.
    pub fn left(&self) -> f64 {
        (self.started + self.seconds - now()).max(0.0)
    }

    pub fn is_ringing(&self) -> bool {
        self.left() == 0.0
    }
}

#[derive(Default)]
pub struct Kitchen {
    timers: RefCell<Vec<Timer>>,
    on_change: OnceCell<Box<dyn Fn()>>,
}

impl Kitchen {
    /// Calls back after every change but the passing of time.
    pub fn on_change(&self, on_change: impl Fn() + 'static) {
        drop(self.on_change.set(Box::new(on_change)));
    }

    pub fn timers(&self) -> Vec<Timer> {
        self.timers.borrow().clone()
    }

    /// Starts a timer, in place of one with the same label.
    pub fn start(&self, label: &str, seconds: f64) -> Result<(), &'static str> {
        let label = label.trim();
        if label.is_empty() {
            return Err("A timer needs a label.");
        }
        if !(1.0..=86_400.0).contains(&seconds) {
            return Err("A timer runs from one second to a day.");
        }
        self.timers.borrow_mut().retain(|timer| timer.label != label);
        self.timers.borrow_mut().push(Timer { label: label.to_owned(), seconds, started: now() });
        self.changed();
        Ok(())
    }

    pub fn stop(&self, label: &str) -> Result<(), String> {
        let before = self.timers.borrow().len();
        self.timers.borrow_mut().retain(|timer| timer.label != label);
        if self.timers.borrow().len() == before {
            return Err(format!("There is no timer \"{label}\"."));
        }
        self.changed();
        Ok(())
    }

    fn changed(&self) {
        if let Some(on_change) = self.on_change.get() {
            on_change();
        }
    }
}

/// Seconds since the page was opened.
fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now() / 1000.0)
}
