// Schemas as objects, input as text still; events on both.
stub.install({ input: "text", events: "both" });
