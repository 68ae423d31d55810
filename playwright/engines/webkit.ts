// WebKitGTK's MiniBrowser, driven by the dozen requests of W3C WebDriver that the tests need. Each page has
// a session, which is a browser, of its own.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { paneOf, type Engine, type Pane } from "./pane.ts";

export interface Programs {
  driver: string;
  browser: string;
  /** What gives a program a screen. */
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

export async function launch({ driver, browser, screen }: Programs): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), "modelport-webkit-"));
  const port = await freePort();
  // It leads a group, of which the screen and every browser are members, so that they end together.
  const child = spawn(screen, ["-a", driver, `--port=${port}`, "--host=127.0.0.1"], {
    detached: true,
    stdio: "ignore",
    env: {
      ...process.env,
      HOME: folder,
      XDG_CACHE_HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
      // Containers have neither a sandbox to give nor graphics.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      WEBKIT_DISABLE_DMABUF_RENDERER: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
    },
  });
  let failure: Error | undefined;
  child.once("error", (error) => (failure = error));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const end = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal);
    } catch {
      // It has ended by itself.
    }
  };
  const atExit = () => end("SIGKILL");
  process.on("exit", atExit);
  const close = async () => {
    end("SIGTERM");
    await Promise.race([ended, sleep(2_000)]);
    end("SIGKILL");
    process.off("exit", atExit);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(REQUEST_DEADLINE) });
    const { value } = (await response.json()) as any;
    if (!response.ok) throw new Error(`WebDriver: ${value.error}: ${value.message} (${method} ${path})`);
    return value;
  };

  const limit = performance.now() + REQUEST_DEADLINE;
  while (!(await call("GET", "/status").catch(() => undefined))) {
    if (failure || child.exitCode !== null || performance.now() > limit) {
      await close();
      throw failure ?? new Error(`${driver} did not start`);
    }
    await sleep(20);
  }
  const options = { binary: browser, args: ["--automation", "--javascript-can-open-windows-automatically=true"] };
  const start = () => call("POST", "/session", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options, timeouts: { script: REQUEST_DEADLINE, pageLoad: REQUEST_DEADLINE } } } });
  let version = "";

  return {
    get version() {
      return version;
    },
    async open() {
      const { sessionId, capabilities } = await start();
      version = capabilities.browserVersion;
      const ofSession = (method: string, path: string, body?: object) => call(method, `/session/${sessionId}${path}`, body);
      const session = new Session(ofSession);
      const window: string = await ofSession("GET", "/window");
      return Object.assign(session.pane(window), {
        goto: (url: string) => session.at([window], (call) => call("POST", "/url", { url })),
        async embed(src: string, sandbox?: string) {
          const element = await session.at([window], (call) => call("POST", "/execute/sync", { script: "return kit.addFrame(...arguments)", args: sandbox === undefined ? [src] : [src, sandbox] }));
          return session.pane(window, element);
        },
        async popup(src: string) {
          const handle = await session.at([window], async (call) => {
            const before: string[] = await call("GET", "/window/handles");
            await call("POST", "/execute/sync", { script: "open(arguments[0], '_blank', 'popup')", args: [src] });
            const limit = performance.now() + REQUEST_DEADLINE;
            for (;;) {
              const opened = ((await call("GET", "/window/handles")) as string[]).find((one) => !before.includes(one));
              if (opened || performance.now() > limit) return opened;
            }
          });
          if (!handle) throw new Error("no window was opened");
          return session.pane(handle);
        },
        close: () => ofSession("DELETE", ""),
      });
    },
    close,
  };
}
