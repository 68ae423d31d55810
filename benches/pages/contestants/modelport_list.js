// Modelport's tools of a server as tools that can be called: `client.tools()`.

import { insistOnTools, pairTools } from "../tools.js";
import { inPage } from "../pairs/modelport.js";

export async function open({ dist, count }) {
  const { client, close } = await inPage({ dist, level: "page", tools: pairTools(count) });
  return { list: () => client.tools(), check: (answer) => insistOnTools(answer, count), close };
}
