// As 147, but unregisterTool wants an object.
stub.install({ at: "navigator", promise: false, signal: "ignored", unregister: "object", input: "text", schemas: "text", toolSignal: false });
