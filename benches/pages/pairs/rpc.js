// Comlink and Cap'n Web over a port. They carry calls of functions; names, schemas and lists of tools are not theirs.

const servers = {
  comlink: ({ expose }, run, port) => expose({ call: (args, progress) => run(args, { progress }) }, port),
  capnweb({ RpcTarget, newMessagePortRpcSession }, run, port) {
    class Served extends RpcTarget {
      call(args, progress) {
        return run(args, { progress });
      }
    }
    newMessagePortRpcSession(port, new Served());
  },
};

const clients = {
  comlink({ proxy, wrap }, port) {
    const remote = wrap(port);
    return (args, progress) => (progress ? remote.call(args, proxy(progress)) : remote.call(args));
  },
  capnweb({ newMessagePortRpcSession }, port) {
    const remote = newMessagePortRpcSession(port);
    return async (args, progress) => (progress ? remote.call(args, progress) : remote.call(args));
  },
};

/** Serves the one tool over a port. */
export async function serve({ level, tools: [{ run }] }, port) {
  servers[level](await import("/peers/rpc.js"), run, port);
}

/** A client over a port. */
export async function connect({ level }, port) {
  const remote = clients[level](await import("/peers/rpc.js"), port);
  return {
    call: (_name, args, { progress } = {}) => remote(args, progress && ((value) => progress({ progress: value }))),
    close: () => port.close(),
  };
}
