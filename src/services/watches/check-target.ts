// Whether a watch may tell a channel, and can.
import { UserError } from "../../core/errors.ts";
import { MessengerError, type Messenger } from "../ports.ts";
import type { WatchTarget } from "./watches.ts";

/** Whether a person may manage a server, by Discord's word. Throws a UserError where Discord does not tell. */
export async function mayManage(
  messenger: Pick<Messenger, "mayManage">,
  guildId: string,
  userId: string,
): Promise<boolean> {
  try {
    return await messenger.mayManage(guildId, userId);
  } catch (error) {
    if (error instanceof MessengerError) {
      throw new UserError(
        "Discord does not tell me just now whether you may do that. Please try again in a minute.",
      );
    }
    throw error;
  }
}

/** Throws a UserError that says what is in the way, and how to clear it. Direct messages are proved by writing one. */
export async function checkTarget(
  messenger: Pick<Messenger, "check" | "mayManage">,
  target: WatchTarget,
  userId: string,
): Promise<void> {
  if (target.kind === "dm") {
    return;
  }
  const { guildId, channelId } = target;
  if (!(await mayManage(messenger, guildId, userId))) {
    throw new UserError(
      "A watch that tells a channel is for people who manage the server. Leave out `where`, and I tell you in a direct message.",
    );
  }
  const channel = await messenger.check(channelId);
  if (channel?.guildId !== guildId) {
    throw new UserError("I cannot see this channel. Give me **View Channel** here, or use another one.");
  }
  if (channel.kind === "other") {
    throw new UserError(
      `I cannot write in <#${channelId}>. Use a text channel, an announcement channel or a thread.`,
    );
  }
  // Watches send no pictures.
  const missing = channel.missing.filter((permission) => permission !== "Attach Files");
  if (missing.length > 0) {
    const names = AND.format(missing.map((permission) => `**${permission}**`));
    throw new UserError(
      `I am not allowed to write in <#${channelId}>. Give me ${names} there and try again.`,
    );
  }
  if (channel.locked) {
    throw new UserError(`The thread <#${channelId}> is locked. Unlock it and try again.`);
  }
}

const AND = new Intl.ListFormat("en-GB", { type: "conjunction" });
