import { listAnd } from "../core/text.ts";
import { UserError } from "../core/errors.ts";
import type { ChannelCheck, Messenger } from "../core/ports.ts";

export interface ChannelWords {
  /** The action, after "I can't", e.g. `keep a board`. */
  readonly act: string;
  /** The alternative, after "or", e.g. `use another channel`. */
  readonly otherwise: string;
  /** e.g. pictures. Default false. */
  readonly withFiles?: boolean;
}

/**
 * `guildId`: the server to which it must belong; absent if Discord has checked that. `userId`: the person who
 * chose the channel; they must be able to write there too. Throws a UserError that says how to fix it, or the
 * messenger's error.
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
      `I can't see ${where}: it's gone, or hidden from me. Give me **View Channel** there (in a private thread, mention me first), or ${otherwise}.`,
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
  if (channel.timedOutUntilMs !== undefined) {
    throw new UserError(
      `A moderator has timed me out, so I can't ${act} in ${where}. Try again when that's over.`,
    );
  }
  if (channel.locked) {
    throw new UserError(`The thread ${where} is locked. Unlock it and try again, or ${otherwise}.`);
  }
  return channel;
}
