// Runs a program in the decoder's place to see what a compromised decoder could reach.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startPictureChild } from "../../src/render/picture-process.ts";
import { MEMORY_FOLDER } from "../support/memory-folder.ts";
import { listen } from "../../sandbox/http/listen.ts";

const PROGRAM = fileURLToPath(new URL("../support/try-jail.js", import.meta.url));
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/from-the-jail", import.meta.url));
/** The allowed variables, for memory and the search path; none of them is the bot's. */
const ENVIRONMENT = /^(?:MALLOC_\w+|VIPS_\w+|PATH|PWD|OLDPWD|SHLVL|_)=/;
const areNamespacesAllowed =
  spawnSync("unshare", ["--map-current-user", "--keep-caps", "--mount", "--pid", "--net", "--fork", "true"])
    .status === 0;

test("the decoder never has the bot's environment, and reaches neither its files nor the network if the system allows namespaces", async () => {
  const folder = mkdtempSync(join(MEMORY_FOLDER, "signalbox-jail-"));
  const server = createServer();
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const secretFile = join(folder, ".env");
  writeFileSync(secretFile, "DISCORD_TOKEN=secret");
  const port = Number(new URL(await listen(server, 0)).port);

  const child = startPictureChild(PROGRAM);
  const question = { parentPid: process.pid, secretFile, port, cacheFile: CACHE };
  const { reached, environment, attempts } = Object((await child.exchange(question, []))?.message);
  child.kill();
  await child.ended;
  expect(environment.filter((line: string) => !ENVIRONMENT.test(line))).toEqual([]);
  expect(attempts).toHaveLength(6);
  process.stdout.write(`a broken decoder reaches ${reached.length === 0 ? "nothing" : reached.join(", ")}\n`);
  expect(areNamespacesAllowed ? reached : []).toEqual([]);
});
