//! Runs a state machine: feeds it, then carries out its effects in order with no borrow held, so
//! that whatever an effect sets off may come back here.

use std::cell::{Cell, RefCell};

type Step<C, E> = Box<dyn FnOnce(&mut C, &mut Vec<E>)>;

/// A state machine with its queue of effects.
pub struct Pump<C, E> {
    core: RefCell<C>,
    effects: RefCell<Vec<E>>,
    /// Steps that arrived while the core was looking at a value whose getter called back.
    late: RefCell<Vec<Step<C, E>>>,
    draining: Cell<bool>,
}

impl<C: 'static, E: 'static> Pump<C, E> {
    /// A pump around a machine.
    pub fn new(core: C) -> Self {
        Pump {
            core: RefCell::new(core),
            effects: RefCell::new(Vec::new()),
            late: RefCell::new(Vec::new()),
            draining: Cell::new(false),
        }
    }

    /// Takes one step and performs what follows from it, unless a caller further down this stack
    /// is already performing. `None` when the step had to be put off.
    pub fn feed<R>(&self, step: impl FnOnce(&mut C, &mut Vec<E>) -> R + 'static, perform: &dyn Fn(E)) -> Option<R> {
        // All but the step itself is the same for every step, and exists once.
        let (mut step, mut result) = (Some(step), None);
        self.take_step(&mut |core, effects| result = step.take().map(|step| step(core, effects)));
        match step {
            None => self.drain(perform),
            Some(step) => self.late.borrow_mut().push(Box::new(|core, effects| drop(step(core, effects)))),
        }
        result
    }

    /// Looks at the machine.
    pub fn look<R>(&self, look: impl FnOnce(&C) -> R) -> Option<R> {
        self.core.try_borrow().ok().map(|core| look(&core))
    }

    /// Runs a step, if the core can be had.
    fn take_step(&self, step: &mut dyn FnMut(&mut C, &mut Vec<E>)) {
        if let (Ok(mut core), Ok(mut effects)) = (self.core.try_borrow_mut(), self.effects.try_borrow_mut()) {
            step(&mut core, &mut effects);
        }
    }

    fn drain(&self, perform: &dyn Fn(E)) {
        while let Some(step) = self.next_late() {
            let mut step = Some(step);
            self.take_step(&mut |core, effects| {
                if let Some(step) = step.take() {
                    step(core, effects);
                }
            });
        }
        if self.draining.replace(true) {
            return;
        }
        loop {
            // What an effect sets off is queued behind the effects it came with.
            let effects = self.effects.take();
            if effects.is_empty() {
                break;
            }
            effects.into_iter().for_each(perform);
        }
        self.draining.set(false);
    }

    fn next_late(&self) -> Option<Step<C, E>> {
        let mut late = self.late.borrow_mut();
        if late.is_empty() { None } else { Some(late.remove(0)) }
    }
}
