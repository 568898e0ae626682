// What may need the attention of the person who runs the bot, and how the bot sees it.
import type { Clock } from "../core/clock.ts";
import { listAnd, plural } from "../core/text.ts";
import type { SourceName } from "../sources/transport-data.ts";
import { type Budget, reservedForPeople } from "../plan/budget.ts";
import { relativeTime } from "../time/words.ts";

/** `unknown` where it cannot be told yet: then what was seen before stands. */
export type Seen = { readonly text: string } | "well" | "unknown";

export interface Matter {
  /** Under which it is stored. */
  readonly name: string;
  /** Is called every ten minutes. What it throws counts as unknown. */
  readonly look: () => Promise<Seen>;
}

interface VideoMatters {
  /** How the operator's token stands; `undefined` without one. */
  readonly operatorToken: () => Promise<
    { readonly isRefused: boolean; readonly endsAtMs: number | undefined } | undefined
  >;
  /** How many accounts that servers linked the service no longer takes. */
  readonly countBroken: () => Promise<number>;
}

interface WatchedPlan {
  /** As in “requests for trains”. */
  readonly what: string;
  readonly limit: number;
  readonly budget: Pick<Budget, "state">;
  /** How many calls boards want in a window of the plan; `undefined` before they have said so, or if they use none. */
  readonly boardsWant: () => number | undefined;
}

/** Before that, there is time. */
export const TOKEN_EARLY_MS = 7 * 86_400_000;
const MISSED_WITHIN_MS = 86_400_000;
/** One is made each day. */
export const BACKUP_OLD_MS = 2 * 86_400_000;
/** A bot that was away for days makes one within the hour. */
const BACKUP_WITHIN_MS = 2 * 3_600_000;
/** Of the looks of the last six hours, half must have found a plan without a call for people. */
const PLAN_LOOKS = 36;
const SPENT_LOOKS = PLAN_LOOKS / 2;

/** A source of trains that refuses the bot. */
interface RefusingSource {
  readonly source: SourceName;
  readonly product: string;
}

export function createMatters(deps: {
  readonly video: VideoMatters | undefined;
  readonly plans: readonly WatchedPlan[];
  readonly refusals: () => readonly RefusingSource[];
  /** How many running boards have missed a slot since then. */
  readonly countMissed: (sinceMs: number) => Promise<number>;
  /** When the last backup was made, `undefined` for never; absent where the bot makes none by itself. */
  readonly newestBackupMs: (() => number | undefined) | undefined;
  readonly clock: Pick<Clock, "now" | "elapsed">;
}): readonly Matter[] {
  const { video, plans, refusals, countMissed, newestBackupMs, clock } = deps;
  return [
    ...(video === undefined
      ? []
      : [
          { name: "video token", look: () => lookAtToken(video, clock.now()) },
          { name: "video accounts", look: () => lookAtAccounts(video) },
        ]),
    ...plans.flatMap((plan) => [
      { name: `boards of ${plan.what}`, look: async () => lookAtBoards(plan) },
      { name: plan.what, look: createPlanLook(plan) },
    ]),
    { name: "refused keys", look: async () => lookAtRefusals(refusals()) },
    {
      name: "missed boards",
      look: async () => lookAtMissed(await countMissed(clock.now() - MISSED_WITHIN_MS)),
    },
    ...(newestBackupMs === undefined
      ? []
      : [{ name: "backups", look: createBackupLook(newestBackupMs, clock) }]),
  ];
}

function createBackupLook(
  newestMs: () => number | undefined,
  clock: Pick<Clock, "now" | "elapsed">,
): Matter["look"] {
  /** Not since the start: a process that takes the jobs over may have a folder of its own, without a backup yet. */
  let missedSinceMs: number | undefined;
  return async () => {
    const atMs = newestMs();
    if (atMs !== undefined && clock.now() - atMs < BACKUP_OLD_MS) {
      missedSinceMs = undefined;
      return "well";
    }
    missedSinceMs ??= clock.elapsed();
    const since =
      atMs === undefined ? "There's no backup yet" : `The last backup was made ${relativeTime(atMs)}`;
    return clock.elapsed() - missedSinceMs < BACKUP_WITHIN_MS
      ? "unknown"
      : { text: `${since}, though I make one each day. My log says what went wrong.` };
  };
}

async function lookAtToken({ operatorToken }: VideoMatters, nowMs: number): Promise<Seen> {
  const { isRefused = false, endsAtMs = Infinity } = (await operatorToken()) ?? {};
  if (isRefused || endsAtMs <= nowMs) {
    return {
      text: "The video service no longer accepts `VIDEO_ACCESS_TOKEN`, so nobody can publish with your account. Make a new token, set it and restart me.",
    };
  }
  return endsAtMs - nowMs >= TOKEN_EARLY_MS
    ? "well"
    : {
        text: `\`VIDEO_ACCESS_TOKEN\` expires ${relativeTime(endsAtMs)}. Make a new token before that, set it and restart me.`,
      };
}

async function lookAtAccounts({ countBroken }: VideoMatters): Promise<Seen> {
  const count = await countBroken();
  return count === 0
    ? "well"
    : {
        text: `${plural(count, "video account")} that servers have linked no longer ${count === 1 ? "works" : "work"}. I've told the people there; \`/video account show\` tells them why.`,
      };
}

function lookAtBoards({ what, limit, boardsWant }: WatchedPlan): Seen {
  const wanted = boardsWant();
  if (wanted === undefined) {
    return "unknown";
  }
  return wanted <= limit - reservedForPeople(limit)
    ? "well"
    : {
        text: `Your plan for ${what} is too small for all boards and watches: they need ${number(wanted)} calls, and the plan allows ${number(limit)}. I share out the calls, so some boards show older data. A larger plan or fewer boards would help.`,
      };
}

function createPlanLook({ what, budget }: WatchedPlan): Matter["look"] {
  let looks: readonly boolean[] = [];
  return async () => {
    const isSpent = (await budget.state()).left === 0;
    looks = [...looks, isSpent].slice(-PLAN_LOOKS);
    const spent = looks.filter(Boolean).length;
    if (spent >= SPENT_LOOKS) {
      return {
        text: `Your plan for ${what} is too small: for hours it has had no call left, and I've had to refuse people. \`/operator\` shows who uses it.`,
      };
    }
    return looks.length - spent > PLAN_LOOKS - SPENT_LOOKS ? "well" : "unknown";
  };
}

const KEYS: Readonly<Record<SourceName, (product: string) => string>> = {
  transport: () => "`TRANSPORT_APP_ID` and `TRANSPORT_APP_KEY`",
  "rail-data": (product) => `\`RAIL_DATA_${product.toUpperCase()}_KEY\``,
  tfl: () => "`TFL_APP_KEY`",
};

function lookAtRefusals(refusals: readonly RefusingSource[]): Seen {
  const keys = [...new Set(refusals.map(({ source, product }) => KEYS[source](product)))];
  return keys.length === 0
    ? "well"
    : {
        text: `I can't get train data with ${listAnd(keys)}: I'm being refused. Check that each key is right, still valid and meant for that product, then restart me. \`npm run doctor\` says more. Until then, I'll ask other sources where I can.`,
      };
}

function lookAtMissed(count: number): Seen {
  return count === 0
    ? "well"
    : {
        text: `${plural(count, "board")} missed at least one update in the last 24 hours, because I was offline or couldn't keep up. In each server, \`/board list\` shows which ones under **Last 7 days**.`,
      };
}

function number(count: number): string {
  return Math.ceil(count).toLocaleString("en-GB");
}
