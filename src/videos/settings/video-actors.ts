// Who presses: a person as the server knows them whose videos they want to act on. Discord tells that of presses in
// the server itself; in a conversation it is asked, since messages of the bot's stand there as well.
import { UserError } from "../../core/errors.ts";
import type { PublicationsTable } from "../publications-table.ts";
import type { CommandRights, Messenger } from "../../core/ports.ts";
import type { Actor, VideoRules } from "./video-rules.ts";

/** Who asks, and where, as commands know them. */
interface Asking {
  readonly caller: { readonly id: string; readonly roles: readonly string[] };
  readonly where: { readonly guildId: string | undefined };
}

export interface ServerActor {
  readonly guildId: string;
  readonly by: Actor;
}

/** The server where something is asked. Throws a UserError outside of one. */
export function guildOf({ guildId }: Asking["where"]): string {
  if (guildId === undefined) {
    throw new UserError("Videos belong to servers. Please use this in the video's server.");
  }
  return guildId;
}

/** Finds out who acts, and with which roles. An attempt without permission is audited (`what`) and throws UserError. */
export function createVideoActors(deps: {
  readonly messenger: Pick<Messenger, "mayManage">;
  readonly rights: CommandRights;
  readonly publications: Pick<PublicationsTable, "guildOfVideo">;
  readonly rules: Pick<VideoRules, "deny">;
}) {
  const { messenger, rights, publications, rules } = deps;
  /** The person as a member of `guildId`; neither from another server, nor from a conversation if `/video` is closed to them. */
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
    /** The same for a video: of the server where they ask, or in a conversation of the one that published it. */
    async ofVideo(videoId: string, asking: Asking, what: string): Promise<ServerActor> {
      const { where } = asking;
      const guildId = where.guildId ?? (await publications.guildOfVideo(videoId)) ?? guildOf(where);
      return { guildId, by: await of(guildId, asking, what) };
    },
    /** Only who manages the server decides who publishes there, and as whom, even where others may use /video. */
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
