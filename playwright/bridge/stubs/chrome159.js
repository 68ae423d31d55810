// outputSchema is read.
stub.install({ outputSchema: true });
