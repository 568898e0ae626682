// Guilds, their members, channels and roles.
import type { Guild } from "../entities.ts";
import { refusal } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { formatChannel, formatGuild, formatMember, formatRole } from "../serialise/people.ts";
import { guildOf } from "../state.ts";
import { createRoutes, type RouteContext, type Routes } from "./environment.ts";

export function guildRoutes(platform: Platform): Routes {
  /** Throws 10004; 50001 where the bot is no member. */
  function guildIn(context: RouteContext): Guild {
    const guild = guildOf(platform.state, context.req.param("guild") ?? "");
    if (!guild.members.has(platform.state.application.id)) {
      throw refusal("missingAccess");
    }
    return guild;
  }
  return createRoutes()
    .get("/guilds/:guild", (context) => context.json(formatGuild(guildIn(context))))
    .get("/guilds/:guild/channels", (context) =>
      context.json(
        [...guildIn(context).channels.values()].map((channel) => formatChannel(platform, channel)),
      ),
    )
    .get("/guilds/:guild/roles", (context) =>
      context.json([...guildIn(context).roles.values()].map(formatRole)),
    )
    .get("/guilds/:guild/members/:user", (context) => {
      const member = guildIn(context).members.get(context.req.param("user"));
      if (member === undefined) {
        throw refusal("unknownMember");
      }
      return context.json(formatMember(platform, member));
    });
}
