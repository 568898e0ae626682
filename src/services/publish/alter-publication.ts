// Changes that people make: decided on what is there, and made only if it still is.
import { UserError } from "../../core/errors.ts";
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

/**
 * Reads a publication, decides, and changes it, again and again until nobody was quicker. `decide` gives `undefined`
 * where nothing is to be changed, and throws UserError for what cannot be done. Throws as it and the database do.
 */
export type AlterPublication = (
  id: string,
  decide: (
    record: PublicationRecord,
  ) => PublicationChanges | undefined | Promise<PublicationChanges | undefined>,
) => Promise<Altered>;

/** Whoever works on it renews its claim meanwhile, every few seconds. */
const MOST_TRIES = 20;

/** Makes what alters. */
export function createAlterPublication(
  publications: Pick<PublicationsTable, "get" | "change">,
): AlterPublication {
  return async (id, decide) => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const before = await mustGet(publications, id);
      const changes = await decide(before);
      if (changes === undefined) {
        return { before, after: before, isChanged: false };
      }
      const after = await publications.change(before, changes);
      if (after !== undefined) {
        return { before, after, isChanged: true };
      }
    }
    throw new UserError("Somebody else is changing that video's publication right now. Please try again.");
  };
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
