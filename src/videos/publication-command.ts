// What can be pressed on publications and on the cards of drafts shares this: which publication it is, who presses, and a
// draft's card as the answer.
import { UserError } from "../core/errors.ts";
import type { Reply, Visibility } from "../core/reply.ts";
import { pressed } from "../discord/define/components.ts";
import type { Answer, Context } from "../discord/define/context.ts";
import { publicationArgs } from "./publication-args.ts";
import { publicationCardView } from "./publication-answers-view.ts";
import type { Publication } from "./publishing/publish.ts";
import type { Actor } from "./settings/video-rules.ts";

export const PUBLICATION_NEEDS = ["publish", "videoActors", "videoRules"] as const;

export type PublicationContext = Context<(typeof PUBLICATION_NEEDS)[number]>;

export interface FoundPublication {
  readonly id: string;
  readonly publication: Publication;
  readonly by: Actor;
}

/** Throws UserError if it is gone, or if they may not change it; otherwise as `VideoActors` does. `what`: what they try to do. */
export async function findPublication(
  context: PublicationContext,
  id: string,
  what: string,
): Promise<FoundPublication> {
  const { publish, videoActors } = context.services;
  const publication = await publish.find(id);
  if (publication === undefined) {
    throw new UserError(
      "I no longer know that publication. If the video wasn't published, attach it again with `/video publish`.",
    );
  }
  return { id, publication, by: await videoActors.of(publication.guildId, context, what) };
}

/** The same for a draft's card, on which only the person who attached the video presses. */
export async function findOwnDraft(context: PublicationContext, id: string): Promise<FoundPublication> {
  const found = await findPublication(context, id, "use somebody's card");
  if (found.publication.submittedBy !== context.caller.id) {
    throw new UserError(
      "Only the person who sent the video can do that here. To publish your own, use `/video publish`.",
    );
  }
  return found;
}

type Press = (context: PublicationContext, found: FoundPublication) => Answer | Promise<Answer>;

/** A button that carries a publication. `what` it tries goes into the audit log where it is not theirs to try. */
export function onPublication(what: string, press: Press) {
  return pressed(publicationArgs, async (context: PublicationContext, { id }) =>
    press(context, await findPublication(context, id, what)),
  );
}

/** The same, answered beside the message, which others see. */
export function onPublicationBeside(what: string, press: Press) {
  return { ...onPublication(what, press), answers: "private" as const };
}

export async function showCard(
  { services }: Pick<Context<"videoRules">, "services">,
  draft: Publication,
  visibility: Visibility,
  problem?: string,
): Promise<Reply> {
  const settings = await services.videoRules.settings(draft.guildId);
  return publicationCardView(draft, settings, visibility, problem);
}
