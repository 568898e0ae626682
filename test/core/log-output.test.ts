// Log lines that cannot be written.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const LOGGER = fileURLToPath(new URL("../support/logger.ts", import.meta.url));
/** A Linux device on which every write fails as on a full disk. */
const FULL = "/dev/full";

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it.skipIf(!existsSync(FULL))(
  "log lines are dropped while the disk is full, and their number is logged when there is space",
  async () => {
    const folder = await createFolder();
    const file = join(folder, "bot.log");
    const child = fork(LOGGER, [file], {
      execArgv: [],
      stdio: ["ignore", openSync(FULL, "a"), "inherit", "ipc"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    expect(await Promise.race([once(child, "message"), ended])).toContain("written");
    child.send("go on");
    expect(await ended).toEqual([0, null]);
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { level: "warn", time: expect.any(String), lines: 2, msg: "log lines lost" },
      expect.objectContaining({ msg: "third" }),
      expect.objectContaining({ msg: "fourth" }),
    ]);
  },
);

it.skipIf(process.platform === "win32")("a partly written log line does not damage later ones", async () => {
  const file = join(await createFolder(), "bot.log");
  const filling = `${"x".repeat(999)}\n`;
  await writeFile(file, filling);
  // Files may have two blocks of 512 bytes, so only the beginning of the first line fits.
  const child = spawn("sh", ["-c", 'ulimit -f 2; exec "$0" "$@"', process.execPath, LOGGER, file], {
    stdio: ["ignore", openSync(file, "a"), "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  expect(await Promise.race([once(child, "message"), ended])).toContain("written");
  await writeFile(file, (await readFile(file, "utf8")).slice(filling.length));
  child.send("go on");
  expect(await ended).toEqual([0, null]);
  const [beginning, ...lines] = (await readFile(file, "utf8")).trim().split("\n");
  expect(beginning).toMatch(/^\{"level"/);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { level: "warn", time: expect.any(String), lines: 2, msg: "log lines lost" },
    expect.objectContaining({ msg: "third" }),
    expect.objectContaining({ msg: "fourth" }),
  ]);
});
