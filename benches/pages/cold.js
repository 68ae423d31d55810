// The page of a cold start: it asks for one script, and tells how long it took until that had a tool to offer and an
// answer to its first call. The browser's own registry is kept, since some scripts replace it.

globalThis.registry = document.modelContext;

globalThis.load = (address) =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const times = {};
    globalThis.toolIsThere = () => {
      times.tool ??= performance.now() - started;
    };
    globalThis.answered = (text) => {
      times.call = performance.now() - started;
      if (text === "pong") resolve(times);
      else reject(new Error(`the first call was answered with ${JSON.stringify(text)}`));
    };
    addEventListener("unhandledrejection", ({ reason }) => reject(reason));
    addEventListener("error", ({ error, message }) => reject(error ?? new Error(message)));
    setTimeout(() => reject(new Error("no answer within 20 seconds")), 20_000);
    const script = document.createElement("script");
    script.type = "module";
    script.src = address;
    script.onerror = () => reject(new Error(`${address} did not run`));
    document.head.append(script);
  });

/** Calls the tool `ping` as the browser's agent would, whoever registered it. */
globalThis.callThroughRegistry = async () => {
  const tool = (await registry.getTools()).find(({ name }) => name === "ping");
  const answer = await registry.executeTool(tool, {});
  return answer.startsWith("{") ? JSON.parse(answer).content[0].text : answer;
};
