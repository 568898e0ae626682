// The bundle and Node's compiled code are cached, so that neither the first start nor a later one loads the TypeScript
// compiler; only a helper process does. The cache of an older Node is removed.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { layOutImage } from "../support/image.ts";

const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));
/** Everything that the bot may load is compiled once. This takes 2 s, and many times as long beside other tests. */
const COMPILED_WITHIN_MS = 180_000;
/** Writes at exit which of Node's own modules were loaded. */
const TELL = "process.on('exit', () => console.error(process.moduleLoadList.join(',')))";

it(
  "neither the first start nor the next loads the TypeScript compiler",
  async () => {
    using image = layOutImage();
    // The cache gets a folder of its own, beside links to the packages.
    mkdirSync(join(image.folder, "node_modules"));
    for (const name of readdirSync(PACKAGES).filter((each) => each !== ".cache")) {
      symlinkSync(join(PACKAGES, name), join(image.folder, "node_modules", name));
    }
    // A TypeScript file proves under which name the compiler is loaded.
    const script = join(image.folder, "script.ts");
    writeFileSync(script, "const word: string = 'ready';\nconsole.log(word);\n");
    expect(await startWithoutToken(image.folder, [script])).toContain("internal/deps/amaro");
    const kept = join(image.folder, "node_modules/.cache/signalbox");
    mkdirSync(join(kept, "v24.0.0-x64-310b2ce3-0"), { recursive: true });
    const first = await startWithoutToken(image.folder, image.args);
    const keptKinds = new Set(readdirSync(kept).map((name) => name.split("-")[0]));
    expect(keptKinds).toEqual(new Set([process.version, "bundle"]));
    const next = await startWithoutToken(image.folder, image.args);
    const loads = (name: string) => [first, next].map((loaded) => loaded.includes(name));
    expect(loads("internal/modules/typescript")).toEqual([true, true]);
    expect(loads("internal/deps/amaro")).toEqual([false, false]);
  },
  COMPILED_WITHIN_MS,
);

/** Returns what the process wrote to stderr. It ends by itself, because there is no token. */
async function startWithoutToken(cwd: string, args: readonly string[]): Promise<string> {
  const tell = `data:text/javascript,${encodeURIComponent(TELL)}`;
  const run = promisify(execFile)(process.execPath, ["--import", tell, ...args], { cwd, env: {} });
  const ended: unknown = await run.catch((error: unknown) => error);
  return typeof ended === "object" && ended !== null && "stderr" in ended ? String(ended.stderr) : "";
}
