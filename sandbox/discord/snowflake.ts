// Ids in Discord's form, from the sandbox's clock and a counter: the same acts give the same ids.
import { createHash } from "node:crypto";
import type { Clock } from "../clock/clock.ts";

/** The first second of 2015, where Discord's ids begin. */
const EPOCH_MS = 1_420_070_400_000;

/** How many ids fit into one millisecond: 22 bits. */
const IDS_PER_MS = 1 << 22;

export interface IdSource {
  /** A new id, greater than all before it. */
  next(): string;
  /** An id of the past, e.g. of a guild that is older than the sandbox. Its shard follows from `atMs`. */
  at(atMs: number): string;
  /** A secret that belongs to an id, e.g. an interaction's token. Safe in a path. */
  tokenFor(id: string): string;
}

function compose(atMs: number, low: number): string {
  return String((BigInt(Math.trunc(atMs) - EPOCH_MS) << 22n) + BigInt(low));
}

/** Ids of one sandbox. The seed decides tokens only. */
export function createIdSource(clock: Clock, seed: number): IdSource {
  let lastMs = 0;
  let counter = 0;

  return {
    next() {
      const nowMs = Math.max(Math.trunc(clock.now()), lastMs);
      counter = nowMs === lastMs ? counter + 1 : 0;
      lastMs = nowMs;
      if (counter === IDS_PER_MS) {
        lastMs += 1;
        counter = 0;
      }
      return compose(lastMs, counter);
    },
    at: (atMs) => compose(atMs, 1),
    tokenFor(id) {
      const secret = createHash("sha256").update(`${seed}:${id}`).digest("base64url");
      return Buffer.from(`interaction:${id}:${secret}`).toString("base64url");
    },
  };
}

/** Milliseconds since the Unix epoch at which an id was made. */
export function timeOfId(id: string): number {
  return Number(BigInt(id) >> 22n) + EPOCH_MS;
}

/** Which of `shardCount` shards a guild belongs to. */
export function shardOf(guildId: string, shardCount: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(shardCount));
}
