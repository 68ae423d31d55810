// The switches with which tests and benchmarks start Chromium.

/** Nothing on the network, no sandbox (containers have none to give), no first-run pages. */
export const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Switches the browser's registry of tools on. */
export const webmcp = "--enable-features=WebMCP";

export const executablePath = process.env.CHROME_PATH || "/usr/bin/chromium";
