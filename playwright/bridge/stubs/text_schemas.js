// Schemas as text, input as an object: tools of the same document in some builds of 154.
stub.install({ schemas: "text" });
