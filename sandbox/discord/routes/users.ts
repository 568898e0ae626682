// Users, and direct messages with them.
import { z } from "zod";
import { refusal } from "../errors.ts";
import { openDirectChannel } from "../community.ts";
import type { Platform } from "../platform.ts";
import { formatChannel, formatSelf, formatUser } from "../serialise/people.ts";
import { userOf } from "../state.ts";
import { parseForm } from "../validate/problems.ts";
import { createRoutes, type Routes } from "./environment.ts";

export function userRoutes(platform: Platform): Routes {
  const { state } = platform;
  return createRoutes()
    .get("/users/@me", (context) => context.json(formatSelf(userOf(state, state.application.id))))
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
