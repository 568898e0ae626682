// Explains why Discord cannot be used at all: a wrong setting, in words for the operator, or a transient failure.
import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import { ConfigError, ServiceError } from "../core/errors.ts";

export const TOKEN_REFUSED =
  "Discord does not accept DISCORD_TOKEN. Copy the bot's token again from the developer portal.";

/** Node's and undici's codes for a name, a network or a machine that cannot be reached. */
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
 * Returns a ConfigError if the token is refused or something other than Discord answers, and a ServiceError if
 * Discord cannot be reached, has trouble or asks the bot to wait. Returns any other error unchanged.
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
  // Discord received the request but did not answer in time.
  const isGivenUp = error instanceof Error && error.name === "AbortError";
  return isGivenUp ? new ServiceError("discord", "timeout", "no answer", { cause: error }) : error;
}

export function isTokenRefusal(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status === 401;
}
