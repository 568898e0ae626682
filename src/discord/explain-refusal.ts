// Why Discord cannot be used at all: a setting that is wrong, in words for the person who starts the bot, or something
// that passes.
import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import { ConfigError, ServiceError } from "../core/errors.ts";

export const TOKEN_REFUSED =
  "Discord does not accept DISCORD_TOKEN. Copy the bot's token again from the developer portal.";

/** Node's and undici's words for a name, a network or a machine that does not answer. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_SOCKET",
]);

/**
 * A ConfigError for a refused token and for another program that answers, a ServiceError for a Discord that cannot be
 * reached, has trouble or asks to wait; anything else as it came.
 */
export function explainRefusal(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const status = error instanceof DiscordAPIError || error instanceof HTTPError ? error.status : undefined;
  if (code === "TokenInvalid" || isTokenRefusal(error)) {
    return new ConfigError([TOKEN_REFUSED]);
  }
  if (status === 404) {
    return new ConfigError([
      "DISCORD_API_BASE_URL answers, but not as Discord does. Write it without the version, e.g. https://discord.com/api.",
    ]);
  }
  if (status !== undefined && status >= 500) {
    return new ServiceError("discord", "unavailable", String(status), { status, cause: error });
  }
  if (error instanceof RateLimitError) {
    const { retryAfter: retryAfterMs, scope } = error;
    return new ServiceError("discord", "rate-limited", scope, { retryAfterMs, cause: error });
  }
  if (UNREACHABLE.has(code)) {
    return new ServiceError("discord", "unavailable", String(code), { cause: error });
  }
  // Discord took the request and did not answer in time.
  const isGivenUp = error instanceof Error && error.name === "AbortError";
  return isGivenUp ? new ServiceError("discord", "timeout", "no answer", { cause: error }) : error;
}

export function isTokenRefusal(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status === 401;
}
