//! The seats of a small hall, with no page in sight.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

pub const ROWS: [char; 5] = ['A', 'B', 'C', 'D', 'E'];
pub const SEATS: u32 = 8;

pub struct Hall {
    taken: RefCell<BTreeSet<String>>,
    picked: RefCell<BTreeSet<String>>,
    notice: RefCell<String>,
    version: Cell<u32>,
    changed: Box<dyn Fn()>,
}

/// There is but one of each hall.
impl PartialEq for Hall {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Hall {
    pub fn new(changed: impl Fn() + 'static) -> Self {
        let taken = ["A3", "A4", "B7", "C1", "C2", "D5"].map(str::to_owned);
        Hall {
            taken: RefCell::new(taken.into()),
            picked: RefCell::default(),
            notice: RefCell::default(),
            version: Cell::new(0),
            changed: Box::new(changed),
        }
    }

    /// Rises with every change.
    pub fn version(&self) -> u32 {
        self.version.get()
    }

    pub fn notice(&self) -> String {
        self.notice.borrow().clone()
    }

    pub fn picked(&self) -> Vec<String> {
        self.picked.borrow().iter().cloned().collect()
    }

    pub fn is_taken(&self, seat: &str) -> bool {
        self.taken.borrow().contains(seat)
    }

    pub fn is_picked(&self, seat: &str) -> bool {
        self.picked.borrow().contains(seat)
    }

    /// So many free seats beside each other, the nearest to the stage.
    pub fn find(&self, count: u32) -> Option<Vec<String>> {
        let is_free = |seat: &String| !self.is_taken(seat) && !self.is_picked(seat);
        let mut blocks = ROWS.iter().flat_map(|row| {
            (1..=SEATS.saturating_sub(count) + 1)
                .map(move |first| (first..first + count).map(|seat| format!("{row}{seat}")).collect::<Vec<_>>())
        });
        blocks.find(|block| block.iter().all(is_free)).filter(|_| (1..=SEATS).contains(&count))
    }

    /// Picks all of these seats, or none.
    pub fn pick(&self, seats: &[String]) -> Result<(), String> {
        for seat in seats {
            if !exists(seat) {
                return Err(format!("There is no seat {seat}."));
            }
            if self.is_taken(seat) {
                return Err(format!("Seat {seat} is taken."));
            }
        }
        self.picked.borrow_mut().extend(seats.iter().cloned());
        self.change(String::new());
        Ok(())
    }

    pub fn release(&self, seats: &[String]) {
        self.picked.borrow_mut().retain(|seat| !seats.contains(seat));
        self.change(String::new());
    }

    /// Books what is picked.
    pub fn book(&self, name: &str) -> Result<Vec<String>, &'static str> {
        let name = name.trim();
        if name.is_empty() {
            return Err("Somebody has to be named.");
        }
        let seats = self.picked();
        if seats.is_empty() {
            return Err("No seat is picked.");
        }
        self.picked.borrow_mut().clear();
        self.taken.borrow_mut().extend(seats.iter().cloned());
        self.change(format!("{} for {name}.", seats.join(", ")));
        Ok(seats)
    }

    fn change(&self, notice: String) {
        self.notice.replace(notice);
        self.version.set(self.version.get() + 1);
        (self.changed)();
    }
}

fn exists(seat: &str) -> bool {
    ROWS.iter()
        .any(|row| seat.strip_prefix(*row).is_some_and(|number| (1..=SEATS).any(|one| one.to_string() == number)))
}
