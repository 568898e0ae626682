// The bundle and what Node compiled are kept: no start but a helper's has the compiler in memory, not even the first. What an
// older Node compiled is removed.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { layOutImage } from "../support/image.ts";

const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));
/** Everything that the bot may load is compiled once: 2 s, many times that beside other tests. */
const COMPILED_WITHIN_MS = 180_000;
/** Writes at the end which of Node's own modules were loaded. */
const TELL = "process.on('exit', () => console.error(process.moduleLoadList.join(',')))";

it(
  "neither the first start nor the next loads the TypeScript compiler",
  async () => {
    using image = layOutImage();
    // A folder of its own for what is kept, with the packages in it.
    mkdirSync(join(image.folder, "node_modules"));
    for (const name of readdirSync(PACKAGES).filter((each) => each !== ".cache")) {
      symlinkSync(join(PACKAGES, name), join(image.folder, "node_modules", name));
    }
    // So they are called where they are loaded.
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

/** Everything that it wrote: it ends by itself, since there is no token. */
async function startWithoutToken(cwd: string, args: readonly string[]): Promise<string> {
  const tell = `data:text/javascript,${encodeURIComponent(TELL)}`;
  const run = promisify(execFile)(process.execPath, ["--import", tell, ...args], { cwd, env: {} });
  const ended: unknown = await run.catch((error: unknown) => error);
  return typeof ended === "object" && ended !== null && "stderr" in ended ? String(ended.stderr) : "";
}
