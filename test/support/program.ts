// Starts the bot as an operator does, in its own process, without sandbox code.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { START_FLAGS } from "../../sandbox/bot/process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A running program. Disposing of it kills it if it still runs. */
export interface Program extends AsyncDisposable {
  readonly child: ChildProcess;
  /** All output so far. */
  readonly written: () => string;
  /** Sends SIGTERM, as a container's runtime does. Returns its exit code; null if the signal ended it. */
  terminate(): Promise<number | null>;
}

/**
 * Starts the bot, or the version of it in `folder`. Settles when its output contains `words`. Throws with its output if
 * it ends before that.
 */
export async function startProgram(
  env: Readonly<Record<string, string>>,
  folder = ROOT,
  words = "Invite: ",
): Promise<Program> {
  const child = spawn(process.execPath, [...START_FLAGS, "src/main.js"], {
    cwd: folder,
    // discord.js would read these two variables itself, and fail on the word `auto`.
    env: { SHARDS: "auto", SHARD_COUNT: "auto", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let written = "";
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the program ended with ${code}: ${written}`)));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        written += chunk.toString();
        if (written.includes(words)) {
          resolve();
        }
      });
    }
  });
  return {
    child,
    written: () => written,
    async terminate() {
      child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
