// The documentation's table of contents: every page of www/docs once, in the order in which it is read.

/** Sections of pages. A page is named after its Markdown file; `reference` ones are generated. */
export const sections = [
  { title: "Begin", pages: ["index", "start-html", "start-vite", "start-react", "start-next", "start-node"] },
  { title: "Guides", pages: ["publish", "adopt", "serve", "call", "ask", "progress", "errors", "registry", "security", "testing", "rust"] },
  { title: "Coming from", pages: ["from-register-tool", "from-mcp-b", "from-sdk"] },
  { title: "Look it up", pages: ["playground", "compare"], reference: true },
];
