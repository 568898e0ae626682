// The folder for the bot's database in `npm run sandbox`. It outlives the bot but not the sandbox.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Creates a new folder and deletes it when this process exits. If the sandbox is killed, the folder remains until the
 * system removes it: a later sandbox cannot tell it from the folder of a running one.
 */
export function openDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-sandbox-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
