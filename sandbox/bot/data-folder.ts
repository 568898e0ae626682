// Where the bot of `npm run sandbox` keeps what it knows: it outlives the bot, and not the sandbox.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A new folder, which goes with this process. What a sandbox that was killed leaves behind is left to the system:
 * nobody can tell it from the folder of one that runs.
 */
export function openDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-sandbox-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
