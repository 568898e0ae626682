// A member of a server as REST tells: also where another process looks after the server.
import { Routes } from "discord.js";
import { MessengerError } from "../core/ports.ts";
import { isApiError } from "./api-error.ts";
import { guildSchema, memberSchema, type Membership } from "./guild-rights.ts";
import type { Read } from "./messenger-requests.ts";

/** Unknown Member, Unknown User. */
const UNKNOWN_PERSON = [10_007, 10_013];

/** `undefined` where they are not, or the bot is not, in it. Otherwise throws as `read` does. */
export async function findMembership(
  read: Read,
  guildId: string,
  userId: string,
): Promise<Membership | undefined> {
  try {
    const [guild, member] = await Promise.all([
      read(Routes.guild(guildId), guildSchema),
      read(Routes.guildMember(guildId, userId), memberSchema),
    ]);
    return { guild, userId, member };
  } catch (error) {
    if (error instanceof MessengerError && isNoMember(error)) {
      return undefined;
    }
    throw error;
  }
}

function isNoMember({ problem, cause }: MessengerError): boolean {
  return problem === "channel-gone" || UNKNOWN_PERSON.some((code) => isApiError(cause, code));
}
