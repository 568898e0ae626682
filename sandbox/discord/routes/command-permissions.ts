// What a guild's administrators decided about commands. A bot may read it, not write it.
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { joinedGuild } from "../rules/bot-access.ts";
import { formatCommandPermissions } from "../serialise/command.ts";
import { requireApplication } from "../state.ts";
import { createRoutes, type Routes } from "./environment.ts";

export function commandPermissionRoutes(platform: Platform): Routes {
  const base = "/applications/:application/guilds/:guild/commands";
  return createRoutes()
    .get(`${base}/permissions`, (context) => {
      requireApplication(platform.state, context.req.param("application"));
      const guild = joinedGuild(platform, context.req.param("guild"));
      return context.json(
        [...guild.commandPermissions].map(([id, permissions]) =>
          formatCommandPermissions(platform, guild.id, id, permissions),
        ),
      );
    })
    .get(`${base}/:command/permissions`, (context) => {
      requireApplication(platform.state, context.req.param("application"));
      const guild = joinedGuild(platform, context.req.param("guild"));
      const commandId = context.req.param("command");
      const permissions = guild.commandPermissions.get(commandId);
      if (permissions === undefined) {
        throw refusal("unknownCommandPermissions");
      }
      return context.json(formatCommandPermissions(platform, guild.id, commandId, permissions));
    });
}
