// Whether others are to approve a publication, where they are asked, and who may have a hand in it.
import { UserError } from "../../core/errors.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import type { Messenger } from "../../core/ports.ts";
import { checkChannel } from "../../delivery/check-channel.ts";
import type { Actor, VideoSettings } from "../settings/video-rules.ts";

/**
 * Where its approval is asked for, or would be: where the question stands, or else where the server wants it now.
 * `undefined`: nobody has to approve it.
 */
export function approvalChannelOf(
  { approvalChannelId, approvalMessageId }: PublicationRecord,
  settings: Pick<VideoSettings, "approvalChannelId">,
): string | undefined {
  return approvalMessageId === undefined
    ? (settings.approvalChannelId ?? approvalChannelId)
    : approvalChannelId;
}

/** Whether the question could not be put: it stands nowhere, and nobody tries any more. */
export function isUnasked({ state, approvalMessageId, approvalShownHash }: PublicationRecord): boolean {
  return state === "awaiting-approval" && approvalMessageId === undefined && approvalShownHash !== undefined;
}

/** What it takes to ask there. A question that stands is brought up to date; one that was deleted is put once more. */
export function askIn({ approvalMessageId }: PublicationRecord, channelId: string): PublicationChanges {
  return {
    decidedBy: undefined,
    problem: undefined,
    approvalChannelId: channelId,
    ...(approvalMessageId === undefined && { approvalShownHash: undefined }),
  };
}

/** Throws UserError where the bot cannot ask there. */
export async function checkCanAsk(messenger: Pick<Messenger, "check">, channelId: string): Promise<void> {
  await checkChannel(messenger, { channelId }, ASK_WORDS);
}

const ASK_WORDS = {
  act: "ask for approval",
  otherwise: "have somebody who manages this server choose another channel with `/video settings`",
};

/**
 * Where others are to approve, it is its author's: anybody else who changed it could approve their own work. Throws
 * UserError.
 */
export function checkAuthor(
  { submittedBy }: Pick<PublicationRecord, "submittedBy">,
  { userId }: Actor,
): void {
  if (submittedBy !== undefined && submittedBy !== userId) {
    throw new UserError("Only the person who attached it can do that, because others are to approve it.");
  }
}
