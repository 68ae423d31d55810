// The version of the package; a test keeps it equal to that of the crate and of package.json.

export const version = "0.1.0";
