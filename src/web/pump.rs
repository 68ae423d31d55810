//! Runs a state machine: feeds it, then carries out its effects in order with no borrow held, so
//! that whatever an effect sets off may come back here.

use crate::core::machine::Machine;
use std::cell::{Cell, RefCell};

/// A state machine with its queue of effects.
pub struct Pump<M: Machine> {
    core: RefCell<M>,
    effects: RefCell<Vec<M::Effect>>,
    /// What arrived while the core was looking at a value whose getter called back.
    late: RefCell<Vec<M::Input>>,
    draining: Cell<bool>,
}

impl<M: Machine> Pump<M> {
    /// A pump around a machine.
    pub fn new(core: M) -> Self {
        Pump {
            core: RefCell::new(core),
            effects: RefCell::new(Vec::new()),
            late: RefCell::new(Vec::new()),
            draining: Cell::new(false),
        }
    }

    /// Takes one input and performs what follows from it, unless a caller further down this stack
    /// is already performing.
    pub fn feed(&self, input: M::Input, perform: &dyn Fn(M::Effect)) {
        let mut next = Some(input);
        while let Some(input) = next {
            match (self.core.try_borrow_mut(), self.effects.try_borrow_mut()) {
                (Ok(mut core), Ok(mut effects)) => core.step(input, &mut effects),
                _ => return self.late.borrow_mut().push(input),
            }
            let mut late = self.late.borrow_mut();
            next = if late.is_empty() { None } else { Some(late.remove(0)) };
        }
        if self.draining.replace(true) {
            return;
        }
        loop {
            // What an effect sets off is queued behind the effects it came with.
            let mut batch = self.effects.take();
            if batch.is_empty() {
                break;
            }
            batch.drain(..).for_each(perform);
            // Its room serves the next ones.
            let mut effects = self.effects.borrow_mut();
            if effects.is_empty() {
                *effects = batch;
                break;
            }
        }
        self.draining.set(false);
    }

    /// Changes what nothing follows from.
    pub fn change<R>(&self, change: impl FnOnce(&mut M) -> R) -> Option<R> {
        self.core.try_borrow_mut().ok().map(|mut core| change(&mut core))
    }

    /// Looks at the machine.
    pub fn look<R>(&self, look: impl FnOnce(&M) -> R) -> Option<R> {
        self.core.try_borrow().ok().map(|core| look(&core))
    }
}
