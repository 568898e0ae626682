// Tells the people who run the bot about problems that need their attention, in at most one DM a day. Each
// problem is reported once until it is over. The state is stored, so that a restart repeats nothing.
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type Messenger, MessengerError } from "../core/ports.ts";
import type { Reply } from "../core/reply.ts";
import { formatNonce } from "../delivery/deliver.ts";
import { isTransient } from "../delivery/messenger-errors.ts";
import type { FactsTable } from "../storage/facts-table.ts";
import type { AttentionCheck, CheckResult } from "./attention-checks.ts";

const CHECK_INTERVAL_MS = 10 * 60_000;
/** Problems that are over within half an hour need nobody. */
const MIN_OPEN_MS = 30 * 60_000;
const MESSAGE_INTERVAL_MS = 86_400_000;

const stateSchema = z.object({
  toldAtMs: z.number().optional(),
  open: z.array(z.object({ name: z.string(), text: z.string(), sinceMs: z.number(), isTold: z.boolean() })),
});
export type AttentionState = z.infer<typeof stateSchema>;

/** Updates the open problems with the results of the checks, by name. A problem whose check no longer exists is closed. */
export function applyResults(
  { toldAtMs, open }: AttentionState,
  results: ReadonlyMap<string, CheckResult>,
  nowMs: number,
): AttentionState {
  const next = [...results].flatMap(([name, state]) => {
    const known = open.find((each) => each.name === name);
    if (state === "unknown") {
      return known ?? [];
    }
    return state === "ok" ? [] : { sinceMs: nowMs, isTold: false, ...known, name, text: state.text };
  });
  return { ...(toldAtMs !== undefined && { toldAtMs }), open: next };
}

export function isMessageDue({ toldAtMs = -Infinity, open }: AttentionState, nowMs: number): boolean {
  const hasNew = open.some(({ isTold, sinceMs }) => !isTold && Math.abs(nowMs - sinceMs) >= MIN_OPEN_MS);
  return hasNew && Math.abs(nowMs - toldAtMs) >= MESSAGE_INTERVAL_MS;
}

export type Attention = ReturnType<typeof createAttention>;

export function createAttention(deps: {
  readonly facts: Pick<FactsTable, "read" | "change">;
  readonly checks: readonly AttentionCheck[];
  /** Whether messages are wanted; open problems are stored either way. */
  readonly isOn: boolean;
  readonly ownerIds: () => Promise<ReadonlySet<string>>;
  readonly messenger: Pick<Messenger, "dm">;
  readonly present: (texts: readonly string[]) => Reply;
  readonly clock: Pick<Clock, "now" | "elapsed">;
  readonly log: Log;
}) {
  const { facts, checks, isOn, ownerIds, messenger, present, clock, log } = deps;
  let checkedAtMs = clock.elapsed();

  async function read() {
    const written = await facts.read("attention");
    const state: AttentionState =
      written === undefined ? { open: [] } : stateSchema.parse(JSON.parse(written));
    return { written, state };
  }

  async function runChecks(): Promise<ReadonlyMap<string, CheckResult>> {
    const results = new Map<string, CheckResult>();
    for (const { name, run } of checks) {
      results.set(
        name,
        await run().catch((error: unknown) => {
          log.warn({ error, check: name }, "attention check failed");
          return "unknown";
        }),
      );
    }
    return results;
  }

  /** False if no owner has got it and one may get it later. A repeated attempt has the same nonce. */
  async function sendMessage({ toldAtMs = 0, open }: AttentionState): Promise<boolean> {
    const texts = open.map(({ text }) => text);
    log.warn({ problems: texts }, "owner's attention needed");
    const attempts = [...(await ownerIds())].map(async (userId) => {
      try {
        await messenger.dm(userId, present(texts), { nonce: formatNonce("attention", toldAtMs, userId) });
        return "told";
      } catch (error) {
        if (!(error instanceof MessengerError)) {
          throw error;
        }
        log.info({ error, user: userId }, "owner not notified");
        return isTransient(error) ? "later" : "never";
      }
    });
    const outcomes = await Promise.all(attempts);
    return outcomes.includes("told") || !outcomes.includes("later");
  }

  return {
    /** The open problems, as of the last checks of the process that runs the jobs. */
    open: async (): Promise<readonly string[]> => (await read()).state.open.map(({ text }) => text),
    /** Runs all checks, at most every ten minutes, and reports new problems. */
    async work(): Promise<void> {
      if (clock.elapsed() - checkedAtMs < CHECK_INTERVAL_MS) {
        return;
      }
      checkedAtMs = clock.elapsed();
      const results = await runChecks();
      const { written, state } = await read();
      const nowMs = clock.now();
      const current = applyResults(state, results, nowMs);
      const isTold = isOn && isMessageDue(current, nowMs) && (await sendMessage(current));
      const next = isTold
        ? { toldAtMs: nowMs, open: current.open.map((each) => ({ ...each, isTold: true })) }
        : current;
      const text = JSON.stringify(next);
      if (text !== written) {
        await facts.change("attention", written, text);
      }
    },
  };
}
