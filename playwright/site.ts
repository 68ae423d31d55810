// The loopback site the tests visit: dist, the demo, the bundles, and blank pages made to measure.

import { test as base } from "@playwright/test";
import type { IncomingMessage, ServerResponse } from "node:http";
import { serve } from "../scripts/serve.mjs";

export interface Blank {
  /** A Content-Security-Policy for the page. */
  csp?: string;
  /** The inside of its body. */
  body?: string;
  /** More response headers. */
  headers?: Record<string, string>;
}

/** What one test sees of the site, and says to it. */
export interface Traffic {
  /** The paths that were asked for. */
  asked: string[];
  /** Answers in the site's stead; whether it did. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

export interface Site {
  url: string;
  traffic: Traffic;
  /** The address of a blank page as described. */
  blank(page?: Blank): string;
  close(): Promise<unknown>;
}

type Serve = (options: { roots: Record<string, string>; headers: Record<string, Record<string, string>>; handle(request: IncomingMessage, response: ServerResponse): boolean }) => Promise<{ url: string; close(): Promise<unknown> }>;

/** Sandboxed pages, whose origin is opaque, load scripts too. */
const shared = { "Access-Control-Allow-Origin": "*" };

/** Opens the site on a free port of this machine. */
export async function openSite(): Promise<Site> {
  const pages: Blank[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse): boolean => {
    site.traffic.asked.push(request.url ?? "");
    if (site.traffic.answer(request, response)) return true;
    const number = /^\/blank\/(\d+)$/.exec(request.url ?? "")?.[1];
    if (number === undefined) return false;
    const { csp, body = "", headers = {} } = pages[Number(number)] ?? {};
    response.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      "Origin-Agent-Cluster": "?1",
      ...(csp ? { "Content-Security-Policy": csp } : {}),
      ...headers,
    });
    response.end(`<!doctype html><html lang="en"><title>blank</title><link rel="icon" href="data:,"><body>${body}</body></html>`);
    return true;
  };
  const folder = process.env["MODELPORT_BUNDLES"];
  if (!folder) throw new Error("the bundles are missing: run the tests by playwright.config.ts");
  const server = await (serve as Serve)({ roots: { "/bundles/": folder }, headers: { "/bundles/": shared, "/dist/": shared }, handle });
  const blank = (page: Blank = {}) => `${server.url}/blank/${pages.push(page) - 1}`;
  const site: Site = { url: server.url, traffic: quiet(), blank, close: server.close };
  return site;
}

const quiet = (): Traffic => ({ asked: [], answer: () => false });

/** Tests that share a site with the others of their worker. */
export const test = base.extend<{ traffic: Traffic }, { site: Site }>({
  traffic: async ({ site }, use) => {
    await use((site.traffic = quiet()));
    site.traffic = quiet();
  },

  site: [
    async ({}, use) => {
      const site = await openSite();
      await use(site);
      await site.close();
    },
    { scope: "worker" },
  ],
});
