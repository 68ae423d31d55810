// What the documentation shows about typed tools (www/docs/types.md).

import { defineTool, ToolManager } from "modelport";

const tools = new ToolManager();

tools.add({
  name: "free_seats",
  description: "How many seats are free",
  inputSchema: {
    type: "object",
    properties: {
      row: { enum: ["A", "B", "C"] },
      people: { type: "integer", minimum: 1 },
    },
    required: ["row"],
  },
  // row: "A" | "B" | "C"; people?: number
  execute: ({ row, people = 1 }) => `${row}: ${8 - people}`,
});

// For lists, and for tools in files of their own.
const hold = defineTool({
  name: "hold_seat",
  inputSchema: {
    type: "object",
    properties: { seat: { type: "string" } },
    required: ["seat"],
  },
  execute: ({ seat }) => seat.toUpperCase(),
});
tools.add(hold);

// @ts-expect-error: there is no row D.
tools.add({ name: "free_seats", inputSchema: { type: "object", properties: { row: { enum: ["A", "B", "C"] } } }, execute: ({ row }) => row === "D" });
