// Where the two messages of a publication stand, and what its row says of each.
import type { PublicationChanges } from "../../storage/publications-table.ts";
import type { Hold } from "./hold.ts";

/** One of the two messages, as the row has it. */
export interface Place {
  /** What it is called where it must be told from all others. */
  readonly key: string;
  readonly forApprovers: boolean;
  readonly channelId: string;
  readonly messageId: string | undefined;
  readonly shownHash: string | undefined;
  /** Since when somebody may have posted it, while that is not known. */
  readonly doubtSinceMs: number | undefined;
  /** Whether it may be posted now; otherwise it is only brought up to date, where it stands. */
  readonly mayPost: boolean;
  /** What is to be written about it, in the row's own names. */
  readonly write: (changes: PlaceChanges) => PublicationChanges;
}

interface PlaceChanges {
  readonly messageId?: string | undefined;
  readonly shownHash?: string | undefined;
}

/** Where everybody sees it. */
export function ownPlace({ record }: Hold): Place {
  return {
    key: `publication ${record.id}`,
    forApprovers: false,
    channelId: record.channelId,
    messageId: record.messageId,
    shownHash: record.shownHash,
    doubtSinceMs: record.postingSinceMs,
    mayPost: true,
    write: (changes) => ({ ...changes, postingSinceMs: undefined }),
  };
}

/**
 * Only what awaits approval asks for it, but what was asked must not stand there for ever: somebody may have decided
 * before anybody knew where it stands. The row has no room to say that it is about to be posted: it may always have been,
 * since the state was entered.
 */
export function approvalPlace({ record }: Hold): Place | undefined {
  const { approvalChannelId, approvalMessageId, approvalShownHash, state, createdAtMs } = record;
  if (approvalChannelId === undefined) {
    return undefined;
  }
  return {
    key: `approval ${record.id}`,
    forApprovers: true,
    channelId: approvalChannelId,
    messageId: approvalMessageId,
    shownHash: approvalShownHash,
    doubtSinceMs: createdAtMs,
    mayPost: state === "awaiting-approval",
    write: (changes) => ({
      ...("messageId" in changes && { approvalMessageId: changes.messageId }),
      ...("shownHash" in changes && { approvalShownHash: changes.shownHash }),
    }),
  };
}
