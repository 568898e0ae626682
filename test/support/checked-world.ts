// A world that checks every request of the bot against Discord's OpenAPI document when it closes.
import { afterAll } from "vitest";
import type { Command } from "../../sandbox/discord/entities.ts";
import { openWorld, type World, type WorldOptions } from "../../sandbox/world.ts";
import { readTables } from "./databases.ts";
import { lendPictureChild } from "./lent-picture-child.ts";
import { openapiChecker } from "./openapi-checker.ts";

let checked = 0;

/** Opens a world. Closing it throws if the bot sent a request that Discord does not know or would refuse. */
export async function openCheckedWorld(options: WorldOptions = {}): Promise<World> {
  const world = await openRegistered(options);
  return {
    ...world,
    async [Symbol.asyncDispose]() {
      await world.close();
      const bugs = world.discord.bugs.map((bug) => `a bug in the sandbox: ${String(bug)}`);
      const findings = [...world.discord.unknownRoutes, ...bugs, ...findingsIn(world)];
      if (findings.length > 0) {
        throw new Error(`Discord would refuse what the bot sent:\n${findings.join("\n")}`);
      }
    },
  };
}

/** The commands that Discord has registered after a bot first started with the commands of a folder, by that folder. */
const registered = new Map<string, readonly Command[]>();

/**
 * Starts the bot as after its first start: Discord already has its commands. deploy.test.ts checks that they are
 * registered.
 */
async function openRegistered(given: WorldOptions): Promise<World> {
  const options = {
    collectsGarbage: false,
    content: await readTables(),
    startPictureChild: lendPictureChild,
    ...given,
  };
  if (options.startsBot === false || options.bot === "none") {
    return openWorld(options);
  }
  const world = await openWorld({ ...options, startsBot: false });
  const { commands } = world.discord.state;
  const folder = options.commandsDir?.href ?? "";
  for (const command of registered.get(folder) ?? []) {
    commands.set(command.id, command);
  }
  try {
    await world.bot.start();
  } catch (error) {
    await world.close();
    throw error;
  }
  registered.set(folder, commands.values().map(withEarlyId).toArray());
  return world;
}

/** An id from before any world began: each world assigns ids again, and none may come twice. */
const EARLY_ID = 500_000_000_000_000_000n;

function withEarlyId(command: Command, index: number): Command {
  return { ...command, id: String(EARLY_ID + BigInt(index)) };
}

function findingsIn(world: World): string[] {
  const requests = world.discord.requests;
  checked += requests.length;
  return requests.flatMap((request) => openapiChecker().findings(request));
}

/** Prints, at the end of a test file, how many requests were checked. */
export function reportChecks(): void {
  afterAll(() => {
    process.stdout.write(`checked ${checked} requests of the bot against Discord's OpenAPI document\n`);
    // The next file of this worker counts separately.
    checked = 0;
  });
}
