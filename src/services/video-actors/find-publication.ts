// A publication, and whoever wants to act on it, for what stands on its messages and cards.
import { UserError } from "../../core/errors.ts";
import type { Publication, Publish } from "../publish/publish.ts";
import type { Actor } from "../video-settings/video-settings.ts";
import type { Asking, VideoActors } from "./video-actors.ts";

/** What it takes to find one. */
interface PublicationAsking extends Asking {
  readonly services: {
    readonly publish: Pick<Publish, "find">;
    readonly videoActors: Pick<VideoActors, "of">;
  };
}

/** What was found. */
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

/** The same for a draft's card, on which only whoever attached the video presses. */
export async function findOwnDraft(asking: PublicationAsking, id: string): Promise<FoundPublication> {
  const found = await findPublication(asking, id, "use somebody's card");
  if (found.publication.submittedBy !== asking.caller.id) {
    throw new UserError(
      "Only the person who sent the video can do that here. `/video publish` makes a card of your own.",
    );
  }
  return found;
}
