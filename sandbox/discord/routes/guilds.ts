// Guilds and their members.
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { joinedGuild } from "../rules/bot-access.ts";
import { formatGuild, formatMember } from "../serialise/people.ts";
import { createRoutes, type RouteContext, type Routes } from "./environment.ts";

export function guildRoutes(platform: Platform): Routes {
  const guildIn = (context: RouteContext) => joinedGuild(platform, context.req.param("guild") ?? "");
  return createRoutes()
    .get("/guilds/:guild", (context) => context.json(formatGuild(guildIn(context))))
    .get("/guilds/:guild/members/:user", (context) => {
      const member = guildIn(context).members.get(context.req.param("user"));
      if (member === undefined) {
        throw refusal("unknownMember");
      }
      return context.json(formatMember(platform, member));
    });
}
