// Interface objects: accessors, source for window, null for what is absent, an identity.
stub.install({ outputSchema: true, records: "interface" });
