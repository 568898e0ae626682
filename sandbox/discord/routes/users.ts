// Users, and direct messages with them.
import { z } from "zod";
import { refusal } from "../errors.ts";
import { openDirectChannel, removeGuild } from "../guilds.ts";
import type { Platform } from "../platform.ts";
import { formatChannel, formatOwnGuild, formatSelf, formatUser } from "../serialise/people.ts";
import { guildOf, userOf } from "../state.ts";
import { parseListQuery } from "../validate/list-query.ts";
import { parseForm } from "../validate/problems.ts";
import { createRoutes, type Routes } from "./environment.ts";

const MOST_GUILDS = 200;

export function userRoutes(platform: Platform): Routes {
  const { state } = platform;
  return createRoutes()
    .get("/users/@me", (context) => context.json(formatSelf(userOf(state, state.application.id))))
    .get("/users/@me/guilds", (context) => {
      const { limit, before, after } = parseListQuery(context.req.query(), {
        usual: MOST_GUILDS,
        most: MOST_GUILDS,
      });
      const counts = context.req.query("with_counts") === "true";
      const guilds = [...state.guilds.values()]
        .filter(({ members }) => members.has(state.application.id))
        .filter(
          ({ id }) =>
            (before === undefined || BigInt(id) < BigInt(before)) &&
            (after === undefined || BigInt(id) > BigInt(after)),
        )
        .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
      const wanted = before === undefined ? guilds.slice(0, limit) : guilds.slice(-limit);
      return context.json(wanted.map((guild) => formatOwnGuild(guild, state.application.id, counts)));
    })
    .delete("/users/@me/guilds/:guild", (context) => {
      removeGuild(platform, guildOf(state, context.req.param("guild")));
      return context.body(null, 204);
    })
    .get("/users/:user", (context) => context.json(formatUser(userOf(state, context.req.param("user")))))
    .post("/users/@me/channels", (context) => {
      const form = parseForm(z.object({ recipient_id: z.string() }), context.var.body.json);
      const user = userOf(state, form.recipient_id);
      if (user.bot) {
        throw refusal("cannotMessageUser");
      }
      return context.json(formatChannel(platform, openDirectChannel(platform, user.id)));
    });
}
