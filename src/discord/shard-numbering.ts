// How many shards a fleet has, and its way to more of them. All processes begin the new shards beside the old ones, and once
// each new shard has its session, they agree on a moment: what members do before it is answered on the old shards, and what
// they do from then on, on the new ones. An id says when something was done, so both sides judge alike, whatever their clocks.
import { SnowflakeUtil } from "discord.js";
import { z } from "zod";
import type { Log } from "../core/log.ts";
import type { FactsTable } from "../storage/facts-table.ts";
import type { GatewaySession } from "../storage/gateway-sessions.ts";
import { type Fleet, type ShardKey, type ShardLeasesTable, shardKey } from "../storage/shard-leases-table.ts";
import type { ResumedSession } from "./resume-session.ts";

/** By then every process has read of it, also where Discord's clock is ahead of the database's. */
const SWITCH_IN_MS = 15_000;
/** What was done before may come so much later. */
const LATE_MS = 10_000;

const planSchema = z.object({
  count: z.int(),
  /** How many there are to be. */
  next: z.int().optional(),
  /** When the new ones count. */
  switchMs: z.number().optional(),
});
type Plan = z.output<typeof planSchema>;

export type OldSession = Pick<ResumedSession, "session" | "leave" | "close">;

/** All of it throws as the database does, unless it says otherwise. */
export function createShardNumbering({
  leases,
  facts,
  holder,
  resume,
  openSession,
  onEnd,
  log,
}: {
  readonly leases: Pick<ShardLeasesTable, "claim" | "read" | "release" | "forgetShards">;
  readonly facts: Pick<FactsTable, "note" | "read" | "put" | "change">;
  readonly holder: string;
  /** Goes on with the session of an old shard. */
  readonly resume: (session: GatewaySession) => OldSession;
  readonly openSession: (stored: string) => readonly GatewaySession[];
  /** Called when the new shards are the only ones. */
  readonly onEnd: () => void;
  readonly log: Log;
}) {
  let plan: Plan = { count: 0 };
  /** The same, as it is noted. */
  let noted = "";
  /** Of this process. Without a session, an old shard is nobody's. */
  const old = new Map<ShardKey, OldSession | undefined>();

  function follow(text: string): Plan {
    noted = text;
    plan = planSchema.parse(JSON.parse(text));
    return plan;
  }

  /** Unless another process has changed it meanwhile. */
  const change = (next: Plan): Promise<boolean> => facts.change("shards", noted, JSON.stringify(next));

  /** Old shards of processes that have ended. */
  async function adopt({ count }: Plan): Promise<void> {
    const { holders } = await leases.read(count);
    const free = Array.from({ length: count }, (_, shard) => shard).filter((shard) => !holders.has(shard));
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

  const isAfterSwitch = (id: string): boolean => doneAt(id) >= (plan.switchMs ?? Infinity);

  function endOld(): void {
    old.forEach((session) => session?.close());
    old.clear();
    onEnd();
  }

  return {
    /** How many shards a process begins with that wants so many: the first one has its way. */
    async agree(wanted: number): Promise<number> {
      const first = JSON.stringify({ count: wanted });
      const before = follow(await facts.note("shards", first));
      if ((await leases.read(0)).processes.size > 0) {
        await this.propose(wanted);
        return this.read();
      }
      if (before.next !== undefined || before.count !== wanted) {
        await leases.forgetShards(wanted);
      }
      await facts.put("shards", first);
      return follow(first).count;
    },

    /** Begins to make them more. Fewer there are only once all processes were stopped. */
    async propose(wanted: number): Promise<void> {
      await this.read();
      if (plan.next !== undefined || wanted <= plan.count) {
        return;
      }
      const { holders, processes, leaving } = await leases.read(plan.count);
      if ([...holders.values()].some((each) => !processes.has(each) && !leaving.has(each))) {
        log.warn({ shards: plan.count, wanted }, "more shards needed, but some processes have chosen theirs");
        return;
      }
      await leases.forgetShards(wanted);
      if (await change({ ...plan, next: wanted })) {
        log.info({ shards: plan.count, wanted }, "shard count begins to grow");
      }
    },

    /** How many shards this process is to run its part of. */
    async read(): Promise<number> {
      const { next, count } = follow((await facts.read("shards")) ?? noted);
      return next ?? count;
    },

    isGrowing: (): boolean => plan.next !== undefined,

    /** Goes on with the sessions of this process's shards, which are old now. Never throws. */
    keep(shards: readonly number[], count: number, sessions: readonly GatewaySession[]): void {
      for (const shard of plan.next === undefined ? [] : shards) {
        const session = sessions.find(({ shardId }) => shardId === shard);
        old.set(shardKey(shard, count), session && resume(session));
      }
    },

    /** What another process could go on with. Never throws. */
    sessions: (): readonly (readonly [ShardKey, GatewaySession | undefined])[] =>
      [...old].map(([key, session]) => [key, session?.session()] as const),

    /** Keeps only these. Never throws. */
    retain(keys: ReadonlySet<ShardKey>): void {
      for (const [key, session] of old) {
        if (!keys.has(key)) {
          session?.leave();
          old.delete(key);
        }
      }
    },

    /** Takes the next step, given the fleet of the new shards. */
    async advance(fleet: Fleet): Promise<void> {
      const { count, next, switchMs } = plan;
      if (next === undefined) {
        if (old.size > 0) {
          endOld();
        }
      } else if (switchMs === undefined) {
        await adopt(plan);
        const switchAtMs = fleet.nowMs + SWITCH_IN_MS;
        if (fleet.sessions === next && (await change({ ...plan, switchMs: switchAtMs }))) {
          log.info({ shards: next, atMs: switchAtMs }, "new shards ready");
        }
      } else if (fleet.nowMs > switchMs + LATE_MS) {
        endOld();
        await leases.forgetShards(count);
        if (await change({ count: next })) {
          log.info({ shards: next }, "shard count has grown");
        }
      }
    },

    /** Whether what comes for a shard of so many, and has this id, is answered there. Never throws. */
    counts: (count: number, id: string): boolean => count !== plan.next || isAfterSwitch(id),
    /** The same for what comes in the session of an old shard. */
    countsAsOld: (id: string): boolean => plan.next !== undefined && !isAfterSwitch(id),

    /** Leaves the old shards to other processes. */
    async leave(seal: (session: GatewaySession) => string): Promise<void> {
      for (const [key, session] of old) {
        const left = session?.leave();
        await leases.release(holder, key, left === undefined ? null : seal(left));
      }
      old.clear();
    },
  };
}

/** Milliseconds since the epoch, by Discord's clock; what has no such id was done at no time. */
function doneAt(id: string): number {
  return /^\d{15,20}$/.test(id) ? SnowflakeUtil.timestampFrom(id) : Number.NaN;
}
