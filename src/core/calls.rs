//! The table of calls in flight. Both directions use it: the server for what it runs, the client
//! for what it waits for. Each entry leaves exactly once, by whichever of answer, cancel, timeout
//! or close comes first; a later one finds nothing.

use super::message::Id;
use super::slots::Slots;

/// Calls in flight, by id.
pub struct Calls<V> {
    entries: Slots<V>,
    capacity: usize,
}

/// Why a call was not entered; the entry comes back.
#[derive(Debug, PartialEq)]
pub enum Refused<V> {
    /// A call under this id is already in flight.
    Duplicate(V),
    /// The table is full.
    Full(V),
}

impl<V> Calls<V> {
    /// An empty table that holds at most `capacity` calls.
    pub fn new(capacity: usize) -> Self {
        Calls { entries: Slots::default(), capacity }
    }

    /// Enters a call.
    pub fn register(&mut self, id: Id, entry: V) -> Result<(), Refused<V>> {
        if self.entries.get(&id).is_some() {
            return Err(Refused::Duplicate(entry));
        }
        if self.entries.len() >= self.capacity {
            return Err(Refused::Full(entry));
        }
        self.entries.insert(id, entry);
        Ok(())
    }

    /// Takes a call out, because it was answered, cancelled or given up.
    pub fn complete(&mut self, id: &Id) -> Option<V> {
        self.entries.remove(id)
    }

    /// A call that is still in flight.
    pub fn get(&self, id: &Id) -> Option<&V> {
        self.entries.get(id)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, id: &Id) -> Option<&mut V> {
        self.entries.get_mut(id)
    }

    /// Takes out every call that `leaves` says goes.
    pub fn take_if(&mut self, leaves: impl Fn(&Id, &V) -> bool) -> Vec<(Id, V)> {
        self.entries.take_if(&leaves)
    }

    /// Takes out every call.
    pub fn drain(&mut self) -> Vec<(Id, V)> {
        self.entries.drain()
    }

    /// The calls in flight, in no order.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, entry)| entry)
    }

    /// How many are in flight.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[derive(Clone, Debug)]
    enum Step {
        Register(i64),
        Complete(i64),
        TakeBelow(i64),
        Drain,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            8 => (0i64..12).prop_map(Step::Register),
            6 => (0i64..12).prop_map(Step::Complete),
            1 => (0i64..12).prop_map(Step::TakeBelow),
            1 => Just(Step::Drain),
        ]
    }

    proptest! {
        /// Whatever the order, an entry that went in comes out once, and the table agrees with a plain map.
        #[test]
        fn each_call_leaves_exactly_once(steps in prop::collection::vec(step(), 0..200), capacity in 1usize..10) {
            let mut calls = Calls::new(capacity);
            let mut model: BTreeMap<i64, usize> = BTreeMap::new();
            let mut left: Vec<usize> = Vec::new();
            let mut entered = 0;
            for (serial, step) in steps.into_iter().enumerate() {
                match step {
                    Step::Register(id) => {
                        let expected = if model.contains_key(&id) {
                            Err(Refused::Duplicate(serial))
                        } else if model.len() >= capacity {
                            Err(Refused::Full(serial))
                        } else {
                            model.insert(id, serial);
                            entered += 1;
                            Ok(())
                        };
                        prop_assert_eq!(calls.register(Id::Number(id), serial), expected);
                    }
                    Step::Complete(id) => {
                        let expected = model.remove(&id);
                        let got = calls.complete(&Id::Number(id));
                        prop_assert_eq!(got, expected);
                        left.extend(got);
                    }
                    Step::TakeBelow(bound) => {
                        let taken = calls.take_if(|id, _| *id < Id::Number(bound));
                        for (id, serial) in taken {
                            let Id::Number(id) = id else { panic!("only numbers went in") };
                            prop_assert_eq!(model.remove(&id), Some(serial));
                            left.push(serial);
                        }
                        prop_assert!(model.keys().all(|id| *id >= bound));
                    }
                    Step::Drain => {
                        left.extend(calls.drain().into_iter().map(|(_, serial)| serial));
                        model.clear();
                    }
                }
                prop_assert_eq!(calls.len(), model.len());
            }
            left.extend(calls.drain().into_iter().map(|(_, serial)| serial));
            left.sort_unstable();
            left.dedup();
            prop_assert_eq!(left.len(), entered);
        }
    }
}
