// Where nobody knows whether a video was published, a person looks and says.
import { UserError } from "../../core/errors.ts";
import { type PublicationChanges, type PublicationRecord, VideoTakenError } from "../publications-table.ts";
import type { UsableAccount } from "../accounts/video-accounts.ts";
import type { Actor } from "../settings/video-rules.ts";
import { type AlterPublication, mustGet } from "./change-publication.ts";
import { enter, isLinkOver } from "./states.ts";
import { createReconciler } from "./reconcile.ts";
import { NOT_PENDING, arrived } from "./judge-failure.ts";
import type { Candidate, OutcomeDecision, PublishDependencies } from "./publish.ts";

const TAKEN =
  "Somebody else was quicker: that video has just become another publication's. Please look again which one this is.";

export function createResolveOutcome(deps: PublishDependencies & { readonly alter: AlterPublication }) {
  const { publications, accounts, rules, runner, clock, alter } = deps;
  const reconciler = createReconciler(deps);

  async function accountOf({ guildId, account: key }: PublicationRecord): Promise<UsableAccount> {
    const account = await accounts.byKey(guildId, key);
    if (account === undefined) {
      throw new UserError(
        "I cannot look: the account that it went to is no longer linked. Link it again with /video account link.",
      );
    }
    return account;
  }

  /** The video of its account that it most likely is; `undefined` where there is none. */
  async function candidate(id: string): Promise<Candidate | undefined> {
    const record = await mustGet(publications, id);
    if (record.state !== "outcome-unknown") {
      return undefined;
    }
    const { account } = await accountOf(record);
    const [found] = await reconciler.candidates(record, account);
    return (
      found && { videoId: found.id, title: found.title, createdAtMs: found.createdAtMs, link: found.link }
    );
  }

  /** A person who says that it is absent may have looked too early. */
  async function findNow(record: PublicationRecord): Promise<string | undefined> {
    const { account } = await accountOf(record);
    const finding = await reconciler.find(record, account);
    return typeof finding === "string" ? undefined : finding.videoId;
  }

  async function resolveOutcome(id: string, outcome: OutcomeDecision, by: Actor): Promise<PublicationRecord> {
    const record = await mustGet(publications, id);
    const { guildId } = record;
    await rules.checkPublisher(guildId, by, "say whether a video was published");
    if (record.state !== "outcome-unknown") {
      return record;
    }
    const isNone = typeof outcome === "string";
    const videoId = isNone ? await findNow(record) : await checkCandidate(record, outcome.videoId);
    const note = isNone && videoId === undefined ? "not there" : undefined;
    const decide = (current: PublicationRecord): PublicationChanges | undefined => {
      if (current.state !== "outcome-unknown") {
        return undefined;
      }
      if (videoId !== undefined) {
        return arrived(current, videoId, clock.now());
      }
      const isOver = isLinkOver(current, clock.now());
      const next = outcome === "given-up" ? "cancelled" : isOver ? "expired" : "uploading";
      return {
        ...enter(current, next, clock.now()),
        ...NOT_PENDING,
      };
    };
    try {
      const { after } = await alter(id, decide, () => [{ actorId: by.userId, act: "settled", note }]);
      runner.nudge();
      return after;
    } catch (error) {
      throw error instanceof VideoTakenError ? new UserError(TAKEN) : error;
    }
  }

  async function checkCandidate(record: PublicationRecord, videoId: string): Promise<string> {
    const { account } = await accountOf(record);
    const found = await reconciler.candidates(record, account);
    if (!found.some(({ id }) => id === videoId)) {
      throw new UserError("That video cannot be it. Please let me look once more.");
    }
    return videoId;
  }

  return { candidate, resolveOutcome };
}
