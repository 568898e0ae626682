// The application's state on Discord, for `npm run doctor`. Registers nothing and opens no gateway connection.
import { RESTEvents, Routes } from "discord.js";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { AccessConfig, DiscordConfig } from "../core/config.ts";
import type { Log } from "../core/log.ts";
import { noMeter } from "../core/meter.ts";
import type { Services } from "./define/context.ts";
import { deployCommands } from "./deploy.ts";
import { INTERACTIONS_ELSEWHERE, explainRefusal } from "./explain-refusal.ts";
import { readCommands } from "./read-commands.ts";
import { createRegistry } from "./registry.ts";
import { createLoginRest } from "./rest.ts";

const applicationSchema = z.object({
  id: z.string(),
  name: z.string(),
  approximate_guild_count: z.number().optional(),
  interactions_endpoint_url: z.string().nullish(),
});
/** https://discord.com/developers/docs/events/gateway#get-gateway-bot */
const gatewaySchema = z.object({
  shards: z.number(),
  session_start_limit: z.object({ total: z.number(), remaining: z.number(), reset_after: z.number() }),
});

/** Throws a ConfigError if Discord refuses the token, and a ServiceError if Discord cannot be reached. */
export async function examineDiscord(options: {
  readonly config: DiscordConfig;
  readonly access: AccessConfig;
  readonly commandsDir: URL;
  readonly services: Partial<Services>;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}) {
  const { config, access, commandsDir, services, clock, log } = options;
  const rest = createLoginRest(config, noMeter).setToken(config.token);
  let aheadMs = 0;
  rest.on(RESTEvents.Response, (_, response) => {
    const date = Date.parse(response.headers.get("date") ?? "");
    aheadMs = Number.isNaN(date) ? 0 : clock.now() - date;
  });
  try {
    const application = applicationSchema.parse(await rest.get(Routes.currentApplication()));
    const { shards, session_start_limit: logins } = gatewaySchema.parse(await rest.get(Routes.gatewayBot()));
    const { commands } = createRegistry(await readCommands(commandsDir), services);
    const { created, edited, deleted } = await deployCommands({
      rest,
      applicationId: application.id,
      commands,
      userInstall: access.userInstall,
      write: false,
      log,
    });
    return {
      id: application.id,
      name: application.name,
      guilds: application.approximate_guild_count,
      /** A setting in the developer portal with which the bot cannot work; a sentence. */
      wrongSetting: application.interactions_endpoint_url ? INTERACTIONS_ELSEWHERE : undefined,
      shards,
      /** How often the bot may still log in before `resetMs` milliseconds have passed. */
      logins: { left: logins.remaining, total: logins.total, resetMs: logins.reset_after },
      /** Commands that the next start registers, changes or removes. */
      outdated: [...created, ...edited, ...deleted],
      commands: commands.length,
      /** How far this machine's clock is ahead of Discord's, which gives its time in whole seconds. */
      aheadMs,
    };
  } catch (error) {
    throw explainRefusal(error);
  }
}
