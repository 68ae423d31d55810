//! Every count and duration in one place, each with its default and the answer a peer gets.

/// Bounds on what a peer can make us hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Calls one peer may have running at once; one more is answered `internal-error`. Default 4,096.
    pub calls_in_flight: usize,
    /// Pages a client follows of one list; one more is `invalid-response`. Default 1,000.
    pub list_pages: usize,
    /// Entries a client takes of one list; the rest is `invalid-response`. Default 100,000.
    pub list_entries: usize,
    /// Milliseconds a client waits for an answer before `timeout`; 0 waits for ever. Default 60,000.
    pub request_timeout: f64,
    /// Milliseconds a client waits for the answer to its probe before it tries the handshake. Default 2,000.
    pub probe_timeout: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            calls_in_flight: 4_096,
            list_pages: 1_000,
            list_entries: 100_000,
            request_timeout: 60_000.0,
            probe_timeout: 2_000.0,
        }
    }
}
