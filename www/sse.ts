// Reading the bodies of HTTP answers as they arrive: plain text, and event streams (the format of
// the HTML standard, section 9.2.6). A body never makes us hold more than `MAX_MESSAGE`.

import { ModelportError } from "./error.js";

/** UTF-16 units one message may have; a longer one ends its request with `invalid-response`. */
const MAX_MESSAGE = 2 ** 26;

export interface StreamEvent {
  data?: string;
  event?: string;
  id?: string;
  retry?: string;
}

const check = (length: number) => {
  if (length > MAX_MESSAGE) throw new ModelportError("invalid-response", "The message is too long.");
};

/** Hands over a body's text, piece by piece. */
export async function pour(response: Response, take: (piece: string) => unknown): Promise<void> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  for (let chunk; reader && !(chunk = await reader.read()).done; ) await take(decoder.decode(chunk.value, { stream: true }));
}

/** A body's text as a whole. */
export async function textOf(response: Response): Promise<string> {
  let text = "";
  await pour(response, (piece) => check((text += piece).length));
  return text;
}

/**
 * Takes the pieces of an event stream and gives the events whose blank line is there. Text is
 * looked at once only, however small the pieces are.
 */
export function events(): (piece: string) => StreamEvent[] {
  let line = "";
  let event: StreamEvent = {};
  let afterReturn = false;
  return (piece) => {
    const whole: StreamEvent[] = [];
    if (!piece) return whole;
    // A line may end in CR LF with a piece's end between the two.
    if (afterReturn && piece[0] === "\n") piece = piece.slice(1);
    afterReturn = piece.endsWith("\r");
    const lines = piece.split(/\r\n?|\n/);
    lines[0] = line + lines[0];
    line = lines.pop()!;
    for (const one of lines) {
      if (one) {
        const [, name, value = ""] = /^(data|event|id|retry)(?:: ?(.*))?$/s.exec(one) ?? [];
        if (name) event[name as keyof StreamEvent] = name === "data" && event.data !== undefined ? `${event.data}\n${value}` : value;
      } else {
        whole.push(event);
        event = {};
      }
    }
    check(line.length + (event.data?.length ?? 0));
    return whole;
  };
}
