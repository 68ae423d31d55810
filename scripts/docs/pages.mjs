// The documentation's table of contents: every page once, in the order in which it is read.

/** Sections of pages. A page is named after its Markdown file, `codes` is made of the README, `reference` ones are generated. */
export const sections = [
  { title: "Begin", pages: ["index"] },
  { title: "Quick starts", pages: ["start-html", "start-vite", "start-react", "start-next", "start-node"] },
  { title: "Guides", pages: ["load", "publish", "adopt", "serve", "call", "ask", "progress", "errors", "registry", "security", "types", "forms", "testing", "rust"] },
  { title: "Coming from", pages: ["from-register-tool", "from-mcp-b", "from-sdk"] },
  { title: "Look it up", pages: ["playground", "compare", "performance", "size", "codes"], reference: true },
];

/** What the navigation calls a page whose title is too long for it. */
export const short = {
  index: "Overview",
  "start-html": "Plain HTML",
  "start-vite": "Vite",
  "start-react": "React",
  "start-next": "Next.js",
  "start-node": "Node",
  publish: "Publish tools",
  adopt: "Adopt tools",
  serve: "Serve tools",
  registry: "No registry?",
  "from-register-tool": "From <code>registerTool</code>",
};
