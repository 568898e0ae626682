// What runs in servers runs only where the bot is.
import { expressionBuilder } from "kysely";
import type { Schema } from "./schema.ts";

/** Holds for rows of a server that the bot has not left, and for those of no server. */
export function isNotLeft(guildId: "boards.guildId" | "watches.guildId" | "videoAccounts.guildId") {
  const eb = expressionBuilder<Schema, "boards" | "watches" | "videoAccounts">();
  const left = eb
    .selectFrom("leftGuilds")
    .select("leftGuilds.guildId")
    .whereRef("leftGuilds.guildId", "=", guildId);
  return eb.not(eb.exists(left));
}
