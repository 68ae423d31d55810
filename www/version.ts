// The version of the package; a test keeps it equal to that of the crate and of package.json.

/** The version of this package. */
export const version = "0.1.0";
