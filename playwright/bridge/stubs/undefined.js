// A property of the document's own that holds undefined, and a registry on navigator.
stub.install({ at: "undefined", promise: false, input: "text", schemas: "text", toolSignal: false });
