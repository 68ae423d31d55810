//! What a state machine of the core is to whoever drives it.

/// Takes one input at a time and says what is to be done about it.
pub trait Machine {
    /// What can happen to it.
    type Input;
    /// What it asks of its driver.
    type Effect;

    /// Takes an input; what follows from it is added to `effects`, to be done in this order.
    fn step(&mut self, input: Self::Input, effects: &mut Vec<Self::Effect>);
}
