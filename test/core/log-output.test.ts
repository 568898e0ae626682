// What becomes of log lines that cannot be written.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const LOGGER = fileURLToPath(new URL("../support/logger.ts", import.meta.url));
/** Of Linux: what is written to it fails as on a full disk. */
const FULL = "/dev/full";

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-log-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it.skipIf(!existsSync(FULL))(
  "lines are dropped while the disk is full, and counted once there is space",
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
