import { linkEndsAt } from "../../core/attachments.ts";
import { UserError } from "../../core/errors.ts";
import { cutText, quoteText } from "../../core/text.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import type { AuditAction } from "../settings/audit-log.ts";
import type { Actor } from "../settings/video-rules.ts";
import {
  type UpdatePublication,
  approvalChannelOf,
  approvalRequestChanges,
  checkAuthor,
  checkCanRequestApproval,
  requirePublication,
} from "./change-publication.ts";
import { accountOf } from "./draft-publication.ts";
import type { Publication, PublishParts } from "./publish.ts";
import { enter, maySendAgain } from "./states.ts";

const LONGEST_REASON = 500;

export function createDecidePublication(deps: PublishParts) {
  const { publications, accounts, rules, messenger, clock, read, update } = deps;

  /** `decide` returns `undefined` if somebody else has decided already. */
  async function applyDecision(
    id: string,
    by: Actor,
    act: AuditAction,
    decide: Parameters<UpdatePublication>[1],
    note?: string,
  ): Promise<Publication> {
    const entry = { actorId: by.userId, act, note };
    const { before, after } = await update(id, decide, (changed, seen) =>
      changed.account === seen.account ? [changed.state === "expired" ? { act: "expired" } : entry] : [],
    );
    if (before.account !== after.account) {
      throw await accountChanged(after);
    }
    return read(after);
  }

  async function findObstacle(record: PublicationRecord): Promise<PublicationChanges | undefined> {
    const nowMs = clock.now();
    const { linkEndsAtMs, publishAtMs = Infinity } = record;
    if (linkEndsAtMs <= nowMs) {
      return enter(record, "expired", nowMs);
    }
    if (publishAtMs <= nowMs) {
      throw new UserError(
        "The time it was meant to go out has passed. The person who submitted it can choose another with **Edit**.",
      );
    }
    if ((await accounts.toPublish(record.guildId, record.account)) !== undefined) {
      return undefined;
    }
    // A publication is published with the account that people saw. If that can no longer be used, the bot names
    // the new one and the person presses again; a publication that continues automatically fails instead.
    const account = await accountOf(accounts, record.guildId);
    // An upload to the old account stays there, and the approval was given for that account. The new `stateAtMs`
    // invalidates Approve buttons that were shown before.
    const cleared = { session: undefined, videoId: undefined, decidedBy: undefined };
    return { account: account.key, ...cleared, stateAtMs: nowMs, nextAtMs: nowMs };
  }

  /** Requests approval in this channel, if any. */
  async function send(record: PublicationRecord, approvalChannelId?: string): Promise<PublicationChanges> {
    const nowMs = clock.now();
    if (approvalChannelId === undefined) {
      return enter(record, "uploading", nowMs);
    }
    await checkCanRequestApproval(messenger, approvalChannelId);
    return {
      ...enter(record, "awaiting-approval", nowMs),
      ...approvalRequestChanges(record, approvalChannelId, nowMs),
    };
  }

  async function accountChanged({ guildId, account }: PublicationRecord): Promise<UserError> {
    const name = (await accounts.byKey(guildId, account))?.name;
    const quoted = name === undefined ? "" : `“${quoteText(name)}”`;
    const which =
      account === "operator"
        ? `the bot's own account${quoted && `, ${quoted}`}`
        : quoted || "the account linked now";
    return new UserError(
      `The account this was meant for can no longer be used here. It would now go out with ${which}: if that's right, press once more.`,
    );
  }

  /** A server may come back after days; then the bot requests a fresh link, if Discord still has the file. */
  async function linkOf(record: PublicationRecord): Promise<PublicationChanges> {
    const { fileUrl, linkEndsAtMs } = record;
    const nowMs = clock.now();
    if (fileUrl !== undefined && maySendAgain(record)) {
      if (linkEndsAtMs > nowMs) {
        return { fileUrl, linkEndsAtMs };
      }
      const fresh = await messenger.freshLink(fileUrl);
      if (fresh !== undefined) {
        return { fileUrl: fresh, linkEndsAtMs: linkEndsAt(new URL(fresh), nowMs) };
      }
    }
    throw new UserError("This can't be sent again. Please attach the video again.");
  }

  return {
    /** A second press changes nothing. */
    async submit(id: string, by: Actor): Promise<Publication> {
      const { guildId } = await requirePublication(publications, id);
      const { approvalChannelId } = await rules.checkPublisher(guildId, by, "publish a video");
      return applyDecision(id, by, "submitted", async (record) => {
        if (record.state !== "draft") {
          return undefined;
        }
        const obstacle = await findObstacle(record);
        if (obstacle === undefined && approvalChannelId !== undefined) {
          checkAuthor(record, by);
        }
        return obstacle ?? send(record, approvalChannelId);
      });
    },
    /** `seenAtMs`: the `stateAtMs` that the approver saw. Throws a UserError if it was changed since. */
    async approve(id: string, by: Actor, seenAtMs?: number): Promise<Publication> {
      const { guildId, submittedBy } = await requirePublication(publications, id);
      await rules.checkApprover(guildId, by, submittedBy);
      return applyDecision(id, by, "approved", async (record) => {
        if (record.state !== "awaiting-approval") {
          return undefined;
        }
        if (seenAtMs !== undefined && seenAtMs !== record.stateAtMs) {
          throw new UserError("It was changed since you looked. Please read it again before you approve it.");
        }
        const approved = { ...enter(record, "uploading", clock.now()), decidedBy: by.userId };
        return (await findObstacle(record)) ?? approved;
      });
    },
    async refuse(id: string, reason: string, by: Actor): Promise<Publication> {
      const { guildId, submittedBy } = await requirePublication(publications, id);
      await rules.checkApprover(guildId, by, submittedBy);
      const refusedReason = cutText(reason.trim(), LONGEST_REASON) || undefined;
      const decide = (record: PublicationRecord): PublicationChanges | undefined =>
        record.state === "awaiting-approval"
          ? { ...enter(record, "refused", clock.now()), decidedBy: by.userId, refusedReason }
          : undefined;
      return applyDecision(id, by, "refused", decide, refusedReason);
    },
    /** Possible if nothing was published and the file is still available. */
    async retry(id: string, by: Actor): Promise<Publication> {
      const { guildId } = await requirePublication(publications, id);
      const settings = await rules.checkPublisher(guildId, by, "publish a video");
      return applyDecision(id, by, "submitted", async (record) => {
        if (record.state !== "failed" && record.state !== "cancelled") {
          return undefined;
        }
        const link = await linkOf(record);
        const obstacle = await findObstacle({ ...record, ...link });
        if (obstacle !== undefined) {
          return obstacle;
        }
        // Nobody may have approved it for this account, or the server may have introduced approval since.
        const asks = settings.approvalChannelId !== undefined && record.decidedBy === undefined;
        const changes = await send(record, asks ? approvalChannelOf(record, settings) : undefined);
        return { ...changes, ...link, doneBytes: 0 };
      });
    },
  };
}
