//! The table of calls in flight. Both directions use it: the server for what it runs, the client
//! for what it waits for. Each entry leaves exactly once, by whichever of answer, cancel, timeout
//! or close comes first; a later one finds nothing.

use std::collections::HashMap;
use std::hash::Hash;

/// Calls in flight, by id.
#[derive(Debug)]
pub struct Calls<K, V> {
    entries: HashMap<K, V>,
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

impl<K: Hash + Eq + Clone, V> Calls<K, V> {
    /// An empty table that holds at most `capacity` calls.
    pub fn new(capacity: usize) -> Self {
        Calls { entries: HashMap::new(), capacity }
    }

    /// Enters a call.
    pub fn register(&mut self, id: K, entry: V) -> Result<(), Refused<V>> {
        if self.entries.contains_key(&id) {
            return Err(Refused::Duplicate(entry));
        }
        if self.entries.len() >= self.capacity {
            return Err(Refused::Full(entry));
        }
        self.entries.insert(id, entry);
        Ok(())
    }

    /// Takes a call out, because it was answered, cancelled or given up.
    pub fn complete(&mut self, id: &K) -> Option<V> {
        self.entries.remove(id)
    }

    /// A call that is still in flight.
    pub fn get_mut(&mut self, id: &K) -> Option<&mut V> {
        self.entries.get_mut(id)
    }

    /// Takes out every call that `leaves` says goes.
    pub fn take_if(&mut self, leaves: impl Fn(&K, &V) -> bool) -> Vec<(K, V)> {
        let ids: Vec<K> =
            self.entries.iter().filter(|(id, entry)| leaves(id, entry)).map(|(id, _)| id.clone()).collect();
        ids.into_iter().filter_map(|id| self.entries.remove(&id).map(|entry| (id, entry))).collect()
    }

    /// Takes out every call.
    pub fn drain(&mut self) -> Vec<(K, V)> {
        self.entries.drain().collect()
    }

    /// The calls in flight, in no order.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.values()
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
        Register(u8),
        Complete(u8),
        TakeBelow(u8),
        Drain,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            8 => (0u8..12).prop_map(Step::Register),
            6 => (0u8..12).prop_map(Step::Complete),
            1 => (0u8..12).prop_map(Step::TakeBelow),
            1 => Just(Step::Drain),
        ]
    }

    proptest! {
        /// Whatever the order, an entry that went in comes out once, and the table agrees with a plain map.
        #[test]
        fn each_call_leaves_exactly_once(steps in prop::collection::vec(step(), 0..200), capacity in 1usize..10) {
            let mut calls = Calls::new(capacity);
            let mut model: BTreeMap<u8, usize> = BTreeMap::new();
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
                        prop_assert_eq!(calls.register(id, serial), expected);
                    }
                    Step::Complete(id) => {
                        let expected = model.remove(&id);
                        let got = calls.complete(&id);
                        prop_assert_eq!(got, expected);
                        left.extend(got);
                    }
                    Step::TakeBelow(bound) => {
                        let taken = calls.take_if(|id, _| *id < bound);
                        for (id, serial) in taken {
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
