// Runs the bot in its own process, so that it can be killed and measured.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { BotSurroundings, RunningBot } from "./running-bot.ts";
import type { FromBot, ToBot } from "./messages.ts";

const PROGRAM = fileURLToPath(new URL("run.js", import.meta.url));

/** Real milliseconds for a clean stop before the bot is killed. */
const STOP_WITHIN_MS = 5000;

/**
 * The flags of `npm start` and of the image. A young generation of half the default size and a single helper thread
 * keep the bot's memory small. With 4 MB, garbage was collected during so many answers that the slowest 1 % got slower,
 * and data of a thousand simultaneous questions got into the old generation. With 16 MB, the bot kept 30 MB more after
 * those. Starting with the full size saves 60 ms of processor time. `--expose-gc` lets the bot free the memory that its
 * start leaves behind.
 */
export const START_FLAGS = [
  "--max-semi-space-size=8",
  "--min-semi-space-size=8",
  "--v8-pool-size=1",
  "--expose-gc",
];

/** Resolves when the bot is ready. Throws an Error with the bot's own message if it cannot start. */
export async function runBotInProcess(surroundings: BotSurroundings): Promise<RunningBot> {
  const { env, clock, commandsDir, signal, onLine, logFile = "pipe", collectsGarbage = true } = surroundings;
  const child = fork(PROGRAM, { env, execArgv: START_FLAGS, stdio: ["ignore", logFile, "pipe", "ipc"] });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) {
      createInterface({ input: stream }).on("line", onLine);
    }
  }
  const exited = once(child, "exit");
  const send = (message: ToBot) => {
    if (child.connected) {
      child.send(message);
    }
  };
  const stopListening = clock.onChange(async (state) => {
    send({ type: "set-clock", clock: state });
    await Promise.race([waitFor(child, "clock-set"), exited]);
  });
  const ended = exited.then(() => stopListening());

  send({
    type: "start",
    clock: { nowMs: clock.now(), mode: clock.mode },
    collectsGarbage,
    ...(commandsDir === undefined ? {} : { commandsDir: commandsDir.href }),
  });
  signal?.addEventListener("abort", () => child.kill("SIGKILL"), { once: true });
  try {
    await Promise.race([
      waitFor(child, "ready"),
      ended.then(() => {
        throw new Error("the bot's process ended while starting");
      }),
    ]);
  } catch (error) {
    child.kill("SIGKILL");
    await ended;
    throw error;
  }
  return {
    pid: child.pid,
    async tick() {
      const ticked = waitFor(child, "ticked");
      send({ type: "tick" });
      await Promise.race([ticked, ended]);
    },
    async stop() {
      send({ type: "stop" });
      const giveUp = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      await ended;
      clearTimeout(giveUp);
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    ended,
  };
}

/** Resolves when the bot sends this message. Throws if it sends `failed`. */
function waitFor(child: ChildProcess, wanted: FromBot["type"]): Promise<void> {
  return new Promise((resolve, reject) => {
    function receive(said: unknown): void {
      // Only our child.ts sends messages, so the cast is safe.
      const message = said as FromBot;
      if (message.type === wanted || message.type === "failed") {
        child.off("message", receive);
      }
      if (message.type === wanted) {
        resolve();
      } else if (message.type === "failed") {
        reject(new Error(message.message));
      }
    }
    child.on("message", receive);
  });
}
