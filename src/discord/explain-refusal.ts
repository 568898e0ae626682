// Explains why Discord cannot be used at all: a wrong setting, in words for the operator, or a transient failure.
import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import { ConfigError, EXIT_CONFIG, EXIT_FAILURE, type Failure, ServiceError } from "../core/errors.ts";

export const TOKEN_REFUSED =
  "Discord does not accept DISCORD_TOKEN. Copy the bot's token again from the developer portal.";

/** For an application that was made for another program. Without this sentence, the bot would be silent for no visible reason. */
export const INTERACTIONS_ELSEWHERE =
  "The application has an Interactions Endpoint URL, so Discord sends commands there and the bot gets none. Clear it in the developer portal, under General Information.";

/** Node's and undici's codes for a name, a network or a machine that cannot be reached. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  "EADDRNOTAVAIL",
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

/** Codes of failed name lookups and of TLS failures, e.g. because this machine's clock is wrong. */
const UNREACHABLE_FOR_NOW = /^EAI_|CERT|SIGNATURE|SSL|TLS/;

/** Discord's front end rejects requests, whatever they ask for. */
const BLOCKED = 40_333;

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
  // Without a code, the refusal comes from Discord's front end, e.g. because it blocks this machine's address for a while.
  const isBlocked = status === 403 && (!code || code === BLOCKED);
  if (isBlocked || (status !== undefined && status >= 500)) {
    return new ServiceError("discord", "unavailable", String(status), { status, cause: error });
  }
  if (error instanceof RateLimitError) {
    const { retryAfter: retryAfterMs, scope } = error;
    return new ServiceError("discord", "rate-limited", scope, { retryAfterMs, cause: error });
  }
  if (UNREACHABLE.has(code) || UNREACHABLE_FOR_NOW.test(String(code))) {
    return new ServiceError("discord", "unavailable", String(code), { cause: error });
  }
  // Discord received the request but did not answer in time.
  const isGivenUp = error instanceof Error && error.name === "AbortError";
  return isGivenUp ? new ServiceError("discord", "timeout", "no answer", { cause: error }) : error;
}

export function isTokenRefusal(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status === 401;
}

const SHARDING_REQUIRED = 4011;

/** https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const REASONS: Readonly<Record<number, string>> = {
  4004: TOKEN_REFUSED,
  4010: "SHARDS names a shard that Discord does not accept. Shards run from 0 to one less than SHARD_COUNT.",
  [SHARDING_REQUIRED]:
    "SHARD_COUNT is too low for this many servers. Set it to `auto`, or raise it for all processes.",
  4012: "Discord no longer supports the gateway version that this Signalbox uses. Install a newer Signalbox.",
  4013: "Discord does not know an intent that this Signalbox asks for. Install a newer Signalbox.",
  4014: "Discord does not allow this application an intent that Signalbox asks for. Install a newer Signalbox.",
};

/** In words for the operator. `isShardCountAuto`: the next start asks Discord again how many shards there must be. */
export function explainClose(code: number, isShardCountAuto: boolean): Failure {
  const how = `Discord closed the connection with code ${code}.`;
  return code === SHARDING_REQUIRED && isShardCountAuto
    ? { reason: `Discord wants more shards for this many servers. ${how}`, exitCode: EXIT_FAILURE }
    : { reason: `${REASONS[code] ?? "Discord refuses the bot."} ${how}`, exitCode: EXIT_CONFIG };
}
