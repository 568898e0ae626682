// Settings for a bot that the sandbox does not start, as a file that a shell can source.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the settings into a folder and returns the file's path. It leaves `LOG_LEVEL` to the bot. */
export function writeBotSettings(folder: string, env: Readonly<Record<string, string>>): string {
  const file = join(folder, "bot.env");
  const lines = Object.entries(env)
    .filter(([name]) => name !== "LOG_LEVEL")
    .map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'\n`);
  writeFileSync(file, lines.join(""));
  return file;
}
