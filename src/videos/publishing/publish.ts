// Publishes videos: from the file that somebody attached to the link that everybody can open.
import type { Video, VideoPicture } from "../client/read-video.ts";
import type { MessageFile } from "../../core/ports.ts";
import type { Reply } from "../../core/reply.ts";
import type { Actor } from "../settings/video-rules.ts";
import {
  type UpdatePublication,
  createUpdatePublication,
  createChangePublication,
  requirePublication,
} from "./change-publication.ts";
import { createDecidePublication } from "./decide-publication.ts";
import { createDraftPublication } from "./draft-publication.ts";
import type { PublicationProblem } from "./problems.ts";
import type { PublishRunner, PublishRunnerDependencies } from "./publish-runner.ts";
import { createReadPublication } from "./publication-messages.ts";
import { createResolveOutcome } from "./reconcile.ts";

export interface PublishRequest extends PublicationTexts {
  readonly guildId: string;
  /** The channel for its message: one of the server, or a DM with the person. */
  readonly channelId: string;
  readonly isConversation?: boolean;
  readonly by: Actor;
  readonly file: MessageFile;
}

/** An absent one stays unchanged; `undefined` or an empty text clears one. */
export interface PublicationTexts {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The time as typed, e.g. `tomorrow 18:00`, in the server's time zone. */
  readonly publishAt?: string | undefined;
}

/** A publication with everything that views show. */
export type Publication = Awaited<ReturnType<ReturnType<typeof createReadPublication>>>;

export type Candidate = Pick<Video, "id" | "title" | "createdAtMs" | "link">;

/** A video that may be the publication's, or why the bot cannot search for it. */
export interface CandidateSearch {
  readonly candidate?: Candidate | undefined;
  readonly problem?: PublicationProblem;
}

/** The person found this video, or none, so that it should be sent again (`absent`) or not (`given-up`). */
export type OutcomeDecision = { readonly videoId: string } | "absent" | "given-up";

/** `forApprovers`: of the message in the approval channel. `picture`: the published video's. */
export type PresentPublication = (
  publication: Publication,
  options: { readonly forApprovers: boolean; readonly picture?: VideoPicture | undefined },
) => Reply;

export interface PublishDependencies extends PublishRunnerDependencies {
  readonly runner: Pick<PublishRunner, "nudge" | "stop" | "shown">;
}

/** How long a person who pressed Publish waits for the link to the message, at most. */
const SHOWN_WITHIN_MS = 1_000;

export interface PublishParts extends PublishDependencies {
  readonly read: ReturnType<typeof createReadPublication>;
  readonly update: UpdatePublication;
}

/** Its functions throw UserError if something is not possible, and whatever they call throws. */
export function createPublish(deps: PublishDependencies) {
  const { publications, runner } = deps;
  const read = createReadPublication(deps);
  const parts = { ...deps, read, update: createUpdatePublication(deps) };

  return {
    draft: createDraftPublication(parts),
    ...createChangePublication(parts),
    ...createDecidePublication(parts),
    ...createResolveOutcome(parts),
    /** Finds a publication of any server, for buttons in DMs; the caller checks who may see it. */
    async find(id: string): Promise<Publication | undefined> {
      const record = await publications.get(id);
      return record && read(record);
    },
    titles: (guildId: string, ids: readonly string[]) => publications.titles(guildId, ids),
    /** As `find`, but waits a short time for its message, so that the answer can link to it. */
    async shown(id: string): Promise<Publication> {
      const isShown = runner.shown(id, SHOWN_WITHIN_MS);
      const { messageId } = await requirePublication(publications, id);
      if (messageId === undefined) {
        await isShown;
      }
      return read(await requirePublication(publications, id));
    },
  };
}

export type Publish = ReturnType<typeof createPublish>;
