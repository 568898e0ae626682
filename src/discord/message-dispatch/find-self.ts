// Who the bot is, from what discord.js knows.
import type { Client } from "discord.js";
import type { Self } from "./message-event.ts";

/** `undefined` before the bot has logged in. */
export function findSelf({ user, application, guilds }: Client): Self | undefined {
  return user && application
    ? {
        userId: user.id,
        applicationId: application.id,
        roleIn: (guildId) => guilds.cache.get(guildId)?.roles.botRoleFor(user)?.id,
      }
    : undefined;
}
