// Running a script's tool: what it is given, and how its answer comes back with no closure per call
// unless it answers later.

// What a running tool is given. Most tools never look at the signal, so it is made when one does.
class Context {
  #run;
  #hooks;
  #signal;
  #controller;

  constructor(run, hooks, caller, signal) {
    this.#run = run;
    this.#hooks = hooks;
    this.#signal = signal;
    this.caller = caller;
  }

  get signal() {
    if (!this.#signal) {
      this.#controller = new AbortController();
      this.#signal = this.#controller.signal;
    }
    return this.#signal;
  }

  get progress() {
    return (step) => this.#hooks.progressed(this.#run, step);
  }

  static abort(context, reason) {
    // Reading it makes a signal that did not exist, so that a look after the fact sees the abort.
    void context.signal;
    context.#controller?.abort(reason);
  }
}

export const abortContext = (context, text) => Context.abort(context, new DOMException(text, "AbortError"));

export const newHooks = (returned, threw, progressed) => ({ returned, threw, progressed });

// What the last call of `invoke` came to, until it is taken.
let outcome;

export const takeOutcome = () => {
  const taken = outcome;
  outcome = undefined;
  return taken;
};

// How deep tools may run within each other. A stack that ended within the wasm instead would leave
// half done what it was at.
const DEEPEST = 100;
let depth = 0;

// Who runs tools in place of their `execute`, once there is somebody: what checks arguments and results.
let guard = (tool, args, context) => tool.execute(args, context);

export const setGuard = (own) => void (guard = own);

// Runs a tool: 0 if it returned, 1 if it threw, and that is the outcome; 2 if it answers later, by
// the hooks, and the outcome is the context it was given.
export const invoke = (tool, args, run, hooks, caller, signal) => {
  const context = new Context(run, hooks, caller, signal);
  depth += 1;
  try {
    if (depth > DEEPEST) throw new RangeError(`More than ${DEEPEST} tools are running within each other.`);
    const value = guard(tool, args, context);
    outcome = value;
    if (typeof value !== "object" || value === null || typeof value.then !== "function") return 0;
    Promise.resolve(value).then(
      (settled) => hooks.returned(run, settled),
      (thrown) => hooks.threw(run, thrown),
    );
    outcome = context;
    return 2;
  } catch (thrown) {
    outcome = thrown;
    return 1;
  } finally {
    depth -= 1;
  }
};
