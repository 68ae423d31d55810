//! placeholder text
