// A polyfill that takes both forms of input and passes a tool's own errors on.
stub.install({ input: "either", schemas: "text", ownErrors: true });
