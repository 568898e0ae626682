// Who may use a command, asked of Discord: a press in a conversation names no server, and so no rights in one.
import type { Clock } from "../core/clock.ts";
import type { CommandRights } from "../core/ports.ts";
import type { Command } from "./command.ts";
import { findMembership } from "./find-membership.ts";
import { isTimedOut, rightsIn } from "./guild-rights.ts";
import type { Read } from "./messenger-requests.ts";
import { rightsOf } from "./payload.ts";
import type { WhoMay } from "./who-may.ts";

/** What is asked, and of what. */
export interface CommandRightsDependencies {
  readonly commands: readonly Command[];
  readonly read: Read;
  readonly whoMay: Pick<WhoMay, "mayUse">;
  /** `undefined` before the bot has logged in: then nobody may. */
  readonly applicationId: () => string | undefined;
  readonly clock: Pick<Clock, "now">;
}

/** Makes the port: a press in a conversation is judged as one in the server would be. */
export function createCommandRights({
  commands,
  read,
  whoMay,
  applicationId,
  clock,
}: CommandRightsDependencies): CommandRights {
  return {
    async mayUse(guildId, userId, name) {
      const command = commands.find((each) => each.name === name);
      const application = applicationId();
      const found = command && application ? await findMembership(read, guildId, userId) : undefined;
      if (!command || !application || !found || isTimedOut(found, clock.now())) {
        return false;
      }
      const permissions = String(rightsIn(found).bitfield);
      return whoMay.mayUse(
        {
          application_id: application,
          guild_id: guildId,
          member: { user: { id: userId, username: userId }, roles: found.member.roles, permissions },
        },
        { command: name, permission: rightsOf(command).permission },
      );
    },
  };
}
