//! Multiples as decimals, the form in which a schema writes its numbers: 0.3 is a multiple of 0.1.

/// The largest whole number below which floats hold every whole number.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A positive float as the shortest decimal that reads back as it: `digits * 10^exponent`.
fn decimal(value: f64) -> Option<(u128, i32)> {
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.parse::<i32>().ok()? - i32::try_from(fraction.len()).ok()?;
    Some(((whole.to_owned() + fraction).parse().ok()?, exponent))
}

/// Whether a number is a multiple of a positive one.
pub fn is_multiple(value: f64, factor: f64) -> bool {
    let value = value.abs();
    if value == 0.0 {
        return true;
    }
    if value <= EXACT && factor <= EXACT && value.fract() == 0.0 && factor.fract() == 0.0 {
        return value % factor == 0.0;
    }
    let (Some((value, above)), Some((factor, below))) = (decimal(value), decimal(factor)) else { return false };
    if above >= below {
        // Both factors stay below 10^17, so that no product overflows.
        let power = (below..above).fold(1 % factor, |power, _| power * 10 % factor);
        value % factor * power % factor == 0
    } else {
        // A number of at most 17 digits is no multiple of one that ends in more zeros.
        let zeros = below.abs_diff(above);
        zeros <= 17 && value % (factor * 10_u128.pow(zeros)) == 0
    }
}

/// A number for people: nobody counts the zeros of `1e300`.
pub fn show(number: f64) -> String {
    if number.abs() < 1e21 && (number == 0.0 || number.abs() >= 1e-7) {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::is_multiple;

    #[test]
    fn decimals_are_meant_as_they_are_written() {
        for (value, factor) in [
            (0.3, 0.1),
            (-4.35, 0.01),
            (0.0075, 0.0001),
            (12_391_239_123.0, 1e-8),
            (1e308, 0.5),
            (1e300, 1e-300),
            (9.0, 4.5),
            (1e22, 1e21),
        ] {
            assert!(is_multiple(value, factor), "{value} {factor}");
        }
        for (value, factor) in [(0.35, 0.1), (0.00751, 0.0001), (1e308, 0.123456789), (1e-300, 1e300), (7.0, 4.5)] {
            assert!(!is_multiple(value, factor), "{value} {factor}");
        }
    }
}
