//! Values under ids and names. The crate has this one kind of hash map: every further kind would
//! cost each page that loads the wasm about a kilobyte.

use super::message::Id;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// FNV-1a: small, and quick on the short keys that ids and names are.
#[derive(Default)]
pub struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// From ids to places in a vector.
pub type Index = HashMap<Id, u32, BuildHasherDefault<Fnv>>;

/// Values by id, in no order. `Slots<()>` is a set.
#[derive(Debug)]
pub struct Slots<V> {
    index: Index,
    slots: Vec<Option<(Id, V)>>,
    free: Vec<u32>,
}

impl<V> Default for Slots<V> {
    fn default() -> Self {
        Slots { index: Index::default(), slots: Vec::new(), free: Vec::new() }
    }
}

impl<V> Slots<V> {
    /// Puts a value under an id; gives back what was there.
    pub fn insert(&mut self, id: Id, value: V) -> Option<V> {
        let before = self.remove(&id);
        let entry = Some((id.clone(), value));
        let place = match self.free.pop() {
            Some(place) => place,
            None => {
                self.slots.push(None);
                self.slots.len() as u32 - 1
            }
        };
        if let Some(slot) = self.slots.get_mut(place as usize) {
            *slot = entry;
            self.index.insert(id, place);
        }
        before
    }

    /// Takes the value under an id.
    pub fn remove(&mut self, id: &Id) -> Option<V> {
        let place = self.index.remove(id)?;
        let (_, value) = self.slots.get_mut(place as usize)?.take()?;
        self.free.push(place);
        Some(value)
    }

    /// The value under an id.
    pub fn get(&self, id: &Id) -> Option<&V> {
        self.slots.get(*self.index.get(id)? as usize)?.as_ref().map(|(_, value)| value)
    }

    /// The value under an id, to be changed.
    pub fn get_mut(&mut self, id: &Id) -> Option<&mut V> {
        self.slots.get_mut(*self.index.get(id)? as usize)?.as_mut().map(|(_, value)| value)
    }

    /// Whether there is a value under an id.
    pub fn contains(&self, id: &Id) -> bool {
        self.index.contains_key(id)
    }

    /// Everything, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&Id, &V)> {
        self.slots.iter().flatten().map(|(id, value)| (id, value))
    }

    /// Takes everything out.
    pub fn drain(&mut self) -> Vec<(Id, V)> {
        self.index.clear();
        self.free.clear();
        std::mem::take(&mut self.slots).into_iter().flatten().collect()
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_used_again() {
        let mut slots = Slots::default();
        for round in 0..100 {
            assert_eq!(slots.insert(Id::Number(round), round), None);
            assert_eq!(slots.insert(Id::String("a".into()), round), (round > 0).then(|| round - 1));
            assert_eq!(slots.remove(&Id::Number(round)), Some(round));
        }
        assert_eq!((slots.len(), slots.slots.len()), (1, 2));
        assert_eq!(slots.drain(), [(Id::String("a".into()), 99)]);
        assert!(slots.is_empty());
    }
}
