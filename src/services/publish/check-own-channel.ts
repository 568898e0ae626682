// Whether the bot can show in a channel how a publication goes, and if not, what somebody has to do about it.
import { UserError } from "../../core/errors.ts";
import type { Messenger } from "../ports.ts";

/** Throws a UserError that says what is in the way; otherwise as the messenger does. */
export async function checkOwnChannel(messenger: Pick<Messenger, "check">, channelId: string): Promise<void> {
  const channel = await messenger.check(channelId);
  const where = `<#${channelId}>`;
  if (channel === undefined) {
    throw new UserError(
      `I cannot see ${where}, where I would show how it goes. Give me **View Channel** there, or use another channel.`,
    );
  }
  // Files are never attached to it.
  const missing = channel.missing.filter((permission) => permission !== "Attach Files");
  if (missing.length > 0) {
    const names = AND.format(missing.map((permission) => `**${permission}**`));
    throw new UserError(
      `I am not allowed to write in ${where}, where I would show how it goes. Give me ${names} there, or use another channel.`,
    );
  }
  if (channel.locked) {
    throw new UserError(
      `The thread ${where} is locked, so I cannot show there how it goes. Unlock it, or use another channel.`,
    );
  }
}

const AND = new Intl.ListFormat("en-GB", { type: "conjunction" });
