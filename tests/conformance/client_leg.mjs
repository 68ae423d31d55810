// The suite's client legs: it plays the server, and client.mjs is our `Client` over `HttpTransport` in Node.
// They are not run in a page, because the suite's servers let no page in (they send no CORS headers).

import { readFileSync } from "node:fs";
import { conform, revisions } from "./suite.mjs";

const expected = JSON.parse(readFileSync(new URL("client_expected_failures.json", import.meta.url), "utf8"));

export const clientLegs = revisions.map((revision) => ({
  name: `client ${revision} in Node`,
  run: () => conform("client", revision, "Node", ["--command", `${process.execPath} tests/conformance/client.mjs`], expected),
}));
