// What people decide about a publication: that it goes out, that it may, that it may not, and that it goes once more.
import { cutText, quoteText } from "../../core/text.ts";
import { UserError } from "../../core/errors.ts";
import type { PublicationChanges, PublicationRecord } from "../publications-table.ts";
import type { Actor } from "../settings/video-rules.ts";
import type { AuditAction } from "../settings/audit-log.ts";
import { approvalChannelOf, askIn, checkAuthor, checkCanAsk } from "./approval.ts";
import { type AlterPublication, type Altered, mustGet } from "./change-publication.ts";
import { linkEndsAt } from "../../core/attachments.ts";
import { maySendAgain } from "./stored-problem.ts";
import { UNWANTED } from "./update-messages.ts";
import type { PublishDependencies } from "./publish.ts";
import { enter } from "./states.ts";

export function createDecidePublication(deps: PublishDependencies & { readonly alter: AlterPublication }) {
  const { publications, rules, messenger, runner, clock, alter } = deps;
  const confirmation = createAccountConfirmation(deps);

  async function finish(altered: Altered): Promise<PublicationRecord> {
    if (altered.isChanged) {
      runner.nudge();
      await confirmation.announce(altered);
    }
    return altered.after;
  }

  /** What its link no longer allows. */
  function expiry(record: PublicationRecord): PublicationChanges | undefined {
    if (record.linkEndsAtMs > clock.now()) {
      return undefined;
    }
    const unseen = record.state === "draft" ? { shownHash: UNWANTED } : {};
    return { ...enter(record, "expired", clock.now()), ...unseen };
  }

  /** The link to the file, as long as Discord has it. A server may come back after days: then another one is asked for. */
  async function linkOf(
    record: PublicationRecord,
  ): Promise<Pick<PublicationRecord, "fileUrl" | "linkEndsAtMs">> {
    const { fileUrl, linkEndsAtMs } = record;
    const nowMs = clock.now();
    if (fileUrl !== undefined && maySendAgain(record)) {
      const fresh = linkEndsAtMs > nowMs ? fileUrl : await messenger.freshLink(fileUrl);
      if (fresh !== undefined) {
        return {
          fileUrl: fresh,
          linkEndsAtMs: fresh === fileUrl ? linkEndsAtMs : linkEndsAt(new URL(fresh), nowMs),
        };
      }
    }
    throw new UserError("This cannot be sent again. Please attach the video again.");
  }

  function checkTime({ publishAtMs }: PublicationRecord): void {
    if (publishAtMs !== undefined && publishAtMs <= clock.now()) {
      throw new UserError(
        "The time at which it was to be published has passed. Whoever submitted it can choose another one with Edit.",
      );
    }
  }

  return {
    async submit(id: string, by: Actor): Promise<PublicationRecord> {
      const { guildId } = await mustGet(publications, id);
      await rules.checkPublisher(guildId, by, "publish a video");
      const { approvalChannelId } = await rules.settings(guildId);
      const decide: Decide = async (record) => {
        if (record.state !== "draft") {
          return undefined;
        }
        const expired = expiry(record);
        if (expired !== undefined) {
          return expired;
        }
        checkTime(record);
        const moved = await confirmation.check(record);
        if (moved !== undefined) {
          return moved;
        }
        if (approvalChannelId === undefined) {
          return enter(record, "uploading", clock.now());
        }
        checkAuthor(record, by);
        await checkCanAsk(messenger, approvalChannelId);
        return { ...enter(record, "awaiting-approval", clock.now()), approvalChannelId };
      };
      return finish(await alter(id, decide, written(by, "submitted")));
    },
    async approve(id: string, by: Actor, seenAtMs?: number): Promise<PublicationRecord> {
      const { guildId, submittedBy } = await mustGet(publications, id);
      await rules.checkApprover(guildId, by, submittedBy);
      const decide: Decide = async (record) => {
        if (record.state !== "awaiting-approval") {
          return undefined;
        }
        if (seenAtMs !== undefined && seenAtMs !== record.stateAtMs) {
          throw new UserError("It was changed since you looked. Please read it again before you approve it.");
        }
        const expired = expiry(record);
        if (expired !== undefined) {
          return expired;
        }
        checkTime(record);
        return (
          (await confirmation.check(record)) ?? {
            ...enter(record, "uploading", clock.now()),
            decidedBy: by.userId,
          }
        );
      };
      return finish(await alter(id, decide, written(by, "approved")));
    },
    async refuse(id: string, reason: string, by: Actor): Promise<PublicationRecord> {
      const { guildId, submittedBy } = await mustGet(publications, id);
      await rules.checkApprover(guildId, by, submittedBy);
      const refusedReason = cutText(reason.trim(), LONGEST_REASON) || undefined;
      const decide: Decide = (record) => {
        const refused = { decidedBy: by.userId, refusedReason };
        return record.state === "awaiting-approval"
          ? { ...enter(record, "refused", clock.now()), ...refused }
          : undefined;
      };
      return finish(await alter(id, decide, written(by, "refused", refusedReason)));
    },
    async retry(id: string, by: Actor): Promise<PublicationRecord> {
      const { guildId } = await mustGet(publications, id);
      await rules.checkPublisher(guildId, by, "publish a video");
      const settings = await rules.settings(guildId);
      const decide: Decide = async (record) => {
        if (record.state !== "failed" && record.state !== "cancelled") {
          return undefined;
        }
        const link = await linkOf(record);
        checkTime(record);
        const moved = await confirmation.check(record);
        if (moved !== undefined) {
          return moved;
        }
        // Nobody has approved it: for this account, or at all, since the server came to want it meanwhile.
        const asks = settings.approvalChannelId !== undefined && record.decidedBy === undefined;
        const channelId = asks ? approvalChannelOf(record, settings) : undefined;
        if (channelId !== undefined) {
          await checkCanAsk(messenger, channelId);
        }
        return {
          ...enter(record, channelId === undefined ? "uploading" : "awaiting-approval", clock.now()),
          ...link,
          doneBytes: 0,
          ...(channelId !== undefined && askIn(record, channelId)),
        };
      };
      return finish(await alter(id, decide, written(by, "submitted")));
    },
  };
}

type Decide = Parameters<AlterPublication>[1];
type ActsOf = Parameters<AlterPublication>[2];

/** What a press comes to, unless the link has ended, or the account has changed, which is yet to be confirmed. */
function written({ userId }: Actor, act: AuditAction, note?: string): ActsOf {
  return (after, before) => {
    if (after.account !== before.account) {
      return [];
    }
    return [after.state === "expired" ? { act: after.state } : { actorId: userId, act, note }];
  };
}

const LONGEST_REASON = 500;

// The account that a publication goes out with is the one that people saw. Where that was unlinked since, another one
// does not simply take its place: it is named first, and the person has to press again. So it is with everything
// that sends; what goes on by itself, e.g. at its time, fails instead, and says why.

function createAccountConfirmation({ accounts, clock }: Pick<PublishDependencies, "accounts" | "clock">) {
  return {
    /**
     * What puts the account that the server publishes with now in place of one that was unlinked, and nothing else;
     * `undefined` where that is not so. Throws UserError where the server has none that can be used.
     */
    async check({ guildId, account: key }: PublicationRecord): Promise<PublicationChanges | undefined> {
      if ((await accounts.byKey(guildId, key)) !== undefined) {
        return undefined;
      }
      const account = await accounts.of(guildId);
      if (account === undefined) {
        throw new UserError(
          "The account that this was to be published with is no longer linked. Link one with `/video account link` first.",
        );
      }
      const nowMs = clock.now();
      // What was begun there stays there, and who approved it approved the other account. The moment makes Approve on
      // what was shown before worth nothing.
      const cleared = { session: undefined, videoId: undefined, decidedBy: undefined };
      return { account: account.key, ...cleared, stateAtMs: nowMs, nextAtMs: nowMs };
    },
    /** Throws UserError, which names the account, where that is all that was done. */
    async announce({ before, after }: Altered): Promise<void> {
      if (before.account === after.account) {
        return;
      }
      const name = (await accounts.byKey(after.guildId, after.account))?.name;
      const quoted = name === undefined ? "" : `“${quoteText(name)}”`;
      const which =
        after.account !== "operator"
          ? quoted || "the account that is linked now"
          : `the bot's own account${quoted && `, ${quoted}`}`;
      throw new UserError(
        `The account that this was to be published with is no longer linked. It would now go out with ${which}: if that is right, press once more.`,
      );
    },
  };
}
