import type { Clock } from "../core/clock.ts";
import { listAnd, plural } from "../core/text.ts";
import type { SourceName } from "../sources/transport-data.ts";
import { type Budget, reservedForPeople } from "../plan/budget.ts";
import { relativeTime } from "../time/words.ts";

/** `text`: the problem, in words for the owner. `unknown`: the check cannot tell yet, and its previous result remains. */
export type CheckResult = { readonly text: string } | "ok" | "unknown";

export interface AttentionCheck {
  /** The key under which its problem is stored. */
  readonly name: string;
  /** Called every ten minutes. An error counts as `unknown`. */
  readonly run: () => Promise<CheckResult>;
}

interface VideoAccountState {
  /** The state of the operator's token; `undefined` if there is none. */
  readonly operatorToken: () => Promise<
    { readonly isRefused: boolean; readonly endsAtMs: number | undefined } | undefined
  >;
  /** The number of linked accounts that the video service no longer accepts. */
  readonly countBroken: () => Promise<number>;
}

interface CheckedPlan {
  /** e.g. `trains`, as in “Your plan for trains”. */
  readonly what: string;
  readonly limit: number;
  readonly budget: Pick<Budget, "state">;
  /** How many calls boards need in a window of the plan; `undefined` if that is not known yet, or if they use none. */
  readonly boardsWant: () => number | undefined;
}

/** How long before its end an expiring token is reported. */
export const TOKEN_WARNING_MS = 7 * 86_400_000;
const MISSED_WITHIN_MS = 86_400_000;
/** A backup is made every day. */
export const BACKUP_OVERDUE_MS = 2 * 86_400_000;
/** After days without a running bot, it makes a backup within an hour. */
const BACKUP_WITHIN_MS = 2 * 3_600_000;
/** A plan is too small if half of the checks in the last six hours found that people had no call left. */
const PLAN_CHECKS = 36;
const SPENT_CHECKS = PLAN_CHECKS / 2;

/** A source of trains that refuses the bot, e.g. because of a wrong key. */
interface RefusingSource {
  readonly source: SourceName;
  readonly product: string;
}

type StyleRefusal = "unauthorised" | "out-of-credit";

export function createAttentionChecks(deps: {
  readonly video: VideoAccountState | undefined;
  readonly plans: readonly CheckedPlan[];
  readonly refusals: () => readonly RefusingSource[];
  /** Why the style service refuses every picture, if it does. */
  readonly styleRefusal: (() => StyleRefusal | undefined) | undefined;
  readonly countMissed: (sinceMs: number) => Promise<number>;
  /** When the last backup was made, if ever. The function is `undefined` if automatic backups are off. */
  readonly newestBackupMs: (() => number | undefined) | undefined;
  readonly clock: Pick<Clock, "now" | "elapsed">;
}): readonly AttentionCheck[] {
  const { video, plans, refusals, styleRefusal, countMissed, newestBackupMs, clock } = deps;
  return [
    ...(video === undefined
      ? []
      : [
          { name: "video token", run: () => checkToken(video, clock.now()) },
          { name: "video accounts", run: () => checkAccounts(video) },
        ]),
    ...plans.flatMap((plan) => [
      { name: `boards of ${plan.what}`, run: async () => checkBoards(plan) },
      { name: plan.what, run: createPlanCheck(plan) },
    ]),
    { name: "refused keys", run: async () => checkRefusals(refusals()) },
    { name: "style service", run: async () => checkStyle(styleRefusal?.()) },
    {
      name: "missed boards",
      run: async () => checkMissed(await countMissed(clock.now() - MISSED_WITHIN_MS)),
    },
    ...(newestBackupMs === undefined
      ? []
      : [{ name: "backups", run: createBackupCheck(newestBackupMs, clock) }]),
  ];
}

function createBackupCheck(
  newestMs: () => number | undefined,
  clock: Pick<Clock, "now" | "elapsed">,
): AttentionCheck["run"] {
  /** Not since the start: a process that takes over the jobs may have a folder of its own, without a backup yet. */
  let missedSinceMs: number | undefined;
  return async () => {
    const atMs = newestMs();
    if (atMs !== undefined && clock.now() - atMs < BACKUP_OVERDUE_MS) {
      missedSinceMs = undefined;
      return "ok";
    }
    missedSinceMs ??= clock.elapsed();
    const since =
      atMs === undefined ? "There's no backup yet" : `The last backup was made ${relativeTime(atMs)}`;
    return clock.elapsed() - missedSinceMs < BACKUP_WITHIN_MS
      ? "unknown"
      : { text: `${since}, though I make one each day. My log says what went wrong.` };
  };
}

async function checkToken({ operatorToken }: VideoAccountState, nowMs: number): Promise<CheckResult> {
  const { isRefused = false, endsAtMs = Infinity } = (await operatorToken()) ?? {};
  if (isRefused || endsAtMs <= nowMs) {
    return {
      text: "The video service no longer accepts `VIDEO_ACCESS_TOKEN`, so nobody can publish with your account. Make a new token, set it and restart me.",
    };
  }
  return endsAtMs - nowMs >= TOKEN_WARNING_MS
    ? "ok"
    : {
        text: `\`VIDEO_ACCESS_TOKEN\` expires ${relativeTime(endsAtMs)}. Make a new token before that, set it and restart me.`,
      };
}

async function checkAccounts({ countBroken }: VideoAccountState): Promise<CheckResult> {
  const count = await countBroken();
  return count === 0
    ? "ok"
    : {
        text: `${plural(count, "video account")} that servers have linked no longer ${count === 1 ? "works" : "work"}. I've told the people there; \`/video account show\` tells them why.`,
      };
}

function checkBoards({ what, limit, boardsWant }: CheckedPlan): CheckResult {
  const wanted = boardsWant();
  if (wanted === undefined) {
    return "unknown";
  }
  const available = limit - reservedForPeople(limit);
  return wanted <= available
    ? "ok"
    : {
        text: `Your plan for ${what} is too small for all boards and watches: they need ${number(wanted)} calls, and at most ${number(available)} of its ${number(limit)} are for them. I share out the calls, so some boards show older data. A larger plan or fewer boards would help.`,
      };
}

function createPlanCheck({ what, budget }: CheckedPlan): AttentionCheck["run"] {
  let results: readonly boolean[] = [];
  return async () => {
    const isSpent = (await budget.state()).left === 0;
    results = [...results, isSpent].slice(-PLAN_CHECKS);
    const spent = results.filter(Boolean).length;
    if (spent >= SPENT_CHECKS) {
      return {
        text: `Your plan for ${what} is too small: for hours it has had no call left, and I've had to refuse people. \`/operator\` shows who uses it.`,
      };
    }
    return results.length - spent > PLAN_CHECKS - SPENT_CHECKS ? "ok" : "unknown";
  };
}

const KEYS: Readonly<Record<SourceName, (product: string) => string>> = {
  transport: () => "`TRANSPORT_APP_ID` and `TRANSPORT_APP_KEY`",
  "rail-data": (product) => `\`RAIL_DATA_${product.toUpperCase()}_KEY\``,
  tfl: () => "`TFL_APP_KEY`",
};

function checkRefusals(refusals: readonly RefusingSource[]): CheckResult {
  const keys = [...new Set(refusals.map(({ source, product }) => KEYS[source](product)))];
  return keys.length === 0
    ? "ok"
    : {
        text: `I can't get train data with ${listAnd(keys)}: I'm being refused. Check that each key is right, still valid and meant for that product, then restart me. \`npm run doctor\` says more. Until then, I'll ask other sources where I can.`,
      };
}

const STYLE_WORDS: Readonly<Record<StyleRefusal, string>> = {
  unauthorised:
    "The style service doesn't accept `STYLE_API_KEY`, so nobody can restyle pictures. Check that the key is right and still valid, then restart me. `npm run doctor` says more.",
  "out-of-credit":
    "Your account with the style service has no credit left, so nobody can restyle pictures. Please top it up.",
};

function checkStyle(refusal: StyleRefusal | undefined): CheckResult {
  return refusal === undefined ? "ok" : { text: STYLE_WORDS[refusal] };
}

function checkMissed(count: number): CheckResult {
  return count === 0
    ? "ok"
    : {
        text: `${plural(count, "board")} missed at least one update in the last 24 hours, because I was offline or couldn't keep up. In each server, \`/board list\` shows which ones under **Last 7 days**.`,
      };
}

function number(count: number): string {
  return Math.ceil(count).toLocaleString("en-GB");
}
