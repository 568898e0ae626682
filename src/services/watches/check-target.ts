// Whether a watch may tell a channel, and can.
import { UserError } from "../../core/errors.ts";
import { MessengerError, type Messenger } from "../../core/ports.ts";
import { checkChannel } from "../sending/check-channel.ts";
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
  await checkChannel(messenger, { guildId, channelId }, { act: "write", otherwise: "use another channel" });
}
