// The validator by itself, for tests that ask it without a tool: in a page and in Node.

export * from "../../www/schema/index.ts";
