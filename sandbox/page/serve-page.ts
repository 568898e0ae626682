// Serves the page's own files and nothing else: the list is made once, so no path can lead out of the folder.
import { readFile, readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { Hono } from "hono";
import { loopbackOnly } from "./loopback-only.ts";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Scripts and styles of our own only; pictures and films from the sandbox's CDN, under either name of loopback. */
function contentSecurityPolicy(port: string): string {
  const cdn = `'self' http://127.0.0.1:${port}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${cdn}`,
    `media-src ${cdn}`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Routes for `/`, `/page.js` and so on, for loopback only. Files are read at each request, so that a change shows on reload. */
export async function createPageRoutes(): Promise<Hono> {
  const routes = new Hono().use(loopbackOnly);
  const folder = import.meta.dirname;
  for (const name of await readdir(folder)) {
    const contentType = CONTENT_TYPES[extname(name)];
    if (contentType !== undefined) {
      routes.get(name === "index.html" ? "/" : `/${name}`, async (context) =>
        context.body(await readFile(join(folder, name), "utf8"), 200, {
          "content-type": contentType,
          "content-security-policy": contentSecurityPolicy(new URL(context.req.url).port),
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
        }),
      );
    }
  }
  return routes;
}
