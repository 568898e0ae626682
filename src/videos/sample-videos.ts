// Takes samples of how videos do: of publications, and of videos whose statistics somebody has asked for.
import type { Video } from "./client/read-video.ts";
import { ServiceError, UserError } from "../core/errors.ts";
import type { PublicationRecord } from "./publications-table.ts";
import type { PublicationProblem } from "./publishing/publish.ts";
import { formatProblem } from "./publishing/stored-problem.ts";
import { NOT_VISIBLE, isVisibilityNoted, visibilityProblem } from "./video-visibility.ts";
import type { OwnedVideosDependencies, VideoSample } from "./videos.ts";

interface Subject {
  readonly guildId: string;
  readonly videoId: string;
  readonly publication: PublicationRecord | undefined;
  readonly sinceMs: number;
  readonly lastMs: number | undefined;
}

/** In one run; each takes two requests. What is left is more overdue the next time. */
const MOST_IN_A_RUN = 60;
const BEYOND_MS = 3 * 86_400_000;
/** What is gone may only have been hidden. */
const MISSING_PAUSE_MS = 86_400_000;
/** After such a refusal the account is left alone until the next run. */
const OF_ACCOUNT: ReadonlySet<string> = new Set(["rate-limited", "unauthorised", "not-permitted"]);

export function createVideoSamples({
  accounts,
  rules,
  publications,
  records,
  client,
  own,
  clock,
  log,
}: OwnedVideosDependencies) {
  /** Not found at the last look, and when to look again: once may be a mistake of the service, twice is none. */
  const missing = new Map<string, number>();

  function overdueOf(subject: Subject, nowMs: number): number {
    const againMs = missing.get(keyOf(subject));
    if (againMs === undefined) {
      return overdueBy(subject, nowMs);
    }
    return againMs <= nowMs ? Infinity : -Infinity;
  }

  async function findSubjects(nowMs: number): Promise<readonly Subject[]> {
    const [published, sampled] = await Promise.all([
      publications.publishedSince(nowMs - SAMPLED_FOR_MS),
      // Further back: whose first sample could no longer be seen would never grow old.
      records.sampledSince(nowMs - SAMPLED_FOR_MS - BEYOND_MS),
    ]);
    const subjects = new Map<string, Subject>();
    for (const { guildId, videoId, firstAtMs, lastAtMs } of sampled) {
      const key = keyOf({ guildId, videoId });
      subjects.set(key, { guildId, videoId, publication: undefined, sinceMs: firstAtMs, lastMs: lastAtMs });
    }
    for (const publication of published) {
      const { guildId, videoId, stateAtMs } = publication;
      if (videoId !== undefined) {
        const key = keyOf({ guildId, videoId });
        const lastMs = subjects.get(key)?.lastMs;
        subjects.set(key, { guildId, videoId, publication, sinceMs: stateAtMs, lastMs });
      }
    }
    return [...subjects.values()];
  }

  /** Settles with what the service refused, if it did. */
  async function look(subject: Subject): Promise<string | undefined> {
    const { guildId, videoId, publication } = subject;
    try {
      const account = await (publication === undefined
        ? accounts.of(guildId)
        : accounts.byKey(guildId, publication.account));
      if (account === undefined) {
        return "not-permitted";
      }
      const video = await own.ask({ guildId, account }, (as) => client.read(as, videoId));
      missing.delete(keyOf(subject));
      // A guild that has another account by now has no business with it.
      if (publication !== undefined || account.key === `page:${video.ownerId}`) {
        await records.addSample({ guildId, videoId, ...sampleOf(video, clock.now()) });
      }
      if (publication !== undefined) {
        // The link could not be read when the video came out.
        await noteVisibility(
          publication,
          visibilityProblem(video.status.stage),
          publication.link ?? video.link,
        );
      }
      return undefined;
    } catch (error) {
      if (error instanceof UserError) {
        // A linked account that is broken: its guild has been notified.
        return "unauthorised";
      }
      if (!(error instanceof ServiceError)) {
        throw error;
      }
      if (error.kind === "not-found") {
        await noteMissing(subject);
      }
      log.info(
        { service: error.service, kind: error.kind, guild: guildId, video: videoId },
        "video sample failed",
      );
      return error.kind;
    }
  }

  /** Its message says from now on what has changed. */
  async function noteVisibility(
    publication: PublicationRecord,
    problem: PublicationProblem | undefined,
    link = publication.link,
  ): Promise<void> {
    const isTold = isVisibilityNoted(publication, problem);
    if (isTold && link === publication.link) {
      return;
    }
    const { guildId, id: publicationId, videoId } = publication;
    const act = problem === undefined ? "in-sight" : "out-of-sight";
    const line = { guildId, actorId: undefined, act, publicationId, videoId, note: problem?.kind } as const;
    const changes = { link, problem: problem && formatProblem(problem), nextAtMs: clock.now() };
    await rules.changeWithAudit(isTold ? [] : [line], (lines) =>
      publications.change(publication, changes, { acts: lines }),
    );
  }

  /** A deletion by way of the bot is in the row: this one was taken away there, or hidden from the account. */
  async function noteMissing(subject: Subject): Promise<void> {
    const { guildId, videoId, publication } = subject;
    const key = keyOf(subject);
    if (!missing.has(key)) {
      // At once: its message may lead nowhere.
      missing.set(key, -Infinity);
      return;
    }
    missing.set(key, clock.now() + MISSING_PAUSE_MS);
    await (publication === undefined
      ? records.removeSamples(guildId, videoId)
      : noteVisibility(publication, NOT_VISIBLE));
  }

  return {
    async sample(progress: () => void = () => undefined): Promise<void> {
      const nowMs = clock.now();
      const due = (await findSubjects(nowMs))
        .map((subject) => ({
          subject,
          overdueMs: overdueOf(subject, nowMs),
        }))
        .filter(({ overdueMs }) => overdueMs >= 0)
        .toSorted((a, b) => b.overdueMs - a.overdueMs)
        .slice(0, MOST_IN_A_RUN);
      const resting = new Set<string>();
      for (const { subject } of due) {
        const accountOf = subject.publication?.account === "operator" ? "operator" : subject.guildId;
        if (!resting.has(accountOf)) {
          const refusal = await look(subject);
          if (refusal !== undefined && OF_ACCOUNT.has(refusal)) {
            resting.add(accountOf);
          }
          progress();
        }
      }
    },
  };
}

function keyOf({ guildId, videoId }: Pick<Subject, "guildId" | "videoId">): string {
  return `${guildId} ${videoId}`;
}

/** What a video's counts are at a moment. */
export function sampleOf({ views, likes, comments, shares }: Video, atMs: number): VideoSample {
  return { atMs, views, likes, comments, shares };
}

// How often a video is looked at for its statistics: often while it is new, then less and less, then no more.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The job ticks now and then: what is due a little later counts as due. */
const SLACK_MS = 5 * 60_000;

/** For as long as videos are looked at. */
const SAMPLED_FOR_MS = 90 * DAY_MS;

const INTERVALS: readonly { readonly untilMs: number; readonly everyMs: number }[] = [
  { untilMs: 2 * DAY_MS, everyMs: HOUR_MS },
  { untilMs: 14 * DAY_MS, everyMs: 6 * HOUR_MS },
  { untilMs: SAMPLED_FOR_MS, everyMs: DAY_MS },
];

/** By how much a look is overdue, in milliseconds; negative where it is not due, or nobody looks any more. */
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
