// Why Discord cannot be used at all, in words for the person who starts the bot.
import { DiscordAPIError } from "discord.js";
import { ConfigError } from "../core/errors.ts";

export const TOKEN_REFUSED =
  "DISCORD_TOKEN is not accepted by Discord. Copy the bot's token anew from the developer portal.";

/** No way there: Node's and undici's words for a name, a network or a machine that does not answer. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_SOCKET",
]);

/** A ConfigError for a refused token and for a Discord that cannot be reached; anything else as it came. */
export function explainRefusal(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "TokenInvalid" || (error instanceof DiscordAPIError && error.status === 401)) {
    return new ConfigError([TOKEN_REFUSED]);
  }
  return UNREACHABLE.has(code)
    ? new ConfigError([
        `DISCORD_API_BASE_URL cannot be reached (${String(code)}). Check this machine's network, then start again.`,
      ])
    : error;
}
