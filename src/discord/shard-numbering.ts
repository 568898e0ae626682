// How many shards a fleet has, and how it grows. All processes start the new shards beside the old ones. Once every new
// shard has a session, they agree on a time: earlier events are handled in the old shards' sessions, later ones in the
// new. An event's id says when it was created, so all processes decide alike, whatever their clocks say.
import { SnowflakeUtil } from "discord.js";
import { z } from "zod";
import type { Log } from "../core/log.ts";
import type { FactsTable } from "../storage/facts-table.ts";
import type { GatewaySession } from "../storage/gateway-sessions.ts";
import { type Fleet, type ShardKey, type ShardLeasesTable, shardKey } from "../storage/leases-table.ts";
import type { ResumedSession } from "./resume-session.ts";

/** How far ahead that time is: every process has read it by then, even if Discord's clock is ahead of the database's. */
const SWITCH_IN_MS = 15_000;
/** How late an event from before that time may arrive. */
const LATE_MS = 10_000;

const planSchema = z.object({
  count: z.int(),
  /** The process that recorded the number first. */
  by: z.string().optional(),
  /** The number of shards to which the fleet grows. */
  next: z.int().optional(),
  /** The time from which the new shards count, in milliseconds since the epoch. */
  switchMs: z.number().optional(),
});
type Plan = z.output<typeof planSchema>;

/** Whether any shard is run by a process with its own `SHARDS`. */
function hasOwnShards({ holders, processes, leaving }: Fleet): boolean {
  return [...holders.values()].some((each) => !processes.has(each) && !leaving.has(each));
}

export type OldSession = Pick<ResumedSession, "session" | "leave" | "close">;

/** All functions throw as the database does, unless they say otherwise. */
export function createShardNumbering(deps: {
  readonly leases: Pick<ShardLeasesTable, "announce" | "claim" | "read" | "release" | "forgetShards">;
  readonly facts: Pick<FactsTable, "storeIfAbsent" | "read" | "change">;
  readonly holder: string;
  readonly resume: (session: GatewaySession) => OldSession;
  readonly openSession: (stored: string) => readonly GatewaySession[];
  /** Called when the sessions of the old shards have ended. */
  readonly onEnd: () => void;
  readonly log: Log;
}) {
  const { leases, facts, holder, resume, openSession, onEnd, log } = deps;
  let plan: Plan = { count: 0 };
  /** The plan as it is stored. */
  let noted = "";
  /** The old shards of this process. One without a session has no events. */
  const old = new Map<ShardKey, OldSession | undefined>();

  function follow(text: string): Plan {
    noted = text;
    plan = planSchema.parse(JSON.parse(text));
    return plan;
  }

  /** Stores the next plan. Does nothing if another process has changed the plan in the meantime. */
  const change = (next: Plan): Promise<boolean> => facts.change("shards", noted, JSON.stringify(next));

  /** Claims the old shards of processes that have ended. */
  async function adopt({ count }: Plan): Promise<void> {
    const { free } = await leases.read(count);
    if (free.length > 0) {
      const claimed = await leases.claim(
        holder,
        free.map((shard) => shardKey(shard, count)),
      );
      for (const [key, stored] of claimed) {
        const [session] = stored === null ? [] : openSession(stored);
        old.set(key, session && resume(session));
      }
    }
  }

  const isAfterSwitch = (id: string): boolean =>
    SnowflakeUtil.timestampFrom(id) >= (plan.switchMs ?? Infinity);

  function endOld(): void {
    old.forEach((session) => session?.close());
    old.clear();
    onEnd();
  }

  return {
    async agree(wanted: number): Promise<number> {
      await leases.announce(holder);
      const own = { count: wanted, by: holder };
      follow(await facts.storeIfAbsent("shards", JSON.stringify(own)));
      const fleet = await leases.read(plan.count);
      const isEnded =
        fleet.processes.size === 0 && !fleet.starting.has(plan.by ?? "") && !hasOwnShards(fleet);
      if (plan.by !== holder && isEnded) {
        // The stored number is that of a fleet that has ended.
        if (plan.count !== wanted || plan.next !== undefined) {
          await leases.forgetShards(wanted);
        }
        await change(own);
      }
      await this.propose(wanted);
      return this.read();
    },

    /** Begins to grow to this many shards, if that is more than there are. */
    async propose(wanted: number): Promise<void> {
      await this.read();
      if (plan.next !== undefined || wanted <= plan.count) {
        return;
      }
      if (hasOwnShards(await leases.read(plan.count))) {
        log.warn({ shards: plan.count, wanted }, "fleet growth blocked: a process sets SHARDS");
        return;
      }
      await leases.forgetShards(wanted);
      if (await change({ ...plan, next: wanted })) {
        log.info({ shards: plan.count, wanted }, "shard count growing");
      }
    },

    /** Reads how many shards the processes share; while the fleet grows, this is the new number. */
    async read(): Promise<number> {
      const { next, count } = follow((await facts.read("shards")) ?? noted);
      return next ?? count;
    },

    isGrowing: (): boolean => plan.next !== undefined,

    /** Resumes the sessions of this process's shards, which are old from now on. Never throws. */
    keep(shards: readonly number[], count: number, sessions: readonly GatewaySession[]): void {
      for (const shard of plan.next === undefined ? [] : shards) {
        const session = sessions.find(({ shardId }) => shardId === shard);
        old.set(shardKey(shard, count), session && resume(session));
      }
    },

    /** The sessions that another process could resume if this one died now. Never throws. */
    sessions: (): readonly (readonly [ShardKey, GatewaySession | undefined])[] =>
      [...old].map(([key, session]) => [key, session?.session()] as const),

    /** Leaves all old shards except these. Never throws. */
    retain(keys: ReadonlySet<ShardKey>): void {
      for (const [key, session] of old) {
        if (!keys.has(key)) {
          session?.leave();
          old.delete(key);
        }
      }
    },

    /** Takes the next step towards more shards; `fleet` describes the new shards. */
    async advance(fleet: Fleet): Promise<void> {
      const { count, next, switchMs } = plan;
      if (next === undefined) {
        if (old.size > 0) {
          endOld();
        }
      } else if (switchMs !== undefined && fleet.nowMs > switchMs + LATE_MS) {
        endOld();
        await leases.forgetShards(count);
        if (await change({ count: next })) {
          log.info({ shards: next }, "shard count grown");
        }
      } else {
        await adopt(plan);
        const ready = { ...plan, switchMs: fleet.nowMs + SWITCH_IN_MS };
        if (switchMs === undefined && fleet.sessions === next && (await change(ready))) {
          log.info({ shards: next, atMs: ready.switchMs }, "new shards ready");
        }
      }
    },

    /** Whether an event with this id is handled by a shard, if there are `count` shards in total. Never throws. */
    counts: (count: number, id: string): boolean => count !== plan.next || isAfterSwitch(id),
    /** Whether an event with this id is handled by the session of an old shard. Never throws. */
    countsAsOld: (id: string): boolean => plan.next !== undefined && !isAfterSwitch(id),

    async leave(seal: (session: GatewaySession | undefined) => string | null): Promise<void> {
      const left = [...old].map(([key, session]) => [key, seal(session?.leave())] as const);
      old.clear();
      await Promise.all(left.map(([key, session]) => leases.release(holder, key, session)));
    },
  };
}
