// Whether approval can be asked for in a channel, and if not, what somebody has to do about it.
import { UserError } from "../../core/errors.ts";
import type { Messenger } from "../ports.ts";

/** Throws a UserError that says what is in the way and how to clear it. */
export async function checkApprovalChannel(
  messenger: Pick<Messenger, "check">,
  guildId: string,
  channelId: string,
): Promise<void> {
  const channel = await messenger.check(channelId);
  if (channel?.guildId !== guildId) {
    throw new UserError(
      "I cannot see that channel: it is gone, or hidden from me. Give me **View Channel** there, or choose another channel.",
    );
  }
  const where = `<#${channelId}>`;
  if (channel.kind === "other") {
    throw new UserError(
      `I cannot ask for approval in ${where}. Choose a text channel, an announcement channel or a thread.`,
    );
  }
  // The question carries a link to the file, not the file.
  const missing = channel.missing.filter((permission) => permission !== "Attach Files");
  if (missing.length > 0) {
    const names = AND.format(missing.map((permission) => `**${permission}**`));
    throw new UserError(
      `I am not allowed to ask for approval in ${where}. Give me ${names} there and try again, or choose another channel.`,
    );
  }
  if (channel.locked) {
    throw new UserError(`The thread ${where} is locked. Unlock it and try again, or choose another channel.`);
  }
}

const AND = new Intl.ListFormat("en-GB", { type: "conjunction" });
