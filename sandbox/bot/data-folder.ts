// The folder for the bot's database in `npm run sandbox`. It outlives the bot but not the sandbox.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Creates a new folder and deletes it when this process exits. If the sandbox was killed, the folder is left to the
 * system: it looks like the folder of a running sandbox.
 */
export function openDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-sandbox-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
