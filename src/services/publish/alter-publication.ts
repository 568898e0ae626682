// Changes that people make: decided on what is there, and made only if it still is.
import { UserError } from "../../core/errors.ts";
import type { ActToWrite, VideoRules } from "../video-settings/video-settings.ts";
import type {
  PublicationChanges,
  PublicationRecord,
  PublicationsTable,
} from "../../storage/publications-table.ts";

/** What came of it. */
export interface Altered {
  readonly before: PublicationRecord;
  readonly after: PublicationRecord;
  /** `false` where there was nothing to change. */
  readonly isChanged: boolean;
}

/** An act of a publication's, beyond what the row says itself. */
export interface RowAct extends Pick<ActToWrite, "act" | "note"> {
  /** Absent: the bot itself. */
  readonly actorId?: string;
}

/**
 * Reads a publication, decides, and changes it together with what is written down of it, again and again until nobody
 * was quicker. `decide` gives `undefined` where nothing is to be changed, and throws UserError for what cannot be done;
 * `actsOf` is asked with what it then comes to. Throws as both and the database do.
 */
export type AlterPublication = (
  id: string,
  decide: (
    record: PublicationRecord,
  ) => PublicationChanges | undefined | Promise<PublicationChanges | undefined>,
  actsOf: (after: PublicationRecord, before: PublicationRecord) => readonly RowAct[],
) => Promise<Altered>;

/** Whoever works on it renews its claim meanwhile, every few seconds. */
const MOST_TRIES = 20;

/** Makes what alters. */
export function createAlterPublication({
  publications,
  rules,
}: {
  readonly publications: Pick<PublicationsTable, "get" | "change">;
  readonly rules: Pick<VideoRules, "writeWith">;
}): AlterPublication {
  return async (id, decide, actsOf) => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const before = await mustGet(publications, id);
      const changes = await decide(before);
      if (changes === undefined) {
        return { before, after: before, isChanged: false };
      }
      const acts = actsOf({ ...before, ...changes }, before).map((act) => actOn(before, changes, act));
      const after = await rules.writeWith(acts, (lines) =>
        publications.change(before, changes, { acts: lines }),
      );
      if (after !== undefined) {
        return { before, after, isChanged: true };
      }
    }
    throw new UserError("Somebody else is changing that video's publication right now. Please try again.");
  };
}

/** What is written down of a publication as it is after a change. */
export function actOn(
  before: PublicationRecord,
  changes: PublicationChanges,
  { actorId, act, note }: RowAct,
): ActToWrite {
  const { id: publicationId, guildId } = before;
  const { videoId } = { ...before, ...changes };
  return { guildId, actorId, act, publicationId, videoId, note };
}

/** Throws UserError for one that is no longer there. */
export async function mustGet(
  publications: Pick<PublicationsTable, "get">,
  id: string,
): Promise<PublicationRecord> {
  const record = await publications.get(id);
  if (record === undefined) {
    throw new UserError("That publication is no longer here. Please attach the video again.");
  }
  return record;
}
