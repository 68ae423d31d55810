// The signal is ignored and there is no unregisterTool: what is registered stays.
stub.install({ at: "navigator", promise: false, signal: "ignored", input: "text", schemas: "text", toolSignal: false });
