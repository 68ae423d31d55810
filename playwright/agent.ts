// The outside agent: what a browser's own agent does, through the DevTools protocol's WebMCP
// domain and never through page script.

import type { CDPSession, Frame, Page } from "@playwright/test";

export interface SeenTool {
  name: string;
  description: string;
  inputSchema?: any;
  annotations?: Record<string, boolean>;
  frameId: string;
}

export interface Answer {
  status: "Completed" | "Canceled" | "Error";
  output: any;
  errorText: string | undefined;
  /** The description of what the tool threw. */
  exception: string | undefined;
}

type Send = (method: string, params?: object) => Promise<any>;

export class Agent {
  /** Every toolsAdded and toolsRemoved, one entry per tool, in order. */
  readonly log: { kind: "added" | "removed"; name: string }[] = [];
  #tools = new Map<string, SeenTool>();
  #answers = new Map<string, Answer>();
  #watchers = new Set<() => void>();
  #send: Send;
  #frame = "";
  /** Stops listening. */
  readonly close: () => Promise<void>;

  private constructor(session: CDPSession) {
    this.#send = session.send.bind(session) as Send;
    this.close = () => session.detach();
    const on = session.on.bind(session) as (event: string, listener: (params: any) => void) => void;
    on("WebMCP.toolsAdded", ({ tools }: { tools: SeenTool[] }) => {
      for (const tool of tools) {
        this.#tools.set(`${tool.frameId} ${tool.name}`, tool);
        this.log.push({ kind: "added", name: tool.name });
      }
      this.#wake();
    });
    on("WebMCP.toolsRemoved", ({ tools }: { tools: SeenTool[] }) => {
      for (const { frameId, name } of tools) {
        this.#tools.delete(`${frameId} ${name}`);
        this.log.push({ kind: "removed", name });
      }
      this.#wake();
    });
    on("WebMCP.toolResponded", ({ invocationId, status, output, errorText, exception }: any) => {
      this.#answers.set(invocationId, { status, output, errorText, exception: exception?.description ?? exception?.value });
      this.#wake();
    });
  }

  /** Attaches to a page that shows its document already; one of its frames can be named instead, by an address of its own. */
  static async open(page: Page, frame: Frame = page.mainFrame()): Promise<Agent> {
    const inPage = () => page.context().newCDPSession(page);
    // A frame of another origin has a process, and so a session, of its own; one of the same origin has neither.
    const session = frame === page.mainFrame() ? await inPage() : await page.context().newCDPSession(frame).catch(inPage);
    const agent = new Agent(session);
    const { frameTree } = await session.send("Page.getFrameTree");
    const all = [frameTree, ...(frameTree.childFrames ?? [])].map((one) => one.frame);
    agent.#frame = (frame === page.mainFrame() ? all[0] : all.find(({ url }) => url === frame.url()))?.id ?? "";
    await agent.#send("WebMCP.enable");
    return agent;
  }

  /** The tools of its document, by name. */
  get tools(): Map<string, SeenTool> {
    return new Map([...this.#tools.values()].filter((tool) => tool.frameId === this.#frame).map((tool) => [tool.name, tool]));
  }

  get names(): string[] {
    return [...this.tools.keys()].sort();
  }

  /** Resolves with what the condition gives once that is truthy. */
  until<T>(condition: () => T, what: string, timeout = 5_000): Promise<NonNullable<T>> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const value = condition();
        if (!value) return;
        stop();
        resolve(value as NonNullable<T>);
      };
      const stop = () => {
        clearTimeout(timer);
        this.#watchers.delete(look);
      };
      const late = () => {
        stop();
        reject(new Error(`The agent waited in vain for ${what}; it sees ${this.names.join(", ") || "no tools"}.`));
      };
      const timer = setTimeout(late, timeout);
      this.#watchers.add(look);
      look();
    });
  }

  tool(name: string): Promise<SeenTool> {
    return this.until(() => this.tools.get(name), `tool ${name}`);
  }

  gone(name: string): Promise<boolean> {
    return this.until(() => !this.tools.has(name), `tool ${name} to vanish`);
  }

  /** Begins a call; `done` resolves with how it ended. */
  async start(name: string, input: object = {}): Promise<{ id: string; done: Promise<Answer> }> {
    const { frameId } = await this.tool(name);
    const { invocationId: id } = await this.#send("WebMCP.invokeTool", { frameId, toolName: name, input });
    return { id, done: this.until(() => this.#answers.get(id), `the answer of ${name}`, 20_000) };
  }

  async call(name: string, input: object = {}): Promise<Answer> {
    return (await this.start(name, input)).done;
  }

  async cancel(id: string): Promise<void> {
    await this.#send("WebMCP.cancelInvocation", { invocationId: id });
  }

  #wake(): void {
    for (const look of [...this.#watchers]) look();
  }
}
