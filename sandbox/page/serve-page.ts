// Serves the built page and nothing else: the list of files is made once, so no path can lead out of it.
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Hono, type Context } from "hono";
import { buildPage, type PageFile } from "./build-page.ts";
import { loopbackOnly } from "./loopback-only.ts";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Names of files below it carry a hash of what is in them: what is there once never changes. */
const HASHED = "assets/";

interface ServedFile extends PageFile {
  readonly gzipped: Buffer;
  readonly contentType: string;
}

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

export interface PageRoutes {
  /** For `/` and the page's files, for loopback only. Who asks before the page is ready waits. */
  readonly routes: Hono;
  /** Rejects where the page does not build. */
  readonly ready: Promise<void>;
}

/** The page is built meanwhile, unless it is there already. */
export function createPageRoutes(built: Promise<readonly PageFile[]> = buildPage()): PageRoutes {
  const files = packPage(built);
  const routes = new Hono().use(loopbackOnly);
  routes.get("*", async (context, next) => {
    const wanted = context.req.path === "/" ? "index.html" : context.req.path.slice(1);
    const file = (await files).get(wanted);
    return file === undefined ? next() : serve(context, file);
  });
  return { routes, ready: files.then(() => undefined) };
}

async function packPage(built: Promise<readonly PageFile[]>): Promise<ReadonlyMap<string, ServedFile>> {
  const compress = promisify(gzip);
  const files = await built;
  const packed = files.map(async (file) => {
    const contentType = CONTENT_TYPES[extname(file.path)] ?? "application/octet-stream";
    return [file.path, { ...file, contentType, gzipped: await compress(file.bytes) }] as const;
  });
  return new Map(await Promise.all(packed));
}

function serve(context: Context, { path, bytes, gzipped, contentType }: ServedFile): Response {
  const takesGzip = /\bgzip\b/.test(context.req.header("accept-encoding") ?? "");
  const body = takesGzip ? gzipped : bytes;
  return context.body(new Uint8Array(body), 200, {
    "content-type": contentType,
    ...(takesGzip ? { "content-encoding": "gzip" } : {}),
    vary: "accept-encoding",
    "content-security-policy": contentSecurityPolicy(new URL(context.req.url).port),
    "cache-control": path.startsWith(HASHED) ? "public, max-age=31536000, immutable" : "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
}
