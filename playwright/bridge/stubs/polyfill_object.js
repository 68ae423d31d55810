// A polyfill that takes objects and passes a tool's own errors on.
stub.install({ ownErrors: true });
