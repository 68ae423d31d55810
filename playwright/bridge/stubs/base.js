// A registry in pure script that takes the shape of any Chrome from 147 to 160, for browsers that
// have none. `stub.install(shape)` puts it in its place; `stub.runs` counts what ran.

globalThis.stub = (() => {
  const failed = "Tool was executed but the invocation failed. For example, the script function threw an error";
  const runs = {};

  const text = (value) => {
    if (typeof value === "symbol") throw new TypeError("a symbol would have killed the renderer");
    if (value === "") return "Operation succeeded";
    return typeof value === "object" || typeof value === "function" ? String(JSON.stringify(value)) : String(value);
  };

  /** From Chrome 160 on: accessors on a prototype, nothing of its own, known by identity. */
  class Tool {
    #of;
    constructor(of) { this.#of = of; }
    static id = (tool) => (#of in tool ? tool.#of.id : undefined);
    get name() { return this.#of.name; }
    get title() { return this.#of.title; }
    get description() { return this.#of.description; }
    get inputSchema() { return this.#of.inputSchema ?? null; }
    get outputSchema() { return this.#of.outputSchema ?? null; }
    get annotations() { return this.#of.annotations ?? null; }
    get origin() { return this.#of.origin; }
    get source() { return this.#of.window; }
  }

  class Registry extends EventTarget {
    #tools = new Map();
    #next = 1;

    constructor(shape) {
      super();
      this.shape = shape;
      if (!shape.unregister) return;
      this.unregisterTool = (handle) => {
        const name = shape.unregister === "object" ? handle.name : handle;
        if (typeof name !== "string") throw new TypeError("Failed to execute 'unregisterTool' on 'ModelContext'");
        if (!this.#tools.delete(name)) throw new DOMException("No such tool", "InvalidStateError");
        this.#changed();
      };
    }

    registerTool(tool, { signal } = {}) {
      const { promise } = this.shape;
      try {
        this.#check(tool);
        if (signal?.aborted) {
          if (promise) throw signal.reason;
          return undefined;
        }
      } catch (thrown) {
        if (promise) return Promise.reject(thrown);
        throw thrown;
      }
      const { name, title = "", description, inputSchema, outputSchema, annotations, execute } = tool;
      const entry = { id: this.#next++, name, title, description, execute, inputSchema: inputSchema && JSON.stringify(inputSchema) };
      if (this.shape.outputSchema) entry.outputSchema = outputSchema && JSON.stringify(outputSchema);
      if (annotations) {
        const { readOnlyHint = false, untrustedContentHint = false, consequentialHint = false, debugging = false } = annotations;
        entry.annotations = { readOnlyHint, untrustedContentHint, consequentialHint, debugging };
      }
      this.#tools.set(name, entry);
      this.#changed();
      if (this.shape.signal !== "ignored") {
        signal?.addEventListener("abort", () => {
          if (this.#tools.get(name) === entry) this.#tools.delete(name);
          this.#changed();
        });
      }
      return promise ? new Promise((resolve) => setTimeout(resolve)) : undefined;
    }

    async getTools() {
      return [...this.#tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map((entry) => this.#record(entry));
    }

    async executeTool(record, input, { signal } = {}) {
      const parsed = this.#parse(input);
      if (signal?.aborted) throw signal.reason;
      const entry = this.#find(record);
      if (!entry) throw new DOMException("Tool not found: " + record.name, "UnknownError");
      const own = new AbortController();
      const cancelled = new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          reject(signal.reason);
          own.abort();
          this.#tell("toolcancel", entry.name);
        });
      });
      const run = async () => {
        runs[entry.name] = (runs[entry.name] ?? 0) + 1;
        try {
          const answer = this.shape.toolSignal ? entry.execute(parsed, { signal: own.signal }) : entry.execute(parsed, {});
          this.#tell("toolactivated", entry.name);
          return text(await answer);
        } catch (thrown) {
          throw this.shape.ownErrors ? thrown : new DOMException(failed, "UnknownError");
        }
      };
      return Promise.race([cancelled, run()]);
    }

    #check({ name, description, execute } = {}) {
      if (description === undefined) throw new TypeError("Failed to read the 'description' property from 'ModelContextTool': Required member is undefined.");
      if (typeof execute !== "function") throw new TypeError("The given value is not a function.");
      if (this.#tools.has(name)) throw new DOMException("Duplicate tool name", "InvalidStateError");
      if (!/^[\w.-]{1,128}$/.test(name)) throw new DOMException("Invalid tool name", "InvalidStateError");
      if (description === "") throw new DOMException("Description is required", "InvalidStateError");
    }

    #parse(input) {
      if (this.shape.input === "object") {
        if (typeof input !== "object" || input === null) throw new TypeError("Failed to execute 'executeTool' on 'ModelContext': invalid input object: value is not an object");
        return JSON.parse(JSON.stringify(input));
      }
      if (this.shape.input === "either" && typeof input === "object") return input;
      try {
        return JSON.parse(input);
      } catch {
        throw new DOMException("Failed to parse input arguments", "UnknownError");
      }
    }

    #record(entry) {
      const { name, title, description, annotations } = entry;
      const schema = (text) => text && (this.shape.schemas === "text" ? text : JSON.parse(text));
      const record = { name, title, description, origin: location.origin, window };
      if (entry.inputSchema) record.inputSchema = schema(entry.inputSchema);
      else if (this.shape.schemas === "text") record.inputSchema = "";
      if (entry.outputSchema) record.outputSchema = schema(entry.outputSchema);
      if (annotations) record.annotations = { ...annotations };
      return this.shape.records === "interface" ? new Tool({ ...record, id: entry.id }) : record;
    }

    #find(record) {
      if (this.shape.records !== "interface") return this.#tools.get(record.name);
      if (!(record instanceof Tool)) throw new TypeError("The provided value is not of type 'Tool'.");
      return [...this.#tools.values()].find(({ id }) => id === Tool.id(record));
    }

    #tell(type, toolName) {
      const event = () => Object.assign(new Event(type), { toolName });
      queueMicrotask(() => {
        if (this.shape.events !== "window") this.dispatchEvent(event());
        if (this.shape.events !== "registry") window.dispatchEvent(event());
      });
    }

    #changed() {
      setTimeout(() => this.dispatchEvent(new Event("toolchange")));
    }
  }

  const on = (target, value) => Object.defineProperty(target, "modelContext", { configurable: true, get: () => value() });
  const touched = { navigator: 0 };

  const install = (given) => {
    const shape = { promise: true, signal: "obeyed", input: "object", schemas: "object", records: "plain", toolSignal: true, events: "registry", at: "document", ...given };
    const registry = new Registry(shape);
    Object.assign(stub, { registry, shape });
    if (shape.at !== "document") {
      on(Navigator.prototype, () => {
        touched.navigator += 1;
        return shape.at === "different" ? (stub.other ??= new Registry(shape)) : registry;
      });
    }
    if (shape.at === "undefined") Object.defineProperty(document, "modelContext", { configurable: true, value: undefined });
    else if (shape.at !== "navigator") on(Document.prototype, () => registry);
  };

  return { install, runs, touched };
})();
