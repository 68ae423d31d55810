// The one error class. `code` is the contract; messages are for people and may change.

/** Every error this package makes. `code` is the contract; messages are for people and may change. */
export class ModelportError extends Error {
  /** Always `"ModelportError"`. */
  override readonly name = "ModelportError";
  /** What kind of failure: lower-case words with hyphens, listed in the README. */
  readonly code: string;
  /** The JSON-RPC number, when the failure travelled or would travel under one. */
  readonly rpcCode?: number;
  /** What the protocol adds for programs, such as the versions a server supports. */
  readonly data?: unknown;

  /** An error of this code. A tool may throw one; its peer is told the code and the message. */
  constructor(code: string, message: string, details: { rpcCode?: number | undefined; data?: unknown; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    if (details.rpcCode !== undefined) this.rpcCode = details.rpcCode;
    if (details.data !== undefined) this.data = details.data;
  }
}

/** Parameters that do not fit, as a peer is told of them. */
export const invalidParams = (message: string, data?: unknown, rpcCode = -32602) => new ModelportError("invalid-params", message, { rpcCode, data });
