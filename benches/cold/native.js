// One tool in the browser's registry, by hand.

await document.modelContext.registerTool({ name: "ping", description: "Answers", inputSchema: { type: "object", properties: {} }, execute: () => "pong" });
toolIsThere();
answered(await callThroughRegistry());
