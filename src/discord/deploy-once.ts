// Registers the commands without a connection to the gateway.
import { REST, Routes } from "discord.js";
import { z } from "zod";
import type { DiscordConfig } from "../core/config.ts";
import type { Log } from "../core/log.ts";
import type { Services } from "./define/services.ts";
import { deployCommands, type DeployResult } from "./deploy.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { readCommands } from "./read-commands.ts";
import { createRegistry } from "./registry.ts";

/** Throws a ConfigError where Discord refuses the token or is out of reach, otherwise what discord.js's REST throws. */
export async function deployOnce({
  config,
  commandsDir,
  services,
  log,
}: {
  readonly config: DiscordConfig;
  readonly commandsDir: URL;
  readonly services: Partial<Services>;
  readonly log: Log;
}): Promise<DeployResult> {
  const { commands } = createRegistry(await readCommands(commandsDir), services);
  const rest = new REST({ api: config.apiBaseUrl.href.replace(/\/$/, "") }).setToken(config.token);
  try {
    const { id } = z.object({ id: z.string() }).parse(await rest.get(Routes.currentApplication()));
    return await deployCommands({ rest, applicationId: id, commands, write: true, log });
  } catch (error) {
    throw explainRefusal(error);
  } finally {
    rest.clearHashSweeper();
    rest.clearHandlerSweeper();
  }
}
