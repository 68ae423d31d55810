// What this copy of Modelport holds of the page at this moment, for tests and hunts for leaks. Whoever
// listens, waits or holds a lock does it through here, or counts it here where it is made and let go.

// Plain numbers: `live.ports++` where one is opened, `live.ports--` where it is let go, once.
export const live = { ports: 0, sockets: 0, requests: 0, locks: 0, listeners: 0 };

// Those that have neither rung nor been cleared. Numbers, so that nothing is kept alive by being counted.
export const timers = new Set();

export const setTimer = (ring, wait) => {
  const timer = setTimeout(() => {
    timers.delete(timer);
    ring();
  }, wait);
  timers.add(timer);
  return timer;
};

// May come too late, or twice, or for a timer that there never was.
export const clearTimer = (timer) => {
  timers.delete(timer);
  clearTimeout(timer);
};

// Calls back in a task of its own, which no timer's least delay puts off, and no hidden page's second.
// What waited in the page before has its turn first.
export const inTask = (callback) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(undefined);
};

// Listens until what it returns is called, which may happen twice, or until the signal aborts.
export const on = (target, type, heard, signal) => {
  let isOn = !signal?.aborted;
  const off = () => {
    if (!isOn) return;
    isOn = false;
    live.listeners--;
    target.removeEventListener(type, heard);
    signal?.removeEventListener("abort", off);
  };
  if (isOn) {
    live.listeners++;
    target.addEventListener(type, heard);
    signal?.addEventListener("abort", off);
  }
  return off;
};
