// Builds the page in memory: sources in, hashed files out, nothing on disk.
import { join } from "node:path";

/** One file of the built page, e.g. `assets/main-4fK2.js`. */
export interface PageFile {
  /** Within the page, without a slash in front. */
  readonly path: string;
  readonly bytes: Buffer;
}

const CLIENT = join(import.meta.dirname, "client");

/** Takes about half a second. Rejects where the sources do not build. */
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
