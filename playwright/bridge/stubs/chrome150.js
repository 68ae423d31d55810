// On document and navigator, the same object.
stub.install({ at: "both", promise: false, input: "text", schemas: "text", toolSignal: false });
