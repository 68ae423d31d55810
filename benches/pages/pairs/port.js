// A MessagePort as a transport of the official SDKs, which have none of their own for it: the smallest that works, as
// clones or as JSON text.

export class Port {
  constructor(port, form = "clone") {
    this.port = port;
    this.isText = form === "text";
  }
  async start() {
    this.port.onmessage = ({ data }) => this.onmessage?.(this.isText ? JSON.parse(data) : data);
  }
  async send(message) {
    this.port.postMessage(this.isText ? JSON.stringify(message) : message);
  }
  async close() {
    this.port.close();
    this.onclose?.();
  }
}

/** What a pair is given to talk over, as a transport: a port becomes one, and all else is one. */
export const carrierOf = (carrier, form) => (carrier instanceof MessagePort ? new Port(carrier, form) : carrier);
