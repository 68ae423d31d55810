// Input as an object; events on both.
stub.install({ events: "both" });
