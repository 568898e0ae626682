import { LRUCache } from "lru-cache";
import type { Video, VideoStage } from "./client/read-video.ts";
import { ServiceError } from "../core/errors.ts";
import { limitEntries } from "../core/cache-options.ts";
import type { PublicationRecord } from "./publications-table.ts";
import { type PublicationProblem, formatProblem, parseProblem } from "./publishing/problems.ts";
import type { OwnedVideosDependencies, VideoSample } from "./videos.ts";
import { DAY_MS, HOUR_MS } from "../time/wall-clock.ts";

/** The most samples in one run; each takes two requests. The rest is more overdue in the next run. */
const MAX_PER_RUN = 60;
/** How long to wait before checking a missing video again: it may only be hidden. */
const MISSING_RECHECK_MS = 86_400_000;
/** If a video is evicted from the cache, it is only checked sooner. */
const MISSING_REMEMBERED = 10_000;
/** After such a refusal, the account is not used again until the next run. */
const ACCOUNT_REFUSALS: ReadonlySet<string> = new Set(["rate-limited", "unauthorised", "not-permitted"]);

/** Deleted, or no longer visible to the account: the service answers the same to both. */
export const NOT_VISIBLE: PublicationProblem = { of: "video", kind: "not-found" };
/** The video exists, but nobody can see it: somebody unpublished it on the service. */
const UNPUBLISHED: PublicationProblem = { of: "video", kind: "unpublished" };
const SHOWN_TO_NOBODY: ReadonlySet<VideoStage> = new Set(["draft", "scheduled"]);

export function createVideoSamples(deps: OwnedVideosDependencies) {
  const { accounts, rules, publications, records, client, own, clock, log } = deps;
  /** By video, the next check's time. One such answer may be a mistake; two are taken as true. */
  const missing = new LRUCache<string, number>(limitEntries(MISSING_REMEMBERED));

  async function findDue(nowMs: number) {
    const [published, sampled] = await Promise.all([
      publications.publishedSince(nowMs - SAMPLED_FOR_MS),
      records.lastSamples(nowMs - SAMPLED_FOR_MS),
    ]);
    const lastMs = new Map(
      sampled.map(({ guildId, videoId, lastAtMs }) => [`${guildId} ${videoId}`, lastAtMs]),
    );
    return published
      .flatMap((publication) => {
        const { id, guildId, videoId, stateAtMs: sinceMs } = publication;
        const againMs = missing.get(id);
        const overdueMs =
          againMs === undefined
            ? overdueBy({ sinceMs, lastMs: lastMs.get(`${guildId} ${videoId}`) }, nowMs)
            : nowMs - againMs;
        return videoId === undefined || overdueMs < 0 ? [] : [{ publication, videoId, overdueMs }];
      })
      .toSorted((a, b) => b.overdueMs - a.overdueMs)
      .slice(0, MAX_PER_RUN);
  }

  /** Resolves with the kind of failure, or `undefined` if it succeeded. */
  async function takeSample(publication: PublicationRecord, videoId: string): Promise<string | undefined> {
    const { id, guildId } = publication;
    const account = await accounts.byKey(guildId, publication.account);
    if (account === undefined) {
      return "not-permitted";
    }
    try {
      const video = await own.ask({ guildId, account }, (as) =>
        client.read(as, videoId, { withShares: true }),
      );
      missing.delete(id);
      await records.addSample({ guildId, videoId, ...sampleOf(video, clock.now()) });
      const problem = SHOWN_TO_NOBODY.has(video.status.stage) ? UNPUBLISHED : undefined;
      // The link may have been missing when the video was published.
      await noteVisibility(publication, problem, publication.link ?? video.link);
      return undefined;
    } catch (error) {
      if (!(error instanceof ServiceError)) {
        throw error;
      }
      if (error.kind === "not-found") {
        await noteMissing(publication);
      }
      log.info(
        { service: error.service, kind: error.kind, guild: guildId, video: videoId },
        "video sample failed",
      );
      return error.kind;
    }
  }

  /** Records a change of visibility or of the link, which updates the publication's message. */
  async function noteVisibility(
    publication: PublicationRecord,
    problem: PublicationProblem | undefined,
    link = publication.link,
  ): Promise<void> {
    const isRecorded = parseProblem(publication)?.kind === problem?.kind;
    if (isRecorded && link === publication.link) {
      return;
    }
    const { guildId, id: publicationId, videoId } = publication;
    const act = problem === undefined ? "in-sight" : "out-of-sight";
    const line = { guildId, act, publicationId, videoId, note: problem?.kind } as const;
    const changes = { link, problem: problem && formatProblem(problem), nextAtMs: clock.now() };
    await rules.changeWithAudit(isRecorded ? [] : [line], (lines) =>
      publications.change(publication, changes, { auditRecords: lines }),
    );
  }

  /** The bot's own deletions are in the row, so the video was deleted from the service, or hidden there. */
  async function noteMissing(publication: PublicationRecord): Promise<void> {
    const { id } = publication;
    if (missing.has(id)) {
      missing.set(id, clock.now() + MISSING_RECHECK_MS);
      await noteVisibility(publication, NOT_VISIBLE);
    } else {
      // The next check is due immediately, because the message may contain a dead link.
      missing.set(id, -Infinity);
    }
  }

  return {
    async sample(progress: () => void = () => undefined): Promise<void> {
      const pausedAccounts = new Set<string>();
      for (const { publication, videoId } of await findDue(clock.now())) {
        const { account, guildId } = publication;
        const accountOf = account === "operator" ? account : guildId;
        if (!pausedAccounts.has(accountOf)) {
          const refusal = await takeSample(publication, videoId);
          if (refusal !== undefined && ACCOUNT_REFUSALS.has(refusal)) {
            pausedAccounts.add(accountOf);
          }
          progress();
        }
      }
    },
  };
}

export function sampleOf({ views, likes, comments, shares }: Video, atMs: number): VideoSample {
  return { atMs, views, likes, comments, shares };
}

/** The job runs every ten minutes, so a sample that is due a little later counts as due. */
const SLACK_MS = 5 * 60_000;

const SAMPLED_FOR_MS = 90 * DAY_MS;

const INTERVALS: readonly { readonly untilMs: number; readonly everyMs: number }[] = [
  { untilMs: 2 * DAY_MS, everyMs: HOUR_MS },
  { untilMs: 14 * DAY_MS, everyMs: 6 * HOUR_MS },
  { untilMs: SAMPLED_FOR_MS, everyMs: DAY_MS },
];

/** Returns by how many milliseconds a sample is overdue; negative if it is not due or the video is no longer sampled. */
export function overdueBy(
  { sinceMs, lastMs }: { readonly sinceMs: number; readonly lastMs: number | undefined },
  nowMs: number,
): number {
  const interval = INTERVALS.find(({ untilMs }) => nowMs - sinceMs < untilMs);
  if (interval === undefined) {
    return -Infinity;
  }
  return lastMs === undefined ? nowMs - sinceMs : nowMs - lastMs - interval.everyMs + SLACK_MS;
}
