// The bot as an operator starts it, in a process of its own, with no sandbox code in it.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { START_FLAGS } from "../../sandbox/bot/process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A program that is ready; it is killed where it still runs when this is disposed of. */
export interface Program extends AsyncDisposable {
  readonly child: ChildProcess;
  /** All that it has written. */
  readonly written: () => string;
  /** Asks it to end as a container's runtime does; gives its exit code, null where it ended by the signal. */
  terminate(): Promise<number | null>;
}

/**
 * Starts it, or another version of it in `folder`; settles when it says that it is ready, or `words`. Throws with its words
 * where it ends before.
 */
export async function startProgram(
  env: Readonly<Record<string, string>>,
  folder = ROOT,
  words = "Invite: ",
): Promise<Program> {
  const child = spawn(process.execPath, [...START_FLAGS, "src/main.js"], {
    cwd: folder,
    // discord.js would read these two by itself, and fail on the word.
    env: { SHARDS: "auto", SHARD_COUNT: "auto", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let written = "";
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${written}`)));
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
