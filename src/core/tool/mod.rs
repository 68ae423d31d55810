//! Tools: what one is, how it is shown to a peer, what its handler's outcome becomes, and the
//! registry that holds them.

mod called;
mod definition;
mod progress;
mod registry;
pub mod result;

pub use called::CallToolResult;
pub use definition::Tool;
pub use progress::Progress;
pub use registry::{Change, Changes, Registry};
