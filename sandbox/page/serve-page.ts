// Builds the page and serves it, and nothing else: the list of files is made once, so no path can lead out of it.
import { extname, join } from "node:path";
import { Hono } from "hono";
import { loopbackOnly } from "./loopback-only.ts";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".jpg": "image/jpeg",
  ".mp4": "video/mp4",
};

/**
 * Scripts, styles and fonts of our own only; pictures and films from the sandbox's CDN, under either name of
 * loopback, and from the files that a person is about to send.
 */
function contentSecurityPolicy(port: string): string {
  const media = `'self' blob: http://127.0.0.1:${port} http://localhost:${port}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export type PageRoutes = ReturnType<typeof createPageRoutes>;

/**
 * Routes for `/` and the page's files, for loopback only. The page is built meanwhile, unless it is there already; who asks
 * before it is `ready` waits. `ready` rejects where the page does not build.
 */
export function createPageRoutes(built: Promise<readonly PageFile[]> = buildPage()) {
  const files = built.then((all) => new Map(all.map((file) => [file.path, file])));
  const routes = new Hono().use(loopbackOnly);
  routes.get("*", async (context, next) => {
    const { path, url } = context.req;
    const file = (await files).get(path === "/" ? "index.html" : path.slice(1));
    return file === undefined
      ? next()
      : context.body(new Uint8Array(file.bytes), 200, {
          "content-type": CONTENT_TYPES[extname(file.path)] ?? "application/octet-stream",
          "content-security-policy": contentSecurityPolicy(new URL(url).port),
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
        });
  });
  return { routes, ready: files.then(() => undefined) };
}

/** One file of the built page, e.g. `assets/main-4fK2.js`. */
interface PageFile {
  /** Within the page, without a slash in front. */
  readonly path: string;
  readonly bytes: Buffer;
}

const CLIENT = join(import.meta.dirname, "client");

/** Sources in, hashed files out, nothing on disk. Takes about half a second. Rejects where the sources do not build. */
export async function buildPage(): Promise<PageFile[]> {
  // Loaded only now: the sandbox and its bot start meanwhile.
  const { build } = await import("vite");
  const built = await build({
    root: CLIENT,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "silent",
    // The modules are found relative to the page, wherever it is mounted.
    base: "./",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      write: false,
      target: "esnext",
      // Scripts and pictures as text within the page would need a weaker policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  return outputs.flatMap((one) =>
    "output" in one
      ? one.output.map((file) => ({
          path: file.fileName,
          bytes: Buffer.from(file.type === "chunk" ? file.code : file.source),
        }))
      : [],
  );
}
