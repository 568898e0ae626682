// For a bot that the sandbox does not start: what points it here, as a file that a shell can read.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the settings into a folder. Returns the file's path. How much it logs is left to the bot. */
export function writeBotSettings(folder: string, env: Readonly<Record<string, string>>): string {
  const file = join(folder, "bot.env");
  const lines = Object.entries(env)
    .filter(([name]) => name !== "LOG_LEVEL")
    .map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'\n`);
  writeFileSync(file, lines.join(""));
  return file;
}
