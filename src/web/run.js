// Running a script's tool: what it is given, and how its answer comes back with no closure per call
// unless it answers later.

const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

// What a running tool is given. Most tools look at little of it, so it is made when one does. Its
// functions may be taken out of it.
export class Context {
  #run;
  #hooks;
  #params;
  #signal;
  #controller;
  #waiting;
  #keys = 0;

  constructor(run, hooks, caller, params, signal) {
    this.#run = run;
    this.#hooks = hooks;
    this.#params = params;
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

  get log() {
    return (level, data, logger) => this.#hooks.logged(this.#run, level, logger === undefined ? { data } : { logger, data });
  }

  get elicit() {
    return (params, options) => this.#ask("elicitation/create", params, options);
  }

  get sample() {
    return (params, options) => this.#ask("sampling/createMessage", params, options);
  }

  get roots() {
    return (options) => this.#ask("roots/list", {}, options);
  }

  get meta() {
    return this.#params?._meta;
  }

  get capabilities() {
    return this.meta?.[CLIENT_CAPABILITIES] ?? this.caller?.capabilities;
  }

  get inputs() {
    return this.#params?.inputResponses;
  }

  get state() {
    return this.#params?.requestState;
  }

  // Asks when the tool has returned its promise, as before that nobody could find it to answer.
  #ask(method, params, { key = String(++this.#keys) } = {}) {
    return new Promise((resolve, reject) => {
      this.#waiting ??= new Map();
      if (this.#waiting.has(key)) throw new TypeError(`Something is asked under the key "${key}" already.`);
      this.#waiting.set(key, { resolve, reject });
      queueMicrotask(() => {
        const refusal = this.#hooks.asked(this.#run, key, method, params);
        if (refusal) Context.reply(this, key, false, refusal);
      });
    });
  }

  // From now on it is this run's.
  static bind(context, run, hooks) {
    context.#run = run;
    context.#hooks = hooks;
  }

  static reply(context, key, wentWell, value) {
    const waiting = context.#waiting?.get(key);
    context.#waiting?.delete(key);
    if (wentWell) waiting?.resolve(value);
    else waiting?.reject(value);
  }

  static abort(context, reason) {
    // Reading it makes a signal that did not exist, so that a look after the fact sees the abort.
    void context.signal;
    context.#controller?.abort(reason);
    for (const key of [...(context.#waiting?.keys() ?? [])]) Context.reply(context, key, false, reason);
  }
}

export const abortContext = (context, text) => Context.abort(context, new DOMException(text, "AbortError"));

export const reply = Context.reply;

// Who calls, as a tool sees it; what it declared is the context's to tell.
export const caller = (via, client, capabilities) => Object.defineProperty(client ? { via, client } : { via }, "capabilities", { value: capabilities });

export const newHooks = (returned, threw, progressed, asked, logged) => ({ returned, threw, progressed, asked, logged });

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

// Runs a tool: 0 if it returned, 1 if it threw, and that is the outcome; 2 if it answers later, and the
// outcome is its promise.
export const attempt = (tool, args, context) => {
  depth += 1;
  try {
    if (depth > DEEPEST) throw new RangeError(`More than ${DEEPEST} tools are running within each other.`);
    outcome = guard(tool, args, context);
    return typeof outcome !== "object" || outcome === null || typeof outcome.then !== "function" ? 0 : 2;
  } catch (thrown) {
    outcome = thrown;
    return 1;
  } finally {
    depth -= 1;
  }
};

// Runs that were begun before the core heard of them, by the parameters of their requests: see quick.js.
const begun = new WeakMap();

export const adopt = (params, run) => void begun.set(params, run);

// The tool of such a run, which may have gone from the server by now.
export const begunTool = (params) => begun.get(params)?.known.tool;

// Runs a tool likewise, but one that answers later does so by the hooks, and the outcome is the context it was
// given.
export const invoke = (tool, args, run, hooks, caller, params, signal) => {
  const earlier = params && begun.get(params);
  if (earlier) {
    begun.delete(params);
    const [status, value] = earlier.take(run);
    outcome = value;
    return status;
  }
  const context = new Context(run, hooks, caller, params, signal);
  const status = attempt(tool, args, context);
  if (status < 2) return status;
  Promise.resolve(outcome).then(
    (settled) => hooks.returned(run, settled),
    (thrown) => hooks.threw(run, thrown),
  );
  outcome = context;
  return 2;
};
