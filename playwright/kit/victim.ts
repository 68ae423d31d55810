// The script of those that are killed in the chaos tests: it runs in workers and in frames, plays its
// part up to the point it is told, and ends itself if it is told so.

import * as library from "../../dist/index.js";
import type { ProtocolVersion } from "../../dist/index.js";
import { drive, serverOf, type Point } from "./points.ts";

/** What a victim is told. */
export interface Order {
  role?: "server" | "client";
  point?: Point;
  protocol?: ProtocolVersion;
  /** It has the port and says nothing, or does not listen at all. */
  holds?: boolean;
  /** Whom a client says hello to, where that is a window. */
  origin?: string;
  die?: "self.close()" | "raw port.close()" | "goodbye" | "freeze";
}

const isWorker = !("document" in globalThis);
const scope = self as unknown as Worker;
const say = (said: string) => {
  if (isWorker) scope.postMessage({ said });
  // A statement: of a tail call WebKit does not know whose script it is, and names another source.
  else parent.postMessage({ said }, "*");
};

let held: MessagePort | undefined;
let leave = () => {};

addEventListener("message", async ({ data, ports }: MessageEvent<Order & { modelport?: string }>) => {
  if (data.modelport === "hello") return say("hello");
  const { role, point, protocol, holds, origin, die } = data;
  if (die === "self.close()") return self.close();
  if (die === "raw port.close()") return held!.close();
  if (die === "goodbye") return leave();
  // Without an endless loop, which would take the time of those that are judged.
  if (die === "freeze") Atomics.wait(new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer), 0, 0);
  if (!role) return;
  held = ports[0];
  if (holds) return say("handed");
  const transport = () => new library.MessagePortTransport(held!);
  if (role === "server") {
    const session = await serverOf(library, say).connect(transport());
    leave = () => session.close();
    say("handed");
  } else if (point === "hello sent") {
    const options = { timeout: 60_000, client: { protocol: protocol! } };
    void (isWorker ? library.connectToWorker(scope, options) : library.connectToParent({ origins: [origin!], ...options })).catch(() => {});
  } else {
    const { client } = drive(library, point!, protocol!, say, transport);
    leave = () => void client.close();
  }
});

void library.ready("/dist/modelport.wasm").then(() => say("here"));
