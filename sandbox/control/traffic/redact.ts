// Removes tokens and keys from traffic before it is shown.
import type { ControlParts } from "../parts.ts";

const REDACTED = "[redacted]";

export function withoutToken(path: string): string {
  return path.replace(/^(\/(?:interactions|webhooks)\/[^/]+\/)[^/?]+/, "$1:token");
}

/** The bot's secrets. They are invented, but the page hides them as if they were real. */
export function secretsOf({ bot, discord, video }: ControlParts): readonly string[] {
  return [...bot.secrets, discord.token, ...Object.values(video.tokens)];
}

/** A JSON copy without secrets and without the values of `token` fields. */
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
  // The text comes from JSON.stringify.
  return JSON.parse(json) as unknown;
}
