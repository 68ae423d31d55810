// The signal is obeyed from here on.
stub.install({ at: "navigator", promise: false, input: "text", schemas: "text", toolSignal: false });
