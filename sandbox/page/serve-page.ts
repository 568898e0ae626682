// Builds the page and serves its files. Only files of the build can be requested, so no path leads outside it.
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
 * Allows only the page's own scripts, styles and fonts. Pictures and videos may also come from the sandbox's CDN, under
 * either loopback address, and from files that a person is about to send (`blob:`).
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
 * Returns routes for `/` and the page's files, for loopback only. By default this starts a build. Requests wait until the
 * build is done; `ready` resolves then, or rejects if the build fails.
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

interface PageFile {
  /** Relative to the page, without a leading slash, e.g. `assets/main-4fK2.js`. */
  readonly path: string;
  readonly bytes: Buffer;
}

const CLIENT = join(import.meta.dirname, "client");

/** Bundles the page in memory, with hashes in the file names. Takes about half a second. Rejects if the build fails. */
export async function buildPage(): Promise<PageFile[]> {
  // Imported only here, so that the sandbox and its bot start without waiting for vite.
  const { build } = await import("vite");
  const built = await build({
    root: CLIENT,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "silent",
    // Relative URLs, so that the page works under any path.
    base: "./",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      write: false,
      target: "esnext",
      // Inlined scripts and pictures would need a weaker Content-Security-Policy.
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
