// The suite's tools that answer at once, report on the way, or ask a client of the handshake era.

export const text = (words) => ({ type: "text", text: words });
export const embedded = (uri, mimeType, words) => ({ type: "resource", resource: { uri, mimeType, text: words } });
export const object = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required });

/** One red pixel. */
export const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** One silent sample. */
const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";

const image = { type: "image", data: png, mimeType: "image/png" };

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const answered = ({ action, content }) => `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`;

const one = (...values) => ({ type: "string", enum: values });
const titled = (place) => ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title: `${title} ${place}` }));

/** Says three things to the client's log. */
async function talkative(_, { log }) {
  log("info", "Tool execution started");
  await pause(50);
  log("info", "Tool processing data");
  await pause(50);
  log("info", "Tool execution completed");
  return "Tool with logging executed successfully";
}

const answering = [
  { name: "test_simple_text", description: "Returns a text.", execute: () => "This is a simple text response for testing." },
  { name: "test_image_content", description: "Returns an image.", execute: () => ({ content: [image] }) },
  { name: "test_audio_content", description: "Returns audio.", execute: () => ({ content: [{ type: "audio", data: wav, mimeType: "audio/wav" }] }) },
  {
    name: "test_embedded_resource",
    description: "Returns a resource.",
    execute: () => ({ content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")] }),
  },
  {
    name: "test_multiple_content_types",
    description: "Returns content of several types.",
    execute: () => ({ content: [text("Multiple content types test:"), image, embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')] }),
  },
  {
    name: "test_error_handling",
    description: "Fails.",
    execute() {
      throw new Error("This tool intentionally returns an error for testing");
    },
  },
  {
    name: "test_header_mirroring",
    description: "Has an argument that is repeated in an HTTP header.",
    inputSchema: object({ region: { type: "string", "x-mcp-header": "Region" } }),
    execute: ({ region }) => region,
  },
  {
    name: "json_schema_2020_12_tool",
    description: "Tool with JSON Schema 2020-12 features",
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: one("phone", "email"),
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    execute: ({ name }) => `Hello, ${name}!`,
  },
];

const reporting = [
  { name: "test_tool_with_logging", description: "Writes to the client's log.", execute: talkative },
  { name: "test_logging_tool", description: "Writes to the client's log, if the request wants it.", execute: talkative },
  {
    name: "test_tool_with_progress",
    description: "Reports its progress.",
    async execute(_, { progress }) {
      for (const step of [0, 50, 100]) {
        progress({ progress: step, total: 100 });
        await pause(50);
      }
      return "Tool with progress executed successfully";
    },
  },
];

const asking = [
  {
    name: "test_sampling",
    description: "Asks the client's model.",
    inputSchema: object({ prompt: { type: "string" } }),
    async execute({ prompt }, { sample }) {
      const { content } = await sample({ messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 });
      return `LLM response: ${content.text}`;
    },
  },
  {
    name: "test_elicitation",
    description: "Asks a person.",
    inputSchema: object({ message: { type: "string" } }),
    async execute({ message }, { elicit }) {
      const requestedSchema = object({ username: { type: "string", description: "User's response" }, email: { type: "string", description: "User's email address" } });
      const { action, content } = await elicit({ message, requestedSchema });
      return `User response: action: ${action}, content: ${JSON.stringify(content ?? {})}`;
    },
  },
  {
    name: "test_elicitation_sep1034_defaults",
    description: "Asks with default values.",
    execute: async (_, { elicit }) =>
      answered(
        await elicit({
          message: "Please review the defaults",
          requestedSchema: object(
            {
              name: { type: "string", default: "John Doe" },
              age: { type: "integer", default: 30 },
              score: { type: "number", default: 95.5 },
              status: { ...one("active", "inactive", "pending"), default: "active" },
              verified: { type: "boolean", default: true },
            },
            [],
          ),
        }),
      ),
  },
  {
    name: "test_elicitation_sep1330_enums",
    description: "Asks with every kind of choice.",
    execute: async (_, { elicit }) =>
      answered(
        await elicit({
          message: "Please choose",
          requestedSchema: object(
            {
              untitledSingle: one("option1", "option2", "option3"),
              titledSingle: { type: "string", oneOf: titled("Option") },
              legacyEnum: { ...one("opt1", "opt2", "opt3"), enumNames: ["Option One", "Option Two", "Option Three"] },
              untitledMulti: { type: "array", items: one("option1", "option2", "option3") },
              titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
            },
            [],
          ),
        }),
      ),
  },
];

export const plainTools = [...answering, ...reporting, ...asking];
