// Why Discord cannot be used at all, in words for the person who starts the bot.
import { DiscordAPIError, HTTPError } from "discord.js";
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

/**
 * A ConfigError for a refused token, and for a Discord that cannot be reached, is another program, or has trouble;
 * anything else as it came.
 */
export function explainRefusal(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const status = error instanceof DiscordAPIError || error instanceof HTTPError ? error.status : undefined;
  if (code === "TokenInvalid" || status === 401) {
    return new ConfigError([TOKEN_REFUSED]);
  }
  if (status === 404) {
    return new ConfigError([
      "DISCORD_API_BASE_URL answers, but not as Discord does. Write it without the version, e.g. https://discord.com/api.",
    ]);
  }
  if (status !== undefined && status >= 500) {
    return new ConfigError([
      `DISCORD_API_BASE_URL answers with ${status}: Discord has trouble. See https://discordstatus.com, then start again.`,
    ]);
  }
  return UNREACHABLE.has(code) || isGivenUp(error)
    ? new ConfigError([
        `DISCORD_API_BASE_URL cannot be reached (${UNREACHABLE.has(code) ? String(code) : "no answer"}). Check this machine's network, then start again.`,
      ])
    : error;
}

/** Discord took the request and did not answer in time. */
function isGivenUp(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
