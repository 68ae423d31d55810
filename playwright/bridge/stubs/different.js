// Two registries, one on each object.
stub.install({ at: "different", input: "text", schemas: "text", toolSignal: false });
