// Whose windows may talk to this one: the rules of `origins`, for both sides of the window handshake.

import { ModelportError } from "./error.js";

/** An origin such as `"https://example.com"`, or the very window that may talk though its origin is opaque. */
export type OriginEntry = string | HTMLIFrameElement | Window;

/**
 * Who may talk to this window. `"*"` is anybody who gets hold of it, and is refused (`origin-refused`)
 * unless this document is isolated from strangers: its own origin is opaque (`sandbox` without
 * `allow-same-origin`), it is `credentialless`, or `crossOriginIsolated`.
 */
export type Origins = "*" | readonly OriginEntry[];

/** Whether an event comes from somebody who was named. */
export type Judge = (event: Pick<MessageEvent, "origin" | "source">) => boolean;

const refuse = (message: string): never => {
  throw new ModelportError("origin-refused", message);
};

/**
 * Judges by `event.origin`, and opaque origins (`"null"`), which anybody can have, by the window's
 * identity. `pinned` says that the caller judges the window itself, so that `"null"` may be named.
 */
export function judgeOf(origins: Origins, scope: any, pinned = false): Judge {
  const entries: readonly OriginEntry[] = typeof origins === "string" ? [origins] : origins;
  for (const entry of entries) {
    // With "*", a stranger acts through this page: so the page must hold nothing that is not a stranger's already.
    if (entry === "*") scope.origin === "null" || scope.credentialless || scope.crossOriginIsolated || refuse("This page is not isolated: name the origins instead of '*'.");
    else (entry && typeof entry === "object") || (pinned && entry === "null") || isOrigin(entry as string) || refuse(`'${entry}' is no origin; an opaque one is named by its iframe or window.`);
  }
  return ({ origin, source }) =>
    entries.some((entry) =>
      typeof entry === "string" ? entry === "*" || entry === origin : origin === "null" && source !== null && source === windowOf(entry),
    );
}

const isOrigin = (text: string): boolean => {
  try {
    return new URL(text).origin === text;
  } catch {
    return false;
  }
};

/** An iframe's window, or the window itself, of which nothing may be read if it is another origin's. */
export const windowOf = (target: HTMLIFrameElement | Window): Window | null => (target instanceof HTMLIFrameElement ? target.contentWindow : target);
