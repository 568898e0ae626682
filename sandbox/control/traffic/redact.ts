// Takes tokens and keys out of what is shown.
import type { ControlParts } from "../parts.ts";

const REDACTED = "[redacted]";

/** A path without the tokens that stand in it: those of interactions and webhooks. */
export function withoutToken(path: string): string {
  return path.replace(/^(\/(?:interactions|webhooks)\/[^/]+\/)[^/?]+/, "$1:token");
}

/** Everything of the bot's that nobody is to read, invented as it is. */
export function secretsOf({ bot, discord, video }: ControlParts): readonly string[] {
  return [...bot.secrets, discord.token, ...Object.values(video.tokens)];
}

/** A copy, as JSON would have it, in which no secret stands and no field `token` says anything. */
export function redact(value: unknown, secrets: readonly string[]): unknown {
  if (value === undefined) {
    return null;
  }
  const json = JSON.stringify(value, (name, part: unknown) => {
    if (typeof part !== "string") {
      return part;
    }
    return name === "token"
      ? REDACTED
      : secrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), part);
  });
  // What was JSON a moment ago.
  return JSON.parse(json) as unknown;
}
