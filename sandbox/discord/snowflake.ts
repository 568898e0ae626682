// Ids in Discord's format, from the sandbox's clock and a counter: the same actions give the same ids.
import { createHash } from "node:crypto";
import type { Clock } from "../clock/clock.ts";

/** The first second of 2015, where Discord's ids begin. */
const EPOCH_MS = 1_420_070_400_000;

const IDS_PER_MS = 1 << 22;

export type IdSource = ReturnType<typeof createIdSource>;

function compose(atMs: number, low: number): string {
  return String((BigInt(Math.trunc(atMs) - EPOCH_MS) << 22n) + BigInt(low));
}

/** The ids of one sandbox. The seed determines only tokens. */
export function createIdSource(clock: Clock, seed: number) {
  let lastMs = 0;
  let counter = 0;
  /** How many ids were created for each millisecond in the past. */
  const past = new Map<number, number>();

  return {
    /** A new id, greater than all before it. */
    next() {
      const nowMs = Math.max(Math.trunc(clock.now()), lastMs);
      counter = nowMs === lastMs ? counter + 1 : 0;
      lastMs = nowMs;
      const taken = past.get(lastMs) ?? 0;
      counter = counter > 0 && counter <= taken ? taken + 1 : counter;
      if (counter >= IDS_PER_MS) {
        lastMs += 1;
        counter = 0;
      }
      return compose(lastMs, counter);
    },
    /** A new id in the past, e.g. of a guild that is older than the sandbox. `atMs` determines its shard. */
    at(atMs: number) {
      const wholeMs = Math.trunc(atMs);
      const low = Math.max(past.get(wholeMs) ?? 0, wholeMs === lastMs ? counter : 0) + 1;
      past.set(wholeMs, low);
      return compose(wholeMs, low);
    },
    /** A secret for an id, e.g. an interaction's token. It can be used in a path. */
    tokenFor(id: string) {
      const secret = createHash("sha256").update(`${seed}:${id}`).digest("base64url");
      return Buffer.from(`interaction:${id}:${secret}`).toString("base64url");
    },
  };
}

/** When an id was created, milliseconds since the Unix epoch. */
export function timeOfId(id: string): number {
  return Number(BigInt(id) >> 22n) + EPOCH_MS;
}

export function shardOf(guildId: string, shardCount: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(shardCount));
}
