// `npm run backup`, `npm run restore` and `npm run move` as an operator runs them.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtempDisposable, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { systemClock } from "../src/core/clock.ts";
import { createLog } from "../src/core/log.ts";
import { openDatabase } from "../src/database.ts";
import { MEMORY_FOLDER } from "./support/memory-folder.ts";

it("backup, restore and move work, and say in one sentence what they did or what to do next", async () => {
  await using folder = await mkdtempDisposable(join(MEMORY_FOLDER, "signalbox-programs-"));
  const run = async (program: string, ...options: readonly string[]): Promise<string> => {
    const path = fileURLToPath(new URL(`../src/${program}.ts`, import.meta.url));
    const running = promisify(execFile)(process.execPath, [path, ...options], { cwd: folder.path, env: {} });
    const { stdout, stderr } = await running.catch((error: { stdout: string; stderr: string }) => error);
    return `${stdout}${stderr}`.trim();
  };
  const url = `sqlite:${join(folder.path, "data", "signalbox.db")}`;
  const log = createLog({ level: "silent", secrets: [] });
  await (await openDatabase({ url, clock: systemClock, log })).close();

  expect(await run("backup", "mine.db")).toMatch(
    /^Backup of \/.+\/data\/signalbox\.db written and checked: mine\.db \(\d+ rows\)\.$/,
  );
  await rm(join(folder.path, "data", "signalbox.db"));
  const from = "sqlite:data/signalbox.db";
  const [help, again, unusable, nothing, wrong, restored] = await Promise.all([
    run("backup", "--help"),
    run("backup", "mine.db"),
    run("backup", "x".repeat(300)),
    run("restore"),
    run("move", "data/signalbox.db", "sqlite:second.db"),
    run("restore", "mine.db", "--trust-count"),
  ]);
  expect(help).toMatch(/^npm run backup \[-- FOLDER or FILE\.db\]: writes a backup/);
  expect(existsSync(join(folder.path, "--help"))).toBe(false);
  expect(again).toBe("mine.db already exists. Name another file, or remove that one.");
  expect(unusable).toMatch(/^Backups cannot be written to .+ \(ENAMETOOLONG\)\. Let the user/);
  expect(nothing).toBe("Name the backup to restore: npm run restore -- FILE");
  expect(wrong).toMatch(/^DATABASE_URL must be sqlite: and a file/);
  expect(restored).toMatch(
    /^Restored into \/.+\/data\/signalbox\.db: mine\.db, made at .+ UTC \(\d+ rows\)\.\nAnyone who/,
  );
  expect(await run("move", from, "sqlite:second.db")).toMatch(/^Moved and compared: \d+ rows\./);
});
