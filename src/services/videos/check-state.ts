import { UserError } from "../../core/errors.ts";
import type { PublicationRecord } from "../../storage/publications-table.ts";

/** Throws UserError for a publication that is no video to be looked after: not yet, no more, or never. */
export function checkLookedAfter({ state }: PublicationRecord): void {
  switch (state) {
    case "processing":
    case "scheduled":
    case "published":
      return;
    case "deleted":
      throw new UserError("That video was deleted.");
    case "uploading":
    case "outcome-unknown":
      throw new UserError("That video is still on its way. Its message says how far it is.");
    case "draft":
    case "awaiting-approval":
    case "refused":
    case "failed":
    case "cancelled":
    case "expired":
      throw new UserError("That video was never published, so there is nothing to look after.");
  }
}
