// Stands in for a decoder that runs a stranger's code: tries to reach the targets in its message, and reports which it
// could.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createFrameReader, writeFrame } from "../../src/render/picture-frames.ts";

const { parentPid, secretFile, port, cacheFile } = Object(
  (await createFrameReader(process.stdin)())?.message,
);

/** @type {Record<string, () => unknown>} */
const ATTEMPTS = {
  "the bot's environment": () => readFileSync(`/proc/${parentPid}/environ`),
  "the bot's files": () => readFileSync(secretFile),
  "the bot's files by another program": () => execFileSync("cat", [secretFile], { stdio: "pipe" }),
  "the bot itself": () => process.kill(parentPid, 0),
  "code that the bot runs": () => {
    writeFileSync(cacheFile, "");
    rmSync(cacheFile);
  },
  "the network": () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => resolve(socket.destroy()));
      socket.on("error", reject);
    }),
};

const reached = [];
for (const [what, attempt] of Object.entries(ATTEMPTS)) {
  try {
    await attempt();
    reached.push(what);
  } catch {
    // It was blocked.
  }
}
writeFrame(
  process.stdout,
  { reached, environment: String(execFileSync("env")).trim().split("\n"), attempts: Object.keys(ATTEMPTS) },
  [],
);
process.stdin.destroy();
