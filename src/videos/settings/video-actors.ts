// Finds out who acts on a server's videos, and with which roles. Discord sends that with interactions in the server
// itself. The bot's messages are also in conversations, where Discord has to be asked.
import { UserError } from "../../core/errors.ts";
import type { PublicationsTable } from "../publications-table.ts";
import type { CommandRights, Messenger } from "../../core/ports.ts";
import type { Actor, VideoRules } from "./video-rules.ts";

/** The part of a command's context that says who asks, and where. */
interface Asking {
  readonly caller: { readonly id: string; readonly roles: readonly string[] };
  readonly where: { readonly guildId: string | undefined };
}

export interface ServerActor {
  readonly guildId: string;
  readonly by: Actor;
}

/** Returns the server in which somebody asks. Throws a UserError outside a server. */
export function guildOf({ guildId }: Asking["where"]): string {
  if (guildId === undefined) {
    throw new UserError("Videos belong to servers. Please use this in the video's server.");
  }
  return guildId;
}

/** An attempt without permission is written to the audit log with `what`, and throws UserError. */
export function createVideoActors(deps: {
  readonly messenger: Pick<Messenger, "mayManage">;
  readonly rights: CommandRights;
  readonly publications: Pick<PublicationsTable, "guildOfVideo">;
  readonly rules: Pick<VideoRules, "deny">;
}) {
  const { messenger, rights, publications, rules } = deps;
  /**
   * Returns the person as a member of `guildId`. Denies requests from another server, and from a conversation if the
   * person may not use `/video` there.
   */
  async function of(guildId: string, { caller, where }: Asking, what: string): Promise<Actor> {
    if (where.guildId === guildId) {
      return { userId: caller.id, roleIds: caller.roles };
    }
    if (where.guildId !== undefined) {
      return rules.deny(
        { guildId, actorId: caller.id, note: what },
        "That belongs to another server. Please use it there.",
      );
    }
    const member = await rights.findAllowedMember(guildId, caller.id, "video");
    if (member === undefined) {
      const sentence =
        "Only people who can use `/video` in the server it's from can do that. Please use it there, or ask one of its moderators.";
      return rules.deny({ guildId, actorId: caller.id, note: what }, sentence);
    }
    return { userId: caller.id, roleIds: member.roleIds };
  }

  return {
    of,
    /** The same for a video: for the server in which they ask, or in a conversation for the server that published it. */
    async ofVideo(videoId: string, asking: Asking, what: string): Promise<ServerActor> {
      const { where } = asking;
      const guildId = where.guildId ?? (await publications.guildOfVideo(videoId)) ?? guildOf(where);
      return { guildId, by: await of(guildId, asking, what) };
    },
    /**
     * Only somebody who manages the server may decide who publishes there and with which account, even if others may
     * use `/video`.
     */
    async manager({ caller, where }: Asking, what: string): Promise<ServerActor> {
      const guildId = guildOf(where);
      if (!(await messenger.mayManage(guildId, caller.id))) {
        const sentence =
          "That decides who publishes here, and as whom, so it's for people with **Manage Server**. Please ask one of them.";
        return rules.deny({ guildId, actorId: caller.id, note: what }, sentence);
      }
      return { guildId, by: { userId: caller.id, roleIds: caller.roles } };
    },
  };
}
