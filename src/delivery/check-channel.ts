// Whether the bot can write in a channel what somebody wants it to, and if not, what they have to do about it.
import { listAnd } from "../core/text.ts";
import { UserError } from "../core/errors.ts";
import type { ChannelCheck, Messenger } from "../core/ports.ts";

export interface ChannelWords {
  /** What cannot be done there, e.g. `keep a board`. */
  readonly act: string;
  /** What else can be done, after "or", e.g. `use another channel`. */
  readonly otherwise: string;
  /** Whether files are sent there, e.g. pictures. Default false. */
  readonly withFiles?: boolean;
}

/**
 * Gives the channel as it is. `guildId`: the server whose it must be; absent where Discord has checked that. `userId`: the
 * person who wants it, and must be able to write there themselves. Throws a UserError that says what is in the way and how
 * to clear it; otherwise as the messenger does.
 */
export async function checkChannel(
  messenger: Pick<Messenger, "check">,
  {
    guildId,
    channelId,
    userId,
  }: { readonly channelId: string; readonly guildId?: string; readonly userId?: string },
  { act, otherwise, withFiles = false }: ChannelWords,
): Promise<ChannelCheck> {
  const channel = await messenger.check(channelId, userId);
  const where = `<#${channelId}>`;
  if (channel === undefined || (guildId !== undefined && channel.guildId !== guildId)) {
    throw new UserError(
      `I can't see ${where}: it's gone, or hidden from me. Give me **View Channel** there, or ${otherwise}.`,
    );
  }
  if (channel.isClosedToPerson === true) {
    throw new UserError(
      `You can't write in ${where} yourself, so I can't ${act} there for you. Ask somebody who can, or ${otherwise}.`,
    );
  }
  if (channel.kind === "other") {
    throw new UserError(
      `I can't ${act} in ${where}. Choose a text channel, an announcement channel or a thread.`,
    );
  }
  const missing = channel.missing.filter((permission) => withFiles || permission !== "Attach Files");
  if (missing.length > 0) {
    const names = listAnd(missing.map((permission) => `**${permission}**`));
    throw new UserError(
      `I'm not allowed to ${act} in ${where}. Give me ${names} there and try again, or ${otherwise}.`,
    );
  }
  if (channel.locked) {
    throw new UserError(`The thread ${where} is locked. Unlock it and try again, or ${otherwise}.`);
  }
  return channel;
}
