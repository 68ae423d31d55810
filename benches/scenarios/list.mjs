// `tools/list` of few and of many tools, against the bare cost of moving the same list.

import { blocking, entrants, mcpb, officials } from "./who.mjs";

/** How often a list of so many is asked for in a slice. */
const times = { 10: 20, 100: 6, 1000: 3, 5000: 1 };

const moved = (row) => ({ row: true, measure: "list", over: ["clone", "text"], than: "the cheaper bare move of the list", atMost: 1.1, ...row });

const goals = [
  moved({ name: 'list 1,000, request("tools/list")', of: "modelport" }),
  moved({ name: "list 1,000, client.tools()", of: "tools" }),
  { row: true, name: "list 1,000", measure: "list", of: "modelport", over: ["sdk1", "sdk1-text"], than: "SDK 1.x", atLeast: 5 },
  { row: true, name: "list 1,000", measure: "list", of: "modelport", over: ["sdk2", "sdk2-text", "sdk2-json"], than: "SDK 2.x", atLeast: 5 },
];

const scenario = (count) => {
  const options = { times: times[count] };
  const shown = count.toLocaleString("en");
  return {
    name: `list-${count}`,
    title: `tools/list of ${shown} tools`,
    contestants: [
      { id: "clone", title: "bare move of the list, structured clone", module: "bare_list", options: { form: "clone", count }, floor: true },
      { id: "text", title: "bare move of the list, text made once", module: "bare_list", options: { form: "text", count }, floor: true },
      { id: "tools", title: "Modelport, client.tools()", module: "modelport_list", options: { count } },
      ...entrants("pair_list", ["modelport", "modelport-posted", ...officials, ...mcpb], { count }),
      { id: "registry", title: "the browser's own getTools()", module: "bare_get_tools", options: { count } },
      // Filling MCP-B's global registry with a thousand takes it a quarter of a minute, in each round: see publish-1000.
    ].filter(({ id }) => count < 1000 || id !== "mcpb-global"),
    warm: [{ how: "listing", options: { times: count < 1000 ? 5 : 2 } }],
    measures: [
      { name: "list", title: "time a list", how: "listing", slices: 2, options },
      blocking("listing", options),
    ],
    goals: count === 1000 ? goals : [],
  };
};

export const scenarios = [10, 100, 1000, 5000].map(scenario);
