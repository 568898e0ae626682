// Reconciles: finds out what became of a write whose answer was lost. It is looked for, never sent again.
import type { VideoAccount } from "../client/who-am-i.ts";
import type { Video } from "../client/read-video.ts";
import { ServiceError } from "../../core/errors.ts";
import { type PublicationRecord, VideoTakenError } from "../publications-table.ts";
import type { PublicationLease, Step } from "./publication-lease.ts";
import { NOT_PENDING, arrived, cancelled, endOf, failed, problemOf } from "./judge-failure.ts";
import { parseProblem, replaceProblem } from "./stored-problem.ts";
import type { PublicationProblem } from "./publish.ts";
import { enter } from "./states.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";

/** What a look has shown. */
type Finding =
  | { readonly videoId: string }
  /** It did not happen, and will not. */
  | "absent"
  /** Not now; it may turn up. */
  | "unknown";

/** The service's clock may be behind ours. */
const SKEW_MS = 2 * 60_000;
/** A hundred videos in some minutes are nobody's. */
const MOST_PAGES = 4;
/** Throws as client and database do. */
export function createReconciler({
  client,
  publications,
}: Pick<PublishRunnerDependencies, "client" | "publications">) {
  async function newest(account: VideoAccount, sinceMs: number): Promise<readonly Video[]> {
    const found: Video[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const page = await client.list(account, after);
      found.push(...page.items);
      const oldest = page.items.at(-1);
      after = page.after;
      if (after === undefined || (oldest?.createdAtMs !== undefined && oldest.createdAtMs < sinceMs)) {
        break;
      }
    }
    return found.filter(({ createdAtMs }) => createdAtMs === undefined || createdAtMs >= sinceMs);
  }

  /** Those that are no other publication's. */
  async function unclaimed(record: PublicationRecord, account: VideoAccount): Promise<readonly Video[]> {
    const sinceMs = (record.pendingSinceMs ?? record.stateAtMs) - SKEW_MS;
    const videos = await newest(account, sinceMs);
    const taken = await publications.known(videos.map(({ id }) => id));
    // A session has its video from the start; a whole upload has none, but perhaps that of an attempt before it.
    const own = record.pendingWrite === "finish" ? record.videoId : undefined;
    return videos.filter(({ id }) => id === own || !taken.has(id));
  }

  /** Another one with the same texts, of whichever server, may be looking for the very same video. */
  async function hasRival(record: PublicationRecord): Promise<boolean> {
    const others = await publications.withUnknownOutcome(record.account);
    return others.some((other) => other.id !== record.id && isLike(other, record));
  }

  async function findInList(record: PublicationRecord, account: VideoAccount): Promise<Finding> {
    const matches = (await unclaimed(record, account)).filter((video) => isLike(video, record));
    const [only] = matches;
    return only === undefined || matches.length > 1 || (await hasRival(record))
      ? "unknown"
      : { videoId: only.id };
  }

  async function findByStatus(videoId: string, account: VideoAccount): Promise<Finding> {
    try {
      const { stage } = await client.status(account, videoId);
      return stage === "uploading" ? "unknown" : stage === "expired" ? "absent" : { videoId };
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "not-found") {
        return "unknown";
      }
      throw error;
    }
  }

  return {
    find: (record: PublicationRecord, account: VideoAccount): Promise<Finding> =>
      record.pendingWrite === "finish" && record.videoId !== undefined
        ? findByStatus(record.videoId, account)
        : findInList(record, account),
    /** The account's videos that may be it, the newest first: nobody but a person can tell them apart. */
    async candidates(record: PublicationRecord, account: VideoAccount): Promise<readonly Video[]> {
      return (await unclaimed(record, account)).filter((video) => isLike(video, record));
    },
  };
}

type Texts = Pick<PublicationRecord, "title" | "description">;

function isLike(one: Texts, other: Texts): boolean {
  return plain(one.title) === plain(other.title) && plain(one.description) === plain(other.description);
}

/** As the service may give it back. */
function plain(text: string | undefined): string {
  return (text ?? "").normalize().replace(/\s+/g, " ").trim();
}

// The step of a publication of which a write's answer was lost, or whose process died over one: it is looked for, for
// some minutes, since what was lost may still turn up. Then a person must look.

const RECONCILE_FOR_MS = 10 * 60_000;
/** Where the service cannot be asked, there is no hurry to ask a person, who could not see more. */
const UNREACHABLE_FOR_MS = 3_600_000;
const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;
const LONGEST_WAIT_MS = 10 * 60_000;

const UNKNOWN: PublicationProblem = { of: "video", kind: "outcome-unknown", mayRetry: false };

export function createReconcileStep(deps: PublishRunnerDependencies): Step {
  const { accounts, clock, log } = deps;
  const reconciler = createReconciler(deps);

  async function find(lease: PublicationLease, account: VideoAccount): Promise<Finding | ServiceError> {
    try {
      return await reconciler.find(lease.record, account);
    } catch (error) {
      if (error instanceof ServiceError && error.service === "video") {
        log.info({ error, publication: lease.record.id }, "reconciliation failed, will retry");
        return error;
      }
      throw error;
    }
  }

  async function stayUnknown(lease: PublicationLease, failure: ServiceError | undefined): Promise<void> {
    const nowMs = clock.now();
    const { notBeforeMs, troubleSinceMs, tries } = lease.record;
    // A process that died over the write left no word of when it was: the row waited for nothing then.
    const isBegun = notBeforeMs !== undefined && troubleSinceMs !== undefined;
    const startMs = isBegun ? troubleSinceMs : nowMs;
    const before = parseProblem(lease.record);
    const kept = before?.kind === "outcome-unknown" ? before : UNKNOWN;
    if (nowMs - startMs >= (failure === undefined ? RECONCILE_FOR_MS : UNREACHABLE_FOR_MS)) {
      await lease.change(
        "uploading",
        (record) => ({
          ...enter(record, "outcome-unknown", nowMs),
          problem: replaceProblem(record, kept),
        }),
        () => ({ act: "failed", note: "outcome-unknown" }),
      );
      return;
    }
    const seen = isBegun ? tries : 0;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** seen, LONGEST_PAUSE_MS);
    const waitMs = Math.min(Math.max(pauseMs, failure?.retryAfterMs ?? 0), LONGEST_WAIT_MS);
    const next = { troubleSinceMs: startMs, tries: seen + 1, notBeforeMs: nowMs + waitMs };
    await lease.change("uploading", (record) => ({ problem: replaceProblem(record, kept), ...next }));
  }

  async function endWithout(lease: PublicationLease): Promise<void> {
    const nowMs = clock.now();
    const problem: PublicationProblem = { of: "video", kind: "rejected", trouble: "session", mayRetry: true };
    await lease.change(
      "uploading",
      (record) => ({
        ...(record.stopReason === undefined ? failed(record, problem, nowMs) : cancelled(record, nowMs)),
        ...NOT_PENDING,
        session: undefined,
      }),
      endOf,
    );
  }

  /** Somebody may have said in this very moment that it is another one's. */
  async function take(lease: PublicationLease, videoId: string): Promise<void> {
    try {
      await lease.change("uploading", (record) => arrived(record, videoId, clock.now()));
    } catch (error) {
      if (!(error instanceof VideoTakenError)) {
        throw error;
      }
      await stayUnknown(lease, undefined);
    }
  }

  return async (lease) => {
    const { guildId, account: key } = lease.record;
    const account = await accounts.byKey(guildId, key);
    const gone = new ServiceError("video", "unauthorised", "there is no account to look with");
    const finding = account === undefined ? gone : await find(lease, account.account);
    if (finding instanceof ServiceError) {
      const { kind, trouble = "token-dead" } = problemOf(finding);
      if (account !== undefined && kind === "unauthorised") {
        await accounts.markBroken(guildId, account.key, trouble);
      }
      await stayUnknown(lease, finding);
    } else if (finding === "unknown") {
      await stayUnknown(lease, undefined);
    } else if (finding === "absent") {
      await endWithout(lease);
    } else {
      const { id } = lease.record;
      log.info({ service: "video", publication: id }, "lost upload found");
      await take(lease, finding.videoId);
    }
  };
}
