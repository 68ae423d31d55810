// A promise; events on the window.
stub.install({ input: "text", schemas: "text", toolSignal: false, events: "window" });
