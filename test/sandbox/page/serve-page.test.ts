import { readdirSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPageRoutes } from "../../../sandbox/page/serve-page.ts";

const FOLDER = fileURLToPath(new URL("../../../sandbox/page", import.meta.url));

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

let server: ReturnType<typeof serve>;
let port: number;

beforeAll(async () => {
  const pages = await createPageRoutes();
  const address = await new Promise<AddressInfo>((resolve) => {
    server = serve({ fetch: pages.fetch, hostname: "127.0.0.1", port: 0 }, resolve);
  });
  port = address.port;
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

/** Asks for a path exactly as given: fetch would tidy `..` away before sending. */
function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    asked.on("error", reject);
    asked.end();
  });
}

describe("the page", () => {
  it("stands at the root, says that nothing is real, and may run no script but its own", async () => {
    const { status, headers, text } = await get("/");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(text).toContain("nothing here is real");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=|javascript:/i);
  });

  it("brings everything that it and its scripts name", async () => {
    const seen = new Set(["/"]);
    for (const path of seen) {
      const { status, headers, text } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      const named = text.matchAll(/(?:from "\.\/|(?:href|src)=")([\w-]+\.(?:js|css|svg))"/g);
      for (const [, name] of named) {
        seen.add(`/${name}`);
      }
    }
    const all = readdirSync(FOLDER).filter((name) => /\.(js|css)$/.test(name));
    expect([...seen]).toEqual(expect.arrayContaining(all.map((name) => `/${name}`)));
  });

  it.each([
    ["/colours.css", "text/css; charset=utf-8"],
    ["/page.js", "text/javascript; charset=utf-8"],
    ["/icon.svg", "image/svg+xml"],
  ])("serves %s as %s", async (path, contentType) => {
    expect((await get(path)).headers["content-type"]).toBe(contentType);
  });

  it.each([
    "/../main.ts",
    "/%2e%2e/main.ts",
    "/..%2fmain.ts",
    "/..\\main.ts",
    "/page/../../main.ts",
    "/serve-page.ts",
    "/tsconfig.json",
    "/index.html/../../clock.ts",
    "//etc/passwd",
    "/.",
    "/%00",
  ])("serves nothing else: %s", async (path) => {
    const { status, text } = await get(path);
    // `/.` is the root by the rules of URLs; whatever is answered, it is the page or nothing.
    expect(status !== 200 || text.startsWith("<!doctype html>")).toBe(true);
    expect(text).not.toContain("import ");
  });
});

describe("the door", () => {
  it.each(["127.0.0.1:1", "localhost", "localhost:8086", "[::1]:8086"])("opens for %s", async (host) => {
    expect((await get("/", { host })).status).toBe(200);
  });

  it.each(["example.org", "127.0.0.1.example.org", "localhost.example.org:8086", "0.0.0.0", "a@b"])(
    "stays shut for the host “%s”",
    async (host) => {
      expect((await get("/", { host })).status).not.toBe(200);
    },
  );

  it("stays shut for what another site's page asks", async () => {
    expect((await get("/", { origin: "https://example.org" })).status).toBe(403);
    expect((await get("/", { origin: "null" })).status).toBe(403);
    expect((await get("/", { origin: `http://127.0.0.1:${port}` })).status).toBe(200);
  });
});
