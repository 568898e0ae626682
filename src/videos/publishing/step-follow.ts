// The steps of a publication that the service has: it is followed through processing, and looked at when its time has
// come. A video counts as published only when the service says so.
import { ServiceError } from "../../core/errors.ts";
import type { Video, VideoStatus } from "../client/read-video.ts";
import type { PublicationState } from "../publications-table.ts";
import type { UsableAccount } from "../accounts/video-accounts.ts";
import type { PublicationLease, Step } from "./publication-lease.ts";
import { cancelled, endOf, failed, problemOf } from "./judge-failure.ts";
import { NO_ACCOUNT, formatProblem, plainProblem } from "./stored-problem.ts";
import type { PublicationProblem } from "./publish.ts";
import { accountKeyOf } from "./read-publication.ts";
import { FREE, enter, isToWithdraw } from "./states.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15_000;
/** Later than this is not as it should be, and said. */
const USUAL_MS = 15 * 60_000;
const LATE_PAUSE_MS = 60_000;
/** So long it is looked at, */
const FOLLOW_FOR_MS = 24 * 3_600_000;
/** and so often: a clock that jumped, or a bot that was off, must not end that early. In a day there are 1,400 looks. */
const FEWEST_LOOKS = 1_000;
const LONGEST_WAIT_MS = 3_600_000;
/** A video may be invisible for a moment. */
const GONE_AFTER_MS = 3 * 60_000;

const TOO_LONG = plainProblem("video", "timeout", false);

export function createFollowStep(deps: PublishRunnerDependencies): Step {
  const { accounts, client, clock, log } = deps;

  async function fail(
    lease: PublicationLease,
    from: PublicationState,
    problem: PublicationProblem,
  ): Promise<void> {
    await lease.change(from, failed(lease.record, problem, clock.now()), endOf);
  }

  /** It is looked at again, with what is in the way until then; not for ever. */
  async function goOn(
    lease: PublicationLease,
    from: PublicationState,
    {
      percent,
      problem,
      waitMs = 0,
    }: { percent?: number | undefined; problem?: PublicationProblem; waitMs?: number },
  ): Promise<void> {
    const nowMs = clock.now();
    const { troubleSinceMs = nowMs } = lease.record;
    const ageMs = nowMs - startOf(lease);
    const tries = lease.record.tries + 1;
    if (ageMs > FOLLOW_FOR_MS && tries > FEWEST_LOOKS && !isToWithdraw(lease.record)) {
      await fail(lease, from, { ...(problem ?? TOO_LONG), mayRetry: false });
      return;
    }
    const pauseMs =
      ageMs > USUAL_MS
        ? LATE_PAUSE_MS
        : Math.min(Math.max(FIRST_PAUSE_MS, Math.round(ageMs / 4)), LONGEST_PAUSE_MS);
    const shown = problem ?? (ageMs > USUAL_MS ? TOO_LONG : undefined);
    await lease.change(from, {
      ...(problem === undefined && { percent }),
      problem: shown && formatProblem(shown),
      troubleSinceMs: problem?.kind === "not-found" ? troubleSinceMs : undefined,
      tries,
      notBeforeMs: nowMs + Math.min(Math.max(pauseMs, waitMs), LONGEST_WAIT_MS),
    });
  }

  /** Its link is good to have, and nothing to wait for. */
  async function linkOf(account: UsableAccount, videoId: string): Promise<string | undefined> {
    try {
      return (await client.read(account.account, videoId, { withShares: false })).link;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.service !== "video") {
        throw error;
      }
      log.info({ error }, "video link read failed");
      return undefined;
    }
  }

  async function publish(
    lease: PublicationLease,
    from: PublicationState,
    link: string | undefined,
  ): Promise<void> {
    const done = { link, percent: undefined, fileUrl: undefined };
    await lease.change(from, { ...enter(lease.record, "published", clock.now()), ...done }, endOf);
  }

  async function process(lease: PublicationLease, account: UsableAccount, videoId: string): Promise<void> {
    const { stage, percent, problem } = await client.status(account.account, videoId);
    switch (stage) {
      case "published":
        await publish(lease, "processing", await linkOf(account, videoId));
        return;
      case "scheduled":
        await schedule(lease);
        return;
      case "failed":
      case "expired":
        log.warn(
          { service: "video", publication: lease.record.id, stage, problem },
          "video processing failed",
        );
        await fail(lease, "processing", plainProblem("video", "rejected", true));
        return;
      case "draft":
      case "processing":
      case "uploading":
        await goOn(lease, "processing", { percent });
        return;
    }
  }

  async function schedule(lease: PublicationLease): Promise<void> {
    // The link stays: where the bot is removed from the server, the video is cancelled and may be sent again.
    const ready = { ...enter(lease.record, "scheduled", clock.now()), percent: undefined };
    await lease.change("processing", ready, endOf);
  }

  /** The bot was removed from its server, where nobody could stop it any more. What is out stays. */
  async function withdraw(lease: PublicationLease, account: UsableAccount, videoId: string): Promise<void> {
    const { state } = lease.record;
    const { stage } = await client.status(account.account, videoId);
    if (stage === "published") {
      await publish(lease, state, await linkOf(account, videoId));
    } else {
      await client.delete(account.account, videoId);
      await cancel(lease, state);
    }
  }

  async function cancel(lease: PublicationLease, from: PublicationState): Promise<void> {
    await lease.change(from, (record) => cancelled(record, clock.now()), endOf);
  }

  /** Somebody may have chosen another time at the service itself. */
  async function awaitTime(lease: PublicationLease, account: UsableAccount, videoId: string): Promise<void> {
    const { status, publishAtMs, link }: Video = await client.read(account.account, videoId, {
      withShares: false,
    });
    if (status.stage === "published") {
      await publish(lease, "scheduled", link);
    } else if (isBad(status)) {
      await fail(lease, "scheduled", plainProblem("video", "rejected", false));
    } else if (publishAtMs !== undefined && publishAtMs > clock.now()) {
      await lease.change("scheduled", { publishAtMs, ...FREE });
    } else {
      await goOn(lease, "scheduled", {});
    }
  }

  async function handleFailure(
    lease: PublicationLease,
    from: PublicationState,
    error: ServiceError,
  ): Promise<void> {
    const problem = problemOf(error);
    const { troubleSinceMs = Infinity } = lease.record;
    log.info({ error, publication: lease.record.id }, "video read failed");
    if (problem.kind === "not-found" && clock.now() - troubleSinceMs > GONE_AFTER_MS) {
      await (isToWithdraw(lease.record)
        ? cancel(lease, from)
        : fail(lease, from, { ...problem, mayRetry: false }));
      return;
    }
    if (problem.kind === "unauthorised") {
      await accounts.markBroken(
        lease.record.guildId,
        accountKeyOf(lease.record),
        problem.trouble ?? "token-dead",
      );
    }
    await goOn(lease, from, { problem, waitMs: error.retryAfterMs ?? 0 });
  }

  return async (lease) => {
    const { guildId, account: key, state, videoId } = lease.record;
    const account = await accounts.byKey(guildId, key);
    if (account === undefined || videoId === undefined) {
      await goOn(lease, state, { problem: { ...NO_ACCOUNT, mayRetry: false }, waitMs: LATE_PAUSE_MS });
      return;
    }
    try {
      const step = isToWithdraw(lease.record) ? withdraw : state === "processing" ? process : awaitTime;
      await step(lease, account, videoId);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.service !== "video") {
        throw error;
      }
      await handleFailure(lease, state, error);
    }
  };
}

function isBad({ stage }: VideoStatus): boolean {
  return stage === "failed" || stage === "expired";
}

/** When this part of its way began. */
function startOf({ record: { state, stateAtMs, publishAtMs } }: PublicationLease): number {
  return state === "scheduled" ? Math.max(stateAtMs, publishAtMs ?? 0) : stateAtMs;
}
