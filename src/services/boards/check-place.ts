// Whether a board can stand in a channel, and if not, what somebody has to do about it.
import { UserError } from "../../core/errors.ts";
import type { Messenger } from "../ports.ts";
import type { BoardPlace, BoardSettings } from "./boards.ts";

/** Throws a UserError that says what is in the way and how to clear it. */
export async function checkPlace(
  messenger: Pick<Messenger, "check">,
  { guildId, channelId }: BoardPlace,
  { publish }: Pick<BoardSettings, "publish">,
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
      `I cannot keep a board in ${where}. Choose a text channel, an announcement channel or a thread with \`channel\`.`,
    );
  }
  if (channel.missing.length > 0) {
    const missing = AND.format(channel.missing.map((permission) => `**${permission}**`));
    throw new UserError(
      `I am not allowed to keep a board in ${where}. Give me ${missing} there and try again, or choose another channel with \`channel\`.`,
    );
  }
  if (channel.locked) {
    throw new UserError(
      `The thread ${where} is locked. Unlock it and try again, or choose another channel with \`channel\`.`,
    );
  }
  if (publish && channel.kind !== "announcement") {
    throw new UserError(
      `Only an announcement channel publishes messages, and ${where} is not one. Leave \`publish\` off, or choose another channel with \`channel\`.`,
    );
  }
}

const AND = new Intl.ListFormat("en-GB", { type: "conjunction" });
