// Where nobody knows whether a video was published, a person looks and says.
import { UserError } from "../../core/errors.ts";
import { type PublicationChanges, type PublicationRecord, VideoTakenError } from "../publications-table.ts";
import type { UsableAccount } from "../accounts/video-accounts.ts";
import type { Actor } from "../settings/video-settings.ts";
import { type AlterPublication, mustGet } from "./change-publication.ts";
import { enter, isLinkOver } from "./states.ts";
import { createReconciler } from "./reconcile.ts";
import { NOT_PENDING, arrived } from "./judge-failure.ts";
import type { Candidate, OutcomeDecision } from "./publish.ts";
import type { PublishDependencies } from "./publish-dependencies.ts";

const TAKEN =
  "Somebody else was quicker: that video has just become another publication's. Please look again which one this is.";

/** As many as a menu holds, one choice aside. */
const MOST_CANDIDATES = 24;

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

  /** Newest videos of its account that may be it. */
  async function candidates(id: string): Promise<readonly Candidate[]> {
    const record = await mustGet(publications, id);
    if (record.state !== "outcome-unknown") {
      return [];
    }
    const { account } = await accountOf(record);
    const videos = await reconciler.candidates(record, account);
    return videos
      .slice(0, MOST_CANDIDATES)
      .map(({ id: videoId, title, createdAtMs, link }) => ({ videoId, title, createdAtMs, link }));
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
    const videoId = isNone ? await findNow(record) : await checkCandidate(id, outcome.videoId);
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
        problem: undefined,
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

  async function checkCandidate(id: string, videoId: string): Promise<string> {
    const found = (await candidates(id)).find((candidate) => candidate.videoId === videoId);
    if (found === undefined) {
      throw new UserError("That video cannot be it. Please choose one of those that I list, or none.");
    }
    return found.videoId;
  }

  return { candidates, resolveOutcome };
}
