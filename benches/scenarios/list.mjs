// `tools/list` of a thousand tools, against the bare cost of moving the same list.

const count = 1000;

export const scenarios = [
  {
    name: "list",
    title: "tools/list of 1,000 tools",
    contestants: [
      { id: "clone", title: "bare move of the list, structured clone", module: "bare_list", options: { form: "clone", count }, floor: true },
      { id: "text", title: "bare move of the list, text made once", module: "bare_list", options: { form: "text", count }, floor: true },
      { id: "tools", title: "Modelport, client.tools()", module: "modelport_list", options: { as: "tools", count } },
      { id: "request", title: "Modelport, client.request(\"tools/list\")", module: "modelport_list", options: { as: "request", count } },
    ],
    warm: [{ how: "listing", options: { times: 5 } }],
    measures: [{ name: "list", title: "time a list", how: "listing", slices: 3, options: { times: 3 } }],
    goals: ["tools", "request"].flatMap((id) => {
      const what = id === "tools" ? "client.tools()" : 'request("tools/list")';
      return [
        { name: `list 1,000, ${what}`, measure: "list", of: id, over: ["clone"], than: "the bare clone", atMost: 1.1, later: true },
        { name: `list 1,000, ${what}, cheapest`, measure: "list", of: id, over: ["clone", "text"], than: "the cheaper bare move", atMost: 1.1, later: true },
      ];
    }),
  },
];
