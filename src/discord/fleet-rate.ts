// How the processes of a fleet keep one limit together. Each has a share of the requests that may arrive at Discord in
// one second, and its own rate limiter keeps that. So nothing is asked of the database for a single request, and the sum
// holds whatever the network holds up: a process that gets less says so only when what it has sent no longer counts,
// and one that gets more sends more only when the database has noted it.
//
// It also counts the requests that Discord refused, of all processes, as if they had one address: Discord shuts out an
// address for 10,000 in ten minutes. https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Log } from "../core/log.ts";
import type { RequestRate } from "../storage/request-rate.ts";
import { type LimiterTime, MOST, type RateLimiter } from "./rate-limiter.ts";

/** Since so many were refused, in ten minutes, so few requests a second go out: 3,000 more if all were refused. */
const SLOW_FROM = 5_000;
const SLOW_MOST = 5;
const REFUSED_MINUTES = 10;
const MINUTE_MS = 60_000;

/** How often a process that sends looks, one whose share is about to change, and one that has nothing to send. */
const ACTIVE_MS = 1_000;
const EAGER_MS = 200;
const IDLE_MS = 10_000;
/** After so long without a request it needs no share. */
const ACTIVE_FOR_MS = 5_000;
/** A share that is not renewed is others' after this time, and its process gives it up a second before. */
const LEASE_MS = 6_000;
const SAFE_MS = 5_000;
/** What a process sends that cannot ask the database. It comes on top: Discord's limit is one more. */
const UNASKED_SHARE = 1;
/** A process that was not heard of for so long is gone. */
const PRESENT_MS = 30_000;
/** What a process that begins to send wants. */
const LEAST_WANT = 4;
/** Beside other processes, a twelfth at most is left free, so that one of them can begin at once. */
const RESERVE_PART = 12;
const WRITES = 5;

const stateSchema = z.object({
  processes: z.record(
    z.string(),
    z.object({ share: z.number(), want: z.number(), /** The database's time. */ atMs: z.number() }),
  ),
  /** How many requests were refused, by the minute since the epoch. */
  refused: z.record(z.string(), z.number()),
});
type State = z.infer<typeof stateSchema>;

/** `rate`: where the processes agree; `undefined` for a process that is alone, whose share is everything. */
export function createFleetRate({
  limiter,
  rate,
  time,
  log,
}: {
  readonly limiter: RateLimiter;
  readonly rate: RequestRate | undefined;
  readonly time: LimiterTime;
  readonly log: Log;
}) {
  const own = randomUUID();
  let share = rate === undefined ? MOST : 0;
  let shareUntilMs = Infinity;
  /** Requests that were refused, of all processes, by the minute; and those that the others do not know of. */
  let refused: State["refused"] = {};
  let unsaid = 0;
  let isSlow = false;
  let usedMs = -Infinity;
  let beating: Promise<void> | undefined;
  /** Whether it waits for what the others still have. */
  let isShort = false;
  let isClosed = false;
  let cancelBeat: (() => void) | undefined;
  let cancelEnd: (() => void) | undefined;
  limiter.setShare(share);

  /** Until `untilMs`; then one request a second is what it may send. */
  function setShare(next: number, untilMs = shareUntilMs): void {
    share = next;
    shareUntilMs = untilMs;
    limiter.setShare(share, { atMs: untilMs, share: Math.min(share, UNASKED_SHARE) });
  }

  /** What may arrive in a second, from all processes. */
  function amount(): number {
    const total = Object.values(refused).reduce((sum, count) => sum + count, unsaid);
    if (total >= SLOW_FROM !== isSlow) {
      isSlow = !isSlow;
      log[isSlow ? "warn" : "info"]({ refused: total }, isSlow ? "requests slowed down" : "requests sped up");
    }
    return isSlow ? SLOW_MOST : MOST;
  }

  /** Counts what was refused since; forgets what is over. */
  function settleRefused(known: State["refused"], nowMs: number): State["refused"] {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const recent = Object.entries(known).filter(
      ([each]) => Math.abs(minute - Number(each)) <= REFUSED_MINUTES,
    );
    const all = Object.fromEntries(recent);
    return unsaid === 0 ? all : { ...all, [minute]: (all[minute] ?? 0) + unsaid };
  }

  function readWant(): number {
    const recent = limiter.waiting() + limiter.counted();
    usedMs = recent > 0 ? time.now() : usedMs;
    const isActive = !isClosed && time.now() - usedMs < ACTIVE_FOR_MS;
    return isActive ? Math.min(MOST, Math.max(LEAST_WANT, 2 * recent)) : 0;
  }

  /** Agrees with the others on a share, once; says whether nobody came in between. */
  async function agree(with_: RequestRate): Promise<boolean> {
    const askedMs = time.now();
    const { said, nowMs } = await with_.read();
    const before = readState(said);
    const others = Object.entries(before.processes).filter(
      ([id, { atMs }]) => id !== own && Math.abs(nowMs - atMs) < PRESENT_MS,
    );
    const saidRefused = unsaid;
    const nextRefused = settleRefused(before.refused, nowMs);
    refused = before.refused;
    const all = amount();
    const want = readWant();
    const reserve = Math.min(others.length, Math.floor(all / RESERVE_PART));
    const target = fairShare(
      want,
      others.map(([, other]) => other.want),
      all - reserve,
    );
    const held = others.reduce(
      (sum, [, other]) => sum + (Math.abs(nowMs - other.atMs) < LEASE_MS ? other.share : 0),
      0,
    );
    const next = Math.max(0, Math.min(target, all - held));
    isShort = next < target;
    // Less at once; but the others may count on it only when what was sent no longer counts.
    setShare(Math.min(share, next));
    const noted = Math.max(next, limiter.counted());
    const processes = { ...Object.fromEntries(others), [own]: { share: noted, want, atMs: nowMs } };
    if (!(await with_.replace(said, JSON.stringify({ processes, refused: nextRefused } satisfies State)))) {
      return false;
    }
    unsaid -= saidRefused;
    refused = nextRefused;
    cancelEnd?.();
    cancelEnd = want === 0 ? undefined : time.after(Math.max(0, askedMs + SAFE_MS - time.now()), endShare);
    setShare(next, askedMs + SAFE_MS);
    return true;
  }

  function endShare(): void {
    cancelEnd = undefined;
    setShare(UNASKED_SHARE, Infinity);
  }

  async function beat(with_: RequestRate): Promise<void> {
    cancelBeat?.();
    try {
      for (let writes = 0; writes < WRITES && !(await agree(with_)); writes += 1);
    } catch (error) {
      log.debug({ error }, "request share not renewed");
    }
    if (!isClosed) {
      const isEager = isShort || limiter.counted() > share;
      const isIdle = share === 0 && limiter.waiting() === 0;
      cancelBeat = time.after(isEager ? EAGER_MS : isIdle ? IDLE_MS : ACTIVE_MS, begin);
    }
  }

  function begin(): void {
    if (rate !== undefined) {
      beating ??= beat(rate).finally(() => {
        beating = undefined;
      });
    }
  }

  begin();

  return {
    /** A request is about to wait for its turn. */
    noteRequest(): void {
      if (rate === undefined) {
        if (isSlow) {
          refused = settleRefused(refused, time.now());
          setShare(amount());
        }
      } else if (share === 0) {
        cancelEnd ??= time.after(SAFE_MS, endShare);
        begin();
      }
    },
    /** Discord refused a request: 401, 403 or 429, but for a limit that is shared with other bots. */
    noteRefusal(): void {
      unsaid += 1;
      if (rate === undefined) {
        refused = settleRefused(refused, time.now());
        unsaid = 0;
        setShare(amount());
      }
    },
    /** Leaves its share to the others. */
    async close(): Promise<void> {
      isClosed = true;
      await beating;
      cancelBeat?.();
      if (rate !== undefined) {
        await beat(rate);
      }
      cancelEnd?.();
    },
  };
}

function readState(said: string): State {
  try {
    return stateSchema.parse(JSON.parse(said));
  } catch {
    return { processes: {}, refused: {} };
  }
}

/**
 * Max-min fairness: who wants little gets it, and what is left is shared evenly among those who want more. What nobody
 * wants is shared among all who want something.
 */
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
