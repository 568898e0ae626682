// Where the two messages of a publication stand, and what its row says of each.
import type { PublicationChanges } from "../publications-table.ts";
import type { PublicationLease } from "./publication-lease.ts";
import { parseComponentId } from "../../core/component-id.ts";

/** One of the two messages, as the row has it. */
export interface PublicationMessage {
  /** Its unique name, e.g. for its nonce. */
  readonly key: string;
  readonly forApprovers: boolean;
  readonly channelId: string;
  readonly messageId: string | undefined;
  readonly shownHash: string | undefined;
  /** Since when somebody may have posted it, while that is not known. */
  readonly maybePostedSinceMs: number | undefined;
  /** Whether it may be posted now; otherwise it is only brought up to date, where it stands. */
  readonly mayPost: boolean;
  /** What is to be written about it, in the row's own names. */
  readonly write: (changes: MessageChanges) => PublicationChanges;
}

interface MessageChanges {
  readonly messageId?: string | undefined;
  readonly shownHash?: string | undefined;
}

/** Where everybody sees it. */
export function ownMessage({ record }: PublicationLease): PublicationMessage {
  return {
    key: `publication ${record.id}`,
    forApprovers: false,
    channelId: record.channelId,
    messageId: record.messageId,
    shownHash: record.shownHash,
    maybePostedSinceMs: record.postingSinceMs,
    mayPost: true,
    write: (changes) => ({ ...changes, postingSinceMs: undefined }),
  };
}

/**
 * Only what awaits approval asks for it, but what was asked must not stand there for ever: somebody may have decided
 * before anybody knew where it stands. The row has no room to say that it is about to be posted: it may always have been,
 * since the state was entered.
 */
export function approvalMessage({ record }: PublicationLease): PublicationMessage | undefined {
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
    maybePostedSinceMs: createdAtMs,
    mayPost: state === "awaiting-approval",
    write: (changes) => ({
      ...("messageId" in changes && { approvalMessageId: changes.messageId }),
      ...("shownHash" in changes && { approvalShownHash: changes.shownHash }),
    }),
  };
}

// The mark that the messages of a publication carry in all of their components. By it a message is found again after a
// crash or a lost answer.

/** Which publication a message is of, and whether it is the one that asks for approval. */
export interface PublicationMark {
  readonly id: string;
  readonly forApprovers: boolean;
}

/** What a component carries in its args. */
export function formatPublicationMark({
  id,
  forApprovers,
}: PublicationMark): Readonly<Record<string, string>> {
  return forApprovers ? { p: id, a: "1" } : { p: id };
}

/** Whether a message with these components is the one that is meant. */
export function hasPublicationMark(
  componentIds: readonly string[],
  { id, forApprovers }: PublicationMark,
): boolean {
  return componentIds.some((componentId) => {
    const target = parseComponentId(componentId);
    const { p, a } = target?.args ?? {};
    return target?.command.startsWith("video/") === true && p === id && (a === "1") === forApprovers;
  });
}
