// What becomes of log lines that cannot be written.
import { fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createLogOutput } from "../../src/core/log.ts";
import { mountSmallDisk } from "../support/small-disk.ts";

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

it("a line of which a part was written is finished before any other", async ({ skip }) => {
  await using disk = await mountSmallDisk(await createFolder());
  if (disk === undefined) {
    skip("this user may not mount a disk");
    return;
  }
  const path = join(disk.folder, "bot.log");
  const file = openSync(path, "a");
  onTestFinished(() => closeSync(file));
  const output = createLogOutput(file, (lines) => `${lines} lost\n`);
  await disk.fill();
  await disk.free(8_192);
  const long = `${"x".repeat(20_000)}\n`;
  output.write(long);
  output.write("second\n");
  output.write("third\n");
  expect((await readFile(path)).length).toBe(8_192);
  await disk.free();
  output.write("fourth\n");
  output.write("fifth\n");
  expect(await readFile(path, "utf8")).toBe(`${long}2 lost\nfourth\nfifth\n`);
});
