//! Runs a state machine: feeds it, then carries out its effects in order with no borrow held, so
//! that whatever an effect sets off may come back here.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

type Step<C, E> = Box<dyn FnOnce(&mut C, &mut Vec<E>)>;

/// A state machine with its queue of effects.
pub struct Pump<C, E> {
    core: RefCell<C>,
    effects: RefCell<VecDeque<E>>,
    /// Steps that arrived while the core was looking at a value whose getter called back.
    late: RefCell<Vec<Step<C, E>>>,
    draining: Cell<bool>,
}

impl<C: 'static, E: 'static> Pump<C, E> {
    /// A pump around a machine.
    pub fn new(core: C) -> Self {
        Pump {
            core: RefCell::new(core),
            effects: RefCell::new(VecDeque::new()),
            late: RefCell::new(Vec::new()),
            draining: Cell::new(false),
        }
    }

    /// Takes one step and performs what follows from it, unless a caller further down this stack
    /// is already performing. `None` when the step had to be put off.
    pub fn feed<R>(&self, step: impl FnOnce(&mut C, &mut Vec<E>) -> R + 'static, perform: &dyn Fn(E)) -> Option<R> {
        let result = match self.core.try_borrow_mut() {
            Ok(mut core) => {
                let mut produced = Vec::new();
                let result = step(&mut core, &mut produced);
                drop(core);
                self.effects.borrow_mut().extend(produced);
                Some(result)
            }
            Err(_) => {
                self.late.borrow_mut().push(Box::new(|core, effects| {
                    step(core, effects);
                }));
                return None;
            }
        };
        self.run_late();
        if !self.draining.replace(true) {
            while let Some(effect) = self.next() {
                perform(effect);
            }
            self.draining.set(false);
        }
        result
    }

    /// Looks at the machine.
    pub fn look<R>(&self, look: impl FnOnce(&C) -> R) -> Option<R> {
        self.core.try_borrow().ok().map(|core| look(&core))
    }

    fn run_late(&self) {
        while let Some(step) = self.take_late() {
            let Ok(mut core) = self.core.try_borrow_mut() else { return };
            let mut produced = Vec::new();
            step(&mut core, &mut produced);
            drop(core);
            self.effects.borrow_mut().extend(produced);
        }
    }

    fn take_late(&self) -> Option<Step<C, E>> {
        let mut late = self.late.borrow_mut();
        (!late.is_empty()).then(|| late.remove(0))
    }

    /// A function of its own, so that the borrow ends before the effect runs.
    fn next(&self) -> Option<E> {
        self.effects.borrow_mut().pop_front()
    }
}
