//! A small source of repeatable chance, and the story of a case that failed.

/// Xorshift with a multiplication at the end; a seed gives the same case on every machine.
pub struct Rng {
    state: u64,
    is_told: bool,
}

impl Rng {
    /// Neighbouring seeds give unlike cases. A case that `is_told` prints what it does.
    pub fn new(seed: u64, is_told: bool) -> Self {
        let mixed = (seed ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mut rng = Rng { state: (mixed ^ (mixed >> 31)).max(1), is_told };
        rng.next();
        rng
    }

    pub fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below the bound, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 11) % bound as u64) as usize
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of the items with its place, or nothing if there are none.
    pub fn place<T>(&mut self, items: &[T]) -> Option<usize> {
        if items.is_empty() { None } else { Some(self.below(items.len())) }
    }

    /// A line of the story, made only if somebody hears it.
    pub fn tell(&self, line: impl FnOnce() -> String) {
        if self.is_told {
            println!("  {}", line());
        }
    }
}
