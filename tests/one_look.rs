//! One look at a frame, in JavaScript, vouches for the limits by default, and the core believes it: both
//! have to mean the same limits.

use modelport::core::limits::Limits;

#[test]
fn one_look_holds_frames_to_the_limits_by_default() {
    let limits = Limits::default();
    let source = include_str!("../src/web/link.js");
    for (name, limit) in [
        ("DEPTH", limits.depth),
        ("VALUES", limits.values),
        ("META_DEPTH", limits.meta_depth),
        ("META_VALUES", limits.meta_values),
        ("META_LENGTH", limits.meta_length),
    ] {
        let value = source.lines().find_map(|line| line.strip_prefix(&format!("const {name} = "))?.strip_suffix(';'));
        let value = value.map(|value| value.replace('_', ""));
        assert_eq!(value, Some(limit.to_string()), "{name} in src/web/link.js");
    }
}
