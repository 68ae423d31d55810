// The validator that SDK 2.x uses in browsers.

export { Validator } from "@cfworker/json-schema";
