// Discord sends a person's roles with interactions in a server, but not in DMs.
import { UserError } from "../../core/errors.ts";
import type { PublicationsTable } from "../publications-table.ts";
import type { CommandRights, Messenger } from "../../core/ports.ts";
import type { Actor, VideoRules } from "./video-rules.ts";

interface Asking {
  readonly caller: { readonly id: string; readonly roles: readonly string[] };
  readonly where: { readonly guildId: string | undefined };
}

export interface ServerActor {
  readonly guildId: string;
  readonly by: Actor;
}

/** Throws a UserError outside a server. */
export function guildOf({ guildId }: Asking["where"]): string {
  if (guildId === undefined) {
    throw new UserError("Videos belong to servers. Please use this in the video's server.");
  }
  return guildId;
}

/** An attempt without permission is written to the audit log with `what`, and throws a UserError. */
export function createVideoActors(deps: {
  readonly messenger: Pick<Messenger, "mayManage">;
  readonly rights: CommandRights;
  readonly publications: Pick<PublicationsTable, "guildOfVideo">;
  readonly rules: Pick<VideoRules, "deny">;
}) {
  const { messenger, rights, publications, rules } = deps;
  /** Denies requests from other servers, and from a DM if `/video` is not allowed there. */
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
    /** In a DM, the server is the one that published the video. */
    async ofVideo(videoId: string, asking: Asking, what: string): Promise<ServerActor> {
      const { where } = asking;
      const guildId = where.guildId ?? (await publications.guildOfVideo(videoId)) ?? guildOf(where);
      return { guildId, by: await of(guildId, asking, what) };
    },
    /** Requires Manage Server, not just `/video`: settings decide who publishes there and with which account. */
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
