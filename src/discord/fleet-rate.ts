// Shares one rate limit between all processes in a fleet. Each process has a share of the requests that may arrive at
// Discord in one second, and its own rate limiter keeps to that share. So requests need not ask the database, and the
// total limit holds even if the network delays requests: a process whose share shrinks announces this only when its
// earlier requests no longer count, and a process whose share grows sends more only after the database has recorded it.
//
// It also counts the refused requests of all processes together, as if they shared one IP address: Discord blocks an
// address after 10,000 of them in ten minutes.
// https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { CLOCK_TOLERANCE_MS } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { createRuns } from "../core/runs.ts";
import type { RequestRate } from "../storage/facts-table.ts";
import { type LimiterTime, MAX_PER_SECOND, type RateLimiter } from "./rate-limiter.ts";
import { MINUTE_MS } from "../time/wall-clock.ts";

/** After this many refused requests in ten minutes, at most 3,000 more follow in that time, even if all are refused. */
const SLOW_FROM = 5_000;
const SLOW_MAX_PER_SECOND = 5;
const REFUSED_MINUTES = 10;

/** How often a process renews its share: while it sends, while its share is about to change, and while it is idle. */
const ACTIVE_MS = 1_000;
const EAGER_MS = 200;
const IDLE_MS = 10_000;
/** A process that has sent nothing for this long needs no share. */
const ACTIVE_FOR_MS = 5_000;
/** After LEASE_MS without renewal, other processes may use the share. Its own process stops using it MARGIN_MS earlier. */
const LEASE_MS = 6_000;
const MARGIN_MS = 1_000;
/**
 * The share of an idle process, so that its first request does not wait for the database. If there are more than
 * MAX_IDLE_SHARES other processes, an idle process has no share.
 */
const IDLE_SHARE = 1;
const MAX_IDLE_SHARES = 4;
/** A process that has written nothing for this long counts as gone, although it may only be cut off from the database. */
const PRESENT_MS = 30_000;
/**
 * A process that is cut off continues with its idle share for this long, less MARGIN_MS, and then sends nothing. Until
 * then, the others do not use that share, even if the process has died: five dead processes cost a tenth of the limit
 * for an hour.
 */
const CUT_OFF_MS = 3_600_000;
/** The smallest share that a process asks for when it begins to send. */
const MIN_WANT = 4;
const WRITES = 5;

const stateSchema = z.object({
  processes: z.record(
    z.string(),
    z.object({
      share: z.number(),
      /** How much of the share the process continues to use if it cannot reach the database. */
      kept: z.number().default(IDLE_SHARE),
      want: z.number(),
      /** The database's time. */
      atMs: z.number(),
    }),
  ),
  /** Refused requests by minute since the epoch. */
  refused: z.record(z.string(), z.number()),
});
type State = z.infer<typeof stateSchema>;

/** `rate`: the shared state of the processes; `undefined` for a process that runs alone and may use the whole limit. */
export function createFleetRate(deps: {
  readonly limiter: RateLimiter;
  readonly rate: RequestRate | undefined;
  readonly time: LimiterTime;
  readonly log: Log;
}) {
  const { limiter, rate, time, log } = deps;
  const own = randomUUID();
  let share = rate === undefined ? MAX_PER_SECOND : 0;
  let kept = 0;
  let askedMs = rate === undefined ? Infinity : -Infinity;
  let databaseAheadMs: number | undefined;
  let clockJumpedMs = -Infinity;
  /** Of all processes, by minute. `unreported` counts those of this process that the others do not know yet. */
  let refused: State["refused"] = {};
  let unreported = 0;
  let isSlow = false;
  let usedMs = -Infinity;
  /** Whether this process waits for a part of the limit that others still use. */
  let isShort = false;
  let isIdle = true;
  let isClosed = false;
  let cancelRenewal: (() => void) | undefined;
  setShare(share, kept);

  function shareAt(nowMs: number): number {
    const ageMs = nowMs - askedMs + MARGIN_MS;
    return ageMs < LEASE_MS ? share : ageMs < CUT_OFF_MS ? kept : 0;
  }

  function setShare(nextShare: number, nextKept: number): void {
    share = nextShare;
    kept = nextKept;
    limiter.setShare(shareAt);
  }

  /** How many requests of all processes may arrive in a second. */
  function amount(): number {
    const total = Object.values(refused).reduce((sum, count) => sum + count, unreported);
    if (total >= SLOW_FROM !== isSlow) {
      isSlow = !isSlow;
      log[isSlow ? "warn" : "info"]({ refused: total }, isSlow ? "requests slowed down" : "requests sped up");
    }
    return isSlow ? SLOW_MAX_PER_SECOND : MAX_PER_SECOND;
  }

  /** Adds the refusals that are not in `known` yet; removes those that are too old to count. */
  function mergeRefused(known: State["refused"], nowMs: number): State["refused"] {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const recent = Object.entries(known).filter(
      ([each]) => Math.abs(minute - Number(each)) <= REFUSED_MINUTES,
    );
    const all = Object.fromEntries(recent);
    return unreported === 0 ? all : { ...all, [minute]: (all[minute] ?? 0) + unreported };
  }

  function readWant(): number {
    const recent = limiter.waiting() + limiter.counted();
    usedMs = recent > 0 ? time.now() : usedMs;
    const isActive = !isClosed && time.now() - usedMs < ACTIVE_FOR_MS;
    return isActive ? Math.min(MAX_PER_SECOND, Math.max(MIN_WANT, 2 * recent)) : 0;
  }

  /** `aheadMs`: how far the database's clock is ahead of this process's own time, which cannot be set. */
  function noteClockJump(aheadMs: number): void {
    if (Math.abs(aheadMs - (databaseAheadMs ?? aheadMs)) > CLOCK_TOLERANCE_MS) {
      clockJumpedMs = time.now();
    }
    databaseAheadMs = aheadMs;
  }

  /** Agrees with the other processes on a share. Returns `false` if another process wrote in the meantime. */
  async function agree(sharedRate: RequestRate): Promise<boolean> {
    const nextAskedMs = time.now();
    const { text, nowMs } = await sharedRate.read();
    const before = readState(text);
    noteClockJump(nowMs - time.now());
    // Right after the database's clock was set, the age of the others' shares is unknown.
    const hasClockJustJumped = time.now() - clockJumpedMs < LEASE_MS;
    const ageMs = ({ atMs }: { readonly atMs: number }): number =>
      hasClockJustJumped ? 0 : Math.abs(nowMs - atMs);
    const others = Object.entries(before.processes).filter(
      ([id, other]) => id !== own && ageMs(other) < (other.kept > 0 ? CUT_OFF_MS : PRESENT_MS),
    );
    const wants = others.map(([, other]) => (ageMs(other) < PRESENT_MS ? other.want : 0));
    const newlyReported = unreported;
    const nextRefused = mergeRefused(before.refused, nowMs);
    refused = before.refused;
    const all = amount();
    const want = readWant();
    const isLarge = others.length > MAX_IDLE_SHARES;
    const idle = isLarge || isSlow || isClosed ? 0 : IDLE_SHARE;
    // The reserve for idle processes: they keep it, or find it when they begin to send.
    const idleOthers = others.filter((_, index) => wants[index] === 0);
    const keptByIdle = idleOthers.reduce((sum, [, other]) => sum + other.kept, 0);
    const reserve = isSlow ? 0 : isLarge ? Math.max(MAX_IDLE_SHARES, keptByIdle) : idleOthers.length;
    const target = Math.max(idle, fairShare(want, wants, all - reserve));
    const held = others.reduce((sum, [, other]) => {
      const keeps = isSlow ? 0 : Math.min(other.share, other.kept);
      return sum + (ageMs(other) < LEASE_MS ? other.share : keeps);
    }, 0);
    const next = Math.max(0, Math.min(target, all - held));
    const nextKept = Math.min(idle, next);
    isShort = next < target;
    // A smaller share applies immediately, but others may use the difference only when earlier requests no longer
    // count.
    setShare(Math.min(share, next), Math.min(kept, nextKept));
    const noted = Math.max(next, limiter.counted());
    const processes = Object.fromEntries(others);
    if (!isClosed || noted > 0) {
      processes[own] = { share: noted, kept: nextKept, want, atMs: nowMs };
    }
    if (
      !(await sharedRate.replace(text, JSON.stringify({ processes, refused: nextRefused } satisfies State)))
    ) {
      return false;
    }
    unreported -= newlyReported;
    refused = nextRefused;
    isIdle = want === 0;
    askedMs = nextAskedMs;
    setShare(next, nextKept);
    return true;
  }

  /** Replaces `agree` in a process that runs alone. */
  function updateAlone(): void {
    refused = mergeRefused(refused, time.now());
    unreported = 0;
    setShare(amount(), kept);
  }

  async function renew(): Promise<void> {
    if (rate === undefined) {
      return;
    }
    cancelRenewal?.();
    try {
      for (let writes = 0; writes < WRITES && !(await agree(rate)); writes += 1);
    } catch (error) {
      log.debug({ error }, "request share not renewed");
    }
    if (!isClosed) {
      const isEager = isShort || limiter.counted() > share;
      const isQuiet = isIdle && limiter.waiting() === 0;
      cancelRenewal = time.after(isEager ? EAGER_MS : isQuiet ? IDLE_MS : ACTIVE_MS, begin);
    }
  }

  const renewals = createRuns(renew);
  const begin = (): void => void renewals.join();
  begin();

  return {
    /** Call it when a request is about to wait for its turn. */
    noteRequest(): void {
      if (rate === undefined && isSlow) {
        updateAlone();
      } else if (rate !== undefined && isIdle) {
        isIdle = false;
        // Deferred until the limiter counts the request.
        queueMicrotask(begin);
      }
    },
    /** Call it when Discord refused a request: 401, 403 or 429, except for a limit that is shared with other bots. */
    noteRefusal(): void {
      unreported += 1;
      if (rate === undefined) {
        updateAlone();
      }
    },
    async close(): Promise<void> {
      isClosed = true;
      await renewals.ended();
      cancelRenewal?.();
      await renewals.join();
    },
  };
}

function readState(text: string): State {
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    return { processes: {}, refused: {} };
  }
}

/** Max-min fairness: small wants are met, larger ones share the rest evenly; what is left goes to all who want any. */
function fairShare(own: number, others: readonly number[], amount: number): number {
  const wants = [own, ...others].filter((want) => want > 0).toSorted((a, b) => a - b);
  let left = amount;
  let share = 0;
  for (const [index, want] of wants.entries()) {
    const part = Math.min(want, left / (wants.length - index));
    left -= part;
    share = want === own ? part : share;
  }
  return own === 0 ? 0 : Math.floor(share + left / wants.length);
}
