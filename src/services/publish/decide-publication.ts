// What people decide about a publication: that it goes out, that it may, that it may not, and that it goes once more.
import { UserError } from "../../core/errors.ts";
import type { PublicationChanges, PublicationRecord } from "../../storage/publications-table.ts";
import type { Actor, VideoAct } from "../video-settings/video-settings.ts";
import { approvalChannelOf, askIn, checkAuthor, checkCanAsk } from "./approval.ts";
import { type AlterPublication, type Altered, mustGet } from "./alter-publication.ts";
import { parseProblem } from "./kept-problem.ts";
import { UNWANTED } from "./keep-messages.ts";
import type { PublishDependencies } from "./publish-dependencies.ts";
import { enter } from "./states.ts";

/** Makes these parts of `Publish`, on rows. */
export function createDecidePublication(
  deps: PublishDependencies & { readonly alter: AlterPublication },
): DecidePublication {
  const { publications, accounts, rules, messenger, runner, clock, alter } = deps;

  async function finish(
    altered: Altered,
    by: Actor,
    act: VideoAct,
    note?: string,
  ): Promise<PublicationRecord> {
    const { after, isChanged } = altered;
    if (isChanged) {
      const { id, guildId, state } = after;
      const done =
        state === "expired" ? { actorId: undefined, act: state } : { actorId: by.userId, act, note };
      await rules.write({ guildId, publicationId: id, ...done });
      runner.nudge();
    }
    return after;
  }

  /** What its link no longer allows. */
  function expiry(record: PublicationRecord): PublicationChanges | undefined {
    if (record.linkEndsAtMs > clock.now()) {
      return undefined;
    }
    const unseen = record.state === "draft" ? { shownHash: UNWANTED } : {};
    return { ...enter(record, "expired", clock.now()), ...unseen };
  }

  function checkTime({ publishAtMs }: PublicationRecord): void {
    if (publishAtMs !== undefined && publishAtMs <= clock.now()) {
      throw new UserError(
        "The time at which it was to be published has passed. Whoever submitted it can choose another one with Edit.",
      );
    }
  }

  /** An account that was unlinked since is not simply another one. */
  async function checkAccount(record: PublicationRecord): Promise<string> {
    if ((await accounts.byKey(record.guildId, record.account)) !== undefined) {
      return record.account;
    }
    const account = await accounts.of(record.guildId);
    if (account === undefined) {
      throw new UserError(
        "The account that this was to be published with is no longer linked. Link one with /video account link first.",
      );
    }
    return account.key;
  }

  return {
    async submit(id, by) {
      const { guildId } = await mustGet(publications, id);
      await rules.checkPublisher(guildId, by, "publish a video");
      const { approvalChannelId } = await rules.settings(guildId);
      const altered = await alter(id, async (record) => {
        if (record.state !== "draft") {
          return undefined;
        }
        const expired = expiry(record);
        if (expired !== undefined) {
          return expired;
        }
        checkTime(record);
        const account = await checkAccount(record);
        if (account !== record.account) {
          return { account };
        }
        if (approvalChannelId === undefined) {
          return enter(record, "uploading", clock.now());
        }
        checkAuthor(record, by);
        await checkCanAsk(messenger, approvalChannelId);
        return { ...enter(record, "awaiting-approval", clock.now()), approvalChannelId };
      });
      if (altered.isChanged && altered.after.state === "draft") {
        throw new UserError(
          "The account that this was to be published with is no longer linked; another one is now. Look at the account again, and press once more if it is right.",
        );
      }
      return finish(altered, by, "submitted");
    },
    async approve(id, by, seenAtMs) {
      const { guildId, submittedBy } = await mustGet(publications, id);
      await rules.checkApprover(guildId, by, submittedBy);
      const altered = await alter(id, (record) => {
        if (record.state !== "awaiting-approval") {
          return undefined;
        }
        if (seenAtMs !== undefined && seenAtMs !== record.stateAtMs) {
          throw new UserError("It was changed since you looked. Please read it again before you approve it.");
        }
        const expired = expiry(record);
        if (expired === undefined) {
          checkTime(record);
        }
        return (
          expired ?? {
            ...enter(record, "uploading", clock.now()),
            decidedBy: by.userId,
            problem: undefined,
          }
        );
      });
      return finish(altered, by, "approved");
    },
    async refuse(id, reason, by) {
      const { guildId, submittedBy } = await mustGet(publications, id);
      await rules.checkApprover(guildId, by, submittedBy);
      const refusedReason = reason.toWellFormed().trim().slice(0, LONGEST_REASON) || undefined;
      const altered = await alter(id, (record) =>
        record.state === "awaiting-approval"
          ? {
              ...enter(record, "refused", clock.now()),
              decidedBy: by.userId,
              refusedReason,
              problem: undefined,
            }
          : undefined,
      );
      return finish(altered, by, "refused", refusedReason);
    },
    async retry(id, by) {
      const { guildId } = await mustGet(publications, id);
      await rules.checkPublisher(guildId, by, "publish a video");
      const settings = await rules.settings(guildId);
      const altered = await alter(id, async (record) => {
        if (record.state !== "failed") {
          return undefined;
        }
        if (parseProblem(record).problem?.mayRetry !== true || record.linkEndsAtMs <= clock.now()) {
          throw new UserError("This cannot be sent again. Please attach the video again.");
        }
        checkTime(record);
        const account = await checkAccount(record);
        const isOther = account !== record.account;
        // Nobody has approved it for that account, or nobody at all: the server came to want it meanwhile.
        const asks = settings.approvalChannelId !== undefined && (isOther || record.decidedBy === undefined);
        const channelId = asks ? approvalChannelOf(record, settings) : undefined;
        if (channelId !== undefined) {
          await checkCanAsk(messenger, channelId);
        }
        return {
          ...enter(record, channelId === undefined ? "uploading" : "awaiting-approval", clock.now()),
          account,
          problem: undefined,
          doneBytes: 0,
          ...(isOther && { session: undefined }),
          ...(channelId !== undefined && askIn(record, channelId)),
        };
      });
      return finish(altered, by, "submitted");
    },
  };
}

const LONGEST_REASON = 500;

/** On rows: whoever asks makes publications of them. */
export interface DecidePublication {
  submit(id: string, by: Actor): Promise<PublicationRecord>;
  approve(id: string, by: Actor, seenAtMs: number | undefined): Promise<PublicationRecord>;
  refuse(id: string, reason: string, by: Actor): Promise<PublicationRecord>;
  retry(id: string, by: Actor): Promise<PublicationRecord>;
}
