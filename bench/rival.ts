// A world with the bare discord.js bot, to be measured next to a world with ours.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { START_FLAGS } from "../sandbox/bot/process.ts";
import { openWorld, type World, type WorldOptions } from "../sandbox/world.ts";

const PROGRAM = fileURLToPath(new URL("bare-bot.js", import.meta.url));

/** The rival's world. Its bot is not started yet. */
export interface Rival extends AsyncDisposable {
  readonly world: World;
  readonly pid: number | undefined;
  /** Settles when the bot is ready. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Sets its answer from now on: the `data` of a callback. */
  answerWith(data: unknown): Promise<void>;
}

/** Opens the world, and registers the command that both bots answer as the rival's. */
export async function openRival(command: string, options: WorldOptions = {}): Promise<Rival> {
  const world = await openWorld({ ...options, bot: "none" });
  const { baseUrl, applicationId, token } = world.discord;
  const registered = await fetch(`${baseUrl}/api/v10/applications/${applicationId}/commands`, {
    method: "POST",
    headers: { authorization: `Bot ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: command, description: "The command that both bots answer", type: 1 }),
  });
  if (!registered.ok) {
    throw new Error(`the rival's command was refused: ${await registered.text()}`);
  }
  let child: ChildProcess | undefined;

  async function stop(): Promise<void> {
    if (child?.kill("SIGKILL")) {
      await once(child, "exit");
    }
    child = undefined;
  }

  return {
    world,
    get pid() {
      return child?.pid;
    },
    async start() {
      child = fork(PROGRAM, {
        env: { ...world.env },
        execArgv: START_FLAGS,
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      await once(child, "message");
    },
    stop,
    async answerWith(data) {
      if (child === undefined) {
        throw new Error("the rival has not been started");
      }
      child.send({ ...Object(data) });
      await once(child, "message");
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await world.close();
    },
  };
}
