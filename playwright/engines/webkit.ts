// WebKitGTK's MiniBrowser, driven by the dozen requests of W3C WebDriver that the tests need. Each page has
// a session, which is a browser, of its own.

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { start, type Child } from "./child.ts";
import { paneOf, type Engine, type Pane, type Tab } from "./pane.ts";

export interface Programs {
  driver: string;
  browser: string;
  /** Xvfb, which gives programs a screen. */
  screen: string;
}

const REQUEST_DEADLINE = 20_000;

/** Milliseconds that one request may wait in the page; others have to wait for it, as a session takes one at a time. */
const LOOK = 30;

/** How WebDriver writes a reference to an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
type Element = Record<typeof ELEMENT, string>;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the work, if it is given, and waits a moment for its text. */
const look = (expression?: string) => `const [id, patience, done] = arguments;
const runs = (globalThis.webdriverRuns ??= new Map());
${expression ? `runs.set(id, ${expression});` : ""}
if (!runs.has(id)) done({ gone: true });
else Promise.race([runs.get(id), new Promise((resolve) => setTimeout(resolve, patience))]).then((text) => {
  if (text !== undefined) runs.delete(id);
  done({ text });
});`;

type Call = (method: string, path: string, body?: object) => Promise<any>;

class Session {
  #call: Call;
  /** Which document the session speaks to: a window, and the frames on the way down. */
  #place: unknown[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #runs = 0;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Does one thing after the other, each in its document. */
  at<T>(place: [window: string, ...frames: Element[]], work: (call: Call) => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      if (place.length !== this.#place.length || place.some((part, depth) => part !== this.#place[depth])) {
        this.#place = [];
        const [window, ...frames] = place;
        await this.#call("POST", "/window", { handle: window });
        for (const id of [null, ...frames]) await this.#call("POST", "/frame", { id });
        this.#place = place;
      }
      return work(this.#call);
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Closes a window, after which the session is nowhere. */
  leave(window: string): Promise<unknown> {
    return this.at([window], (call) => {
      this.#place = [];
      return call("DELETE", "/window");
    });
  }

  pane(...place: [window: string, ...frames: Element[]]): Pane {
    return paneOf(async (expression) => {
      const id = ++this.#runs;
      for (let told = false; ; told = true) {
        const { text, gone } = await this.at(place, (call) => call("POST", "/execute/async", { script: told ? look() : look(expression), args: [id, LOOK] }));
        if (gone) throw new Error("the document was left before its work was done");
        if (typeof text === "string") return text;
      }
    });
  }
}

/** A screen that nobody sees; its address. */
async function openScreen(screen: Child): Promise<string> {
  const line = once(screen.stdout, "data", { signal: AbortSignal.timeout(REQUEST_DEADLINE) }).then(([number]) => `:${String(number).trim()}`);
  return Promise.race([line, once(screen.stdout, "close").then(() => Promise.reject(new Error(`Xvfb ${screen.over}`)))]);
}

export async function launch({ driver, browser, screen }: Programs): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), "modelport-webkit-"));
  const children: Child[] = [];
  const run = (...[command, args, env]: Parameters<typeof start>) => {
    const child = start(command, args, { ...process.env, ...env });
    children.unshift(child);
    return child;
  };
  // The screen last, as the browsers draw on it.
  const close = async () => {
    for (const child of children) await child.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const display = await openScreen(run(screen, ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], {}));
    const port = await freePort();
    const call = caller(port);
    const started = run(driver, [`--port=${port}`, "--host=127.0.0.1"], {
      DISPLAY: display,
      // Whatever a profile keeps.
      ...Object.fromEntries(["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].map((name) => [name, folder])),
      // Containers have neither a sandbox to give nor graphics.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      WEBKIT_DISABLE_DMABUF_RENDERER: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
    });
    const limit = performance.now() + REQUEST_DEADLINE;
    while (!(await call("GET", "/status").catch(() => undefined))) {
      if (started.over || performance.now() > limit) throw new Error(`${driver} ${started.over ?? "does not answer"}`);
      await sleep(20);
    }
    return { open: () => open(call, browser), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const caller = (port: number): Call => async (method, path, body) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(REQUEST_DEADLINE) });
  const { value } = (await response.json()) as any;
  if (!response.ok) throw new Error(`WebDriver: ${value.error}: ${value.message} (${method} ${path})`);
  return value;
};

/** Starts a browser, with one page. */
async function open(driver: Call, binary: string): Promise<Tab> {
  const options = { binary, args: ["--automation", "--javascript-can-open-windows-automatically=true"] };
  const timeouts = { script: REQUEST_DEADLINE, pageLoad: REQUEST_DEADLINE };
  const { sessionId } = await driver("POST", "/session", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options, timeouts } } });
  const ofSession: Call = (method, path, body) => driver(method, `/session/${sessionId}${path}`, body);
  const session = new Session(ofSession);
  const window: string = await ofSession("GET", "/window");
  const inPage = <T>(work: (call: Call) => Promise<T>) => session.at([window], work);
  return Object.assign(session.pane(window), {
    goto: (url: string) => inPage((call) => call("POST", "/url", { url })),
    async embed(...args: [src: string, sandbox?: string]) {
      return session.pane(window, await inPage((call) => call("POST", "/execute/sync", { script: "return kit.addFrame(...arguments)", args: args.filter((each) => each !== undefined) })));
    },
    popup: (src: string) =>
      inPage(async (call) => {
        const before: string[] = await call("GET", "/window/handles");
        await call("POST", "/execute/sync", { script: "open(arguments[0], '_blank', 'popup')", args: [src] });
        const limit = performance.now() + REQUEST_DEADLINE;
        while (performance.now() < limit) {
          const handle = ((await call("GET", "/window/handles")) as string[]).find((one) => !before.includes(one));
          if (handle) return Object.assign(session.pane(handle), { close: () => session.leave(handle) });
        }
        throw new Error("no window was opened");
      }),
    close: () => ofSession("DELETE", ""),
  });
}
