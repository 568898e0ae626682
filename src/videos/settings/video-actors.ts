// Who presses: a person as the server knows them whose videos they want to act on. Discord tells that of presses in
// the server itself; in a conversation it is asked, since messages of the bot's stand there as well.
import { UserError } from "../../core/errors.ts";
import type { PublicationsTable } from "../publications-table.ts";
import type { Messenger } from "../../core/ports.ts";
import type { Actor } from "./video-settings.ts";
import type { VideoRules } from "./video-rules.ts";
import type { Publication, Publish } from "../publishing/publish.ts";

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
    throw new UserError("Videos belong to servers. Please use that in the server that it is about.");
  }
  return guildId;
}

/**
 * Finds out who acts. What people try (`what`) is audited where it is not theirs to try. Then all throw UserError;
 * otherwise as messenger and database do.
 */
export function createVideoActors({
  messenger,
  publications,
  rules,
}: {
  readonly messenger: Pick<Messenger, "member" | "mayManage">;
  readonly publications: Pick<PublicationsTable, "guildOfVideo">;
  readonly rules: Pick<VideoRules, "write">;
}) {
  async function deny(guildId: string, actorId: string, what: string, sentence: string): Promise<never> {
    await rules.write({ guildId, actorId, act: "denied", note: what });
    throw new UserError(sentence);
  }

  /** The person as a member of `guildId`; neither from another server, nor from a conversation without managing this one. */
  async function of(guildId: string, { caller, where }: Asking, what: string): Promise<Actor> {
    if (where.guildId === guildId) {
      return { userId: caller.id, roleIds: caller.roles };
    }
    if (where.guildId !== undefined) {
      return deny(guildId, caller.id, what, "That belongs to another server. Please use it there.");
    }
    const member = await messenger.member(guildId, caller.id);
    if (member?.mayManage !== true) {
      const sentence =
        "That is for people who manage the server it is from. Please use it in the server, or ask one of its moderators.";
      return deny(guildId, caller.id, what, sentence);
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
    /**
     * Somebody who manages the server where they ask. A server may open /video to others; who publishes there, and as
     * whom, stays with those who manage it.
     */
    async manager({ caller, where }: Asking, what: string): Promise<ServerActor> {
      const guildId = guildOf(where);
      if (!(await messenger.mayManage(guildId, caller.id))) {
        const sentence =
          "That decides who publishes here, and as whom, so it is for people with **Manage Server**. Please ask one of them.";
        return deny(guildId, caller.id, what, sentence);
      }
      return { guildId, by: { userId: caller.id, roleIds: caller.roles } };
    },
  };
}

export type VideoActors = ReturnType<typeof createVideoActors>;

// A publication, and the person who wants to act on it, for what stands on its messages and cards.

interface PublicationAsking extends Asking {
  readonly services: {
    readonly publish: Pick<Publish, "find">;
    readonly videoActors: Pick<VideoActors, "of">;
  };
}

export interface FoundPublication {
  readonly id: string;
  readonly publication: Publication;
  readonly by: Actor;
}

/** Throws UserError where it is gone, or not theirs to act on; otherwise as `VideoActors` does. `what` says what they try. */
export async function findPublication(
  asking: PublicationAsking,
  id: string,
  what: string,
): Promise<FoundPublication> {
  const { publish, videoActors } = asking.services;
  const publication = await publish.find(id);
  if (publication === undefined) {
    throw new UserError(
      "I no longer know that publication. If the video was not published, attach it again with `/video publish`.",
    );
  }
  return { id, publication, by: await videoActors.of(publication.guildId, asking, what) };
}

/** The same for a draft's card, on which only the person who attached the video presses. */
export async function findOwnDraft(asking: PublicationAsking, id: string): Promise<FoundPublication> {
  const found = await findPublication(asking, id, "use somebody's card");
  if (found.publication.submittedBy !== asking.caller.id) {
    throw new UserError(
      "Only the person who sent the video can do that here. `/video publish` makes a card of your own.",
    );
  }
  return found;
}
