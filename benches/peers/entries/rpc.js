// General RPC over a MessagePort, which knows nothing of MCP.

export { expose, proxy, wrap } from "comlink";
export { RpcTarget, newMessagePortRpcSession } from "capnweb";
