import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPageRoutes } from "../../../sandbox/page/serve-page.ts";

/** The limit for all scripts together, compressed. */
const MAX_SCRIPT_BYTES = 300 * 1024;

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The body as it arrived. */
  readonly bytes: Buffer;
}

let server: ReturnType<typeof serve>;
let port: number;

beforeAll(async () => {
  const pages = createPageRoutes();
  const address = await new Promise<AddressInfo>((resolve) => {
    server = serve(
      { overrideGlobalObjects: false, fetch: pages.routes.fetch, hostname: "127.0.0.1", port: 0 },
      resolve,
    );
  });
  port = address.port;
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

/** Requests a path exactly as given. fetch would resolve `..` before it sends the request. */
function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const bytes = Buffer.concat(parts);
        resolve({ status: response.statusCode, headers: response.headers, text: bytes.toString(), bytes });
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}

describe("the page", () => {
  it("is at the root, says that nothing is real, and allows only its own scripts", async () => {
    const { status, headers, text } = await get("/");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(text).toContain("Nothing here is real");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=|javascript:/i);
  });

  it("serves every file that it and its styles refer to, with the right content type", async () => {
    const types: Record<string, string> = {
      js: "text/javascript; charset=utf-8",
      css: "text/css; charset=utf-8",
      svg: "image/svg+xml",
      woff2: "font/woff2",
    };
    const seen = new Set(["/"]);
    for (const path of seen) {
      const { status, headers, text } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      const type = types[path.split(".").at(-1) ?? ""] ?? "text/html; charset=utf-8";
      expect([path, headers["content-type"]]).toEqual([path, type]);
      for (const [, name] of text.matchAll(/(?:href="\.\/assets\/|src="\.\/assets\/|url\(\.\/)([\w.-]+)/g)) {
        seen.add(`/assets/${name}`);
      }
    }
    const ends = new Set([...seen].map((path) => path.split(".").at(-1)));
    expect([...ends]).toEqual(expect.arrayContaining(["js", "css", "svg", "woff2"]));
  });

  it("has small scripts, and is not cached", async () => {
    const { text, headers } = await get("/");
    expect(headers["cache-control"]).toBe("no-store");
    const scripts = [...text.matchAll(/src="\.(\/assets\/[\w.-]+\.js)"/g)].map(([, path = ""]) => path);
    const answers = await Promise.all(scripts.map((path) => get(path)));
    expect(answers.map((answer) => answer.text).join("")).toContain("_sandbox/events");
    const sizeBytes = answers.reduce((all, { bytes }) => all + gzipSync(bytes).length, 0);
    expect(sizeBytes).toBeLessThan(MAX_SCRIPT_BYTES);
  });

  it.each([
    "/../main.ts",
    "/%2e%2e/main.ts",
    "/..%2fmain.ts",
    "/..\\main.ts",
    "/page/../../main.ts",
    "/serve-page.ts",
    "/tsconfig.json",
    "/client/main.tsx",
    "/assets/../index.html",
    "/index.html/../../clock.ts",
    "//etc/passwd",
    "/.",
    "/%00",
  ])("does not serve %s", async (path) => {
    const { status, text } = await get(path);
    // A URL parser resolves `/.` to the root, so the answer may be the page itself.
    expect(status !== 200 || text.startsWith("<!doctype html>")).toBe(true);
    expect(text).not.toContain("import ");
  });
});

describe("the host check", () => {
  it.each(["127.0.0.1:1", "localhost", "localhost:8086", "[::1]:8086"])("accepts %s", async (host) => {
    expect((await get("/", { host })).status).toBe(200);
  });

  it.each(["example.org", "127.0.0.1.example.org", "localhost.example.org:8086", "0.0.0.0", "a@b"])(
    "refuses the host “%s”",
    async (host) => {
      expect((await get("/", { host })).status).not.toBe(200);
    },
  );

  it("refuses requests from another site's page", async () => {
    expect((await get("/", { origin: "https://example.org" })).status).toBe(403);
    expect((await get("/", { origin: "null" })).status).toBe(403);
    expect((await get("/", { origin: `http://127.0.0.1:${port}` })).status).toBe(200);
  });
});
