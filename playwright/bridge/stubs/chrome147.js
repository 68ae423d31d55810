// navigator only, nothing returned, thrown at once, signal ignored, unregisterTool(name), text everywhere.
stub.install({ at: "navigator", promise: false, signal: "ignored", unregister: "name", input: "text", schemas: "text", toolSignal: false });
