//! Whole numbers as text. `to_string` of a number brings along what pads, signs and aligns in std, a kilobyte of every
//! download that nothing here has a use for.

/// A number in digits of a base from 2 to 16.
pub fn digits(number: u64, base: u64) -> String {
    let mut unit = 1;
    while number / unit >= base {
        unit *= base;
    }
    let mut text = String::new();
    while unit > 0 {
        // Between 0 and 15, so there always is a digit.
        text.extend(char::from_digit((number / unit % base) as u32, 16));
        unit /= base;
    }
    text
}

/// A number as people write it.
pub fn decimal(number: u64) -> String {
    digits(number, 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn they_are_those_of_std(number: u64, shift in 0u32..64) {
            let number = number >> shift;
            prop_assert_eq!(decimal(number), number.to_string());
            prop_assert_eq!(digits(number, 16), format!("{number:x}"));
        }
    }

    #[test]
    fn the_ends_are_right() {
        for number in [0, 9, 10, 99, 100, u64::MAX] {
            assert_eq!(decimal(number), number.to_string());
        }
        assert_eq!(digits(u64::MAX, 16), "ffffffffffffffff");
    }
}
