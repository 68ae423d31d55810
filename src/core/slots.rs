//! Values under ids and names. The crate has this one hash table, and the part of it that depends
//! on the values is small: each further kind of `HashMap` would cost every page that loads the wasm
//! about a kilobyte.

use super::message::Id;

/// Which ids there are, each at a place that is its own as long as it stays. Places of ids that left are used again.
#[derive(Debug, Default)]
pub struct Index {
    ids: Vec<Option<Id>>,
    free: Vec<usize>,
    /// Places by hash, one more than they are; 0 is empty. Collisions go to the next bucket that is empty.
    buckets: Vec<usize>,
}

impl Index {
    /// The place of an id.
    pub fn find(&self, id: &Id) -> Option<usize> {
        self.buckets.get(self.bucket(id)?).and_then(|place| place.checked_sub(1))
    }

    /// Whether the id is there.
    pub fn contains(&self, id: &Id) -> bool {
        self.find(id).is_some()
    }

    /// Enters an id; whether it is new.
    pub fn insert(&mut self, id: Id) -> bool {
        let before = self.len();
        self.place(id);
        self.len() > before
    }

    /// The place of an id; one that has none gets one.
    pub fn place(&mut self, id: Id) -> usize {
        let mut bucket = self.bucket(&id);
        let taken = bucket.and_then(|bucket| self.buckets.get(bucket)).and_then(|place| place.checked_sub(1));
        if let Some(place) = taken {
            return place;
        }
        // At least every other bucket is empty, so that a search ends soon.
        if self.buckets.len() < 2 * (self.ids.len() + 1) {
            self.buckets = vec![0; 4 * (self.ids.len() + 1).next_power_of_two()];
            for place in 0..self.ids.len() {
                self.fill(place);
            }
            bucket = self.bucket(&id);
        }
        let place = self.free.pop().unwrap_or(self.ids.len());
        match self.ids.get_mut(place) {
            Some(slot) => *slot = Some(id),
            None => self.ids.push(Some(id)),
        }
        if let Some(bucket) = bucket.and_then(|bucket| self.buckets.get_mut(bucket)) {
            *bucket = place + 1;
        }
        place
    }

    /// Takes an id out; gives the place it had.
    pub fn remove(&mut self, id: &Id) -> Option<usize> {
        let mut bucket = self.bucket(id)?;
        let place = std::mem::take(self.buckets.get_mut(bucket)?).checked_sub(1)?;
        *self.ids.get_mut(place)? = None;
        self.free.push(place);
        // What went past this bucket on its way goes through again.
        loop {
            bucket = (bucket + 1) & (self.buckets.len() - 1);
            match std::mem::take(self.buckets.get_mut(bucket)?) {
                0 => return Some(place),
                moved => self.fill(moved - 1),
            }
        }
    }

    /// Every id and its place, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Id)> {
        self.ids.iter().enumerate().filter_map(|(place, id)| Some((place, id.as_ref()?)))
    }

    /// A copy of every id.
    pub fn to_vec(&self) -> Vec<Id> {
        let mut ids = Vec::new();
        for (_, id) in self.iter() {
            ids.push(id.clone());
        }
        ids
    }

    /// How many ids there are.
    pub fn len(&self) -> usize {
        self.ids.len() - self.free.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bucket that holds the id, or the empty one it would go to; `None` as long as there are no buckets.
    fn bucket(&self, id: &Id) -> Option<usize> {
        let last = self.buckets.len().checked_sub(1)?;
        let mut bucket = hash(id) as usize & last;
        loop {
            let place = *self.buckets.get(bucket)?;
            if place == 0 || self.ids.get(place - 1)?.as_ref() == Some(id) {
                return Some(bucket);
            }
            bucket = (bucket + 1) & last;
        }
    }

    /// Enters a place whose id is in no bucket.
    fn fill(&mut self, place: usize) {
        let bucket = self.ids.get(place).and_then(|id| self.bucket(id.as_ref()?));
        if let Some(bucket) = bucket.and_then(|bucket| self.buckets.get_mut(bucket)) {
            *bucket = place + 1;
        }
    }
}

/// Takes eight bytes at a time: before a browser has optimised a page's wasm, every step of a loop is dear.
fn hash(id: &Id) -> u64 {
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = match id {
        Id::Number(number) => mix(1, *number as u64),
        Id::String(text) => {
            let (words, rest) = text.as_bytes().as_chunks::<8>();
            let hash = words.iter().fold(2, |hash, word| mix(hash, u64::from_le_bytes(*word)));
            rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)))
        }
    };
    hash ^ (hash >> 32)
}

/// Values by id, in no order. Where there is nothing to keep but the ids, take an [`Index`].
#[derive(Debug)]
pub struct Slots<V> {
    index: Index,
    values: Vec<Option<V>>,
}

impl<V> Default for Slots<V> {
    fn default() -> Self {
        Slots { index: Index::default(), values: Vec::new() }
    }
}

impl<V> Slots<V> {
    /// Puts a value under an id; gives back what was there.
    pub fn insert(&mut self, id: Id, value: V) -> Option<V> {
        let place = self.index.place(id);
        if place == self.values.len() {
            self.values.push(None);
        }
        self.values.get_mut(place)?.replace(value)
    }

    /// Takes the value under an id.
    pub fn remove(&mut self, id: &Id) -> Option<V> {
        self.values.get_mut(self.index.remove(id)?)?.take()
    }

    /// The value under an id.
    pub fn get(&self, id: &Id) -> Option<&V> {
        self.values.get(self.index.find(id)?)?.as_ref()
    }

    /// The value under an id, to be changed.
    pub fn get_mut(&mut self, id: &Id) -> Option<&mut V> {
        self.values.get_mut(self.index.find(id)?)?.as_mut()
    }

    /// Whether there is a value under an id.
    pub fn contains(&self, id: &Id) -> bool {
        self.index.contains(id)
    }

    /// The ids that have a value.
    pub fn ids(&self) -> &Index {
        &self.index
    }

    /// Everything, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&Id, &V)> {
        self.index.iter().filter_map(|(place, id)| Some((id, self.values.get(place)?.as_ref()?)))
    }

    /// Takes everything out.
    pub fn drain(&mut self) -> Vec<(Id, V)> {
        self.take_if(&|_, _| true)
    }

    /// Takes out everything that `leaves` says goes.
    pub fn take_if(&mut self, leaves: &dyn Fn(&Id, &V) -> bool) -> Vec<(Id, V)> {
        let mut taken = Vec::new();
        for id in self.index.to_vec() {
            if self.get(&id).is_some_and(|value| leaves(&id, value))
                && let Some(value) = self.remove(&id)
            {
                taken.push((id, value));
            }
        }
        taken
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
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn places_are_used_again() {
        let mut slots = Slots::default();
        for round in 0..100 {
            assert_eq!(slots.insert(Id::Number(round), round), None);
            assert_eq!(slots.insert(Id::String("a".into()), round), (round > 0).then(|| round - 1));
            assert_eq!(slots.remove(&Id::Number(round)), Some(round));
        }
        assert_eq!((slots.len(), slots.values.len()), (1, 2));
        assert_eq!(slots.drain(), [(Id::String("a".into()), 99)]);
        assert!(slots.is_empty());
    }

    proptest! {
        /// Many ids in few buckets, as names and as numbers: the table agrees with a plain map.
        #[test]
        fn it_is_a_map(steps in prop::collection::vec((any::<bool>(), any::<bool>(), 0u32..40), 0..400)) {
            let (mut slots, mut model) = (Slots::default(), HashMap::new());
            for (serial, (enters, is_name, number)) in steps.into_iter().enumerate() {
                let id = if is_name { Id::from(number.to_string().as_str()) } else { Id::from(number) };
                prop_assert_eq!(slots.get(&id), model.get(&id));
                if enters {
                    prop_assert_eq!(slots.insert(id.clone(), serial), model.insert(id.clone(), serial));
                } else {
                    prop_assert_eq!(slots.remove(&id), model.remove(&id));
                }
                prop_assert_eq!((slots.len(), slots.contains(&id)), (model.len(), enters));
                prop_assert!(slots.iter().all(|(id, serial)| model.get(id) == Some(serial)));
            }
            prop_assert_eq!(slots.drain().into_iter().collect::<HashMap<_, _>>(), model);
        }
    }
}
