//! What the requests a session works on weigh together. Each of them holds its share for as long as it is kept.

use std::cell::Cell;
use std::rc::Rc;

/// The weight of all that is held.
#[derive(Default)]
pub(super) struct Load(Rc<Cell<usize>>);

/// One request's share; it is given back when this is dropped.
pub(super) struct Share {
    load: Rc<Cell<usize>>,
    size: usize,
}

impl Load {
    /// Whether there is room for so much more.
    pub fn has_room(&self, size: usize, limit: usize) -> bool {
        self.0.get().saturating_add(size) <= limit
    }

    /// Takes a share.
    pub fn take(&self, size: usize) -> Share {
        self.0.set(self.0.get().saturating_add(size));
        Share { load: self.0.clone(), size }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.load.set(self.load.get().saturating_sub(self.size));
    }
}
