// Fair shares of what a plan leaves to people, so that no person and no server can use up what is there for all.
//
// Each person and each server has a leaky bucket: what they use goes in and fades with time. They may go on as long as
// enough is left for others: a server may use twice what it leaves to all others, and a member as much as they leave to
// the rest of their server. Alone, a member thus gets a third at once and a server two thirds; many who ask at once get
// less each, and something always remains for the next. Kept in memory: each process of a fleet has its own buckets.
import { LRUCache } from "lru-cache";
import { limitEntries } from "../core/cache-options.ts";
import type { Asker } from "../core/asker.ts";
import type { Clock } from "../core/clock.ts";
import { createKeyedQueue } from "../core/runs.ts";

const SERVER_SHARE = 2;
const PERSON_SHARE = 1;

/** On a plan by the month, a day's part is shared out each day. */
const LONGEST_FADE_MS = 24 * 60 * 60_000;
/** Those who have not asked for longest count as new first. */
const MOST_KNOWN = 20_000;

/** `windowMs`: how long a call of the plan counts. */
export function createShares({ windowMs, clock }: { readonly windowMs: number; readonly clock: Clock }) {
  const fadeMs = Math.min(windowMs, LONGEST_FADE_MS);
  const spread = windowMs / fadeMs;
  const buckets = new LRUCache<string, { readonly level: number; readonly atMs: number }>(
    limitEntries(MOST_KNOWN),
  );
  const inTurn = createKeyedQueue();

  function levelOf(key: string): number {
    const bucket = buckets.get(key);
    return bucket === undefined ? 0 : bucket.level * Math.exp((bucket.atMs - clock.elapsed()) / fadeMs);
  }

  /** How many calls must be left for others, where these levels are what a server and a person have used. */
  function leaveFor(server: number, person: number): number {
    return (spread * (server + (person * (1 + SERVER_SHARE)) / PERSON_SHARE)) / SERVER_SHARE;
  }

  function levels(asker: Asker): { readonly server: number; readonly person: number } {
    return { server: levelOf(serverKey(asker)), person: levelOf(personKey(asker)) };
  }

  return {
    levels,

    /** How many calls must be left for others when this asker asks once more. */
    leave(asker: Asker): number {
      const { server, person } = levels(asker);
      return leaveFor(server, person);
    },

    /** Puts calls into the asker's buckets, or with a negative `weight` takes them out again. */
    charge(asker: Asker, weight: number): void {
      for (const key of [personKey(asker), serverKey(asker)]) {
        buckets.set(key, { level: Math.max(0, levelOf(key) + weight), atMs: clock.elapsed() });
      }
    },

    /** How many more calls the asker may make at once, where people have `left`. */
    count(asker: Asker, left: number): number {
      const { server, person } = levels(asker);
      const perCall = leaveFor(1, 1);
      return Math.max(0, Math.floor((left - leaveFor(server, person) + perCall) / (1 + perCall)));
    },

    /**
     * Why an asker is refused although `spare` calls would be left, and in how long enough has faded; Infinity where the
     * plan must free some first.
     */
    refusal(
      asker: Asker,
      spare: number,
    ): { readonly reason: "own-share" | "server-share"; readonly fadesInMs: number } {
      const { server, person } = levels(asker);
      const isServers = leaveFor(Math.max(0, server - person), 0) > spare;
      const fadesInMs = spare > 0 ? fadeMs * Math.log(leaveFor(server, person) / spare) : Infinity;
      return { reason: isServers ? "server-share" : "own-share", fadesInMs: Math.ceil(fadesInMs) };
    },

    /** One after the other for each person, so that a thousand requests of theirs queue behind each other alone. */
    inTurn: <T>({ userId }: Asker, act: () => Promise<T>): Promise<T> => inTurn(userId, act),
  };
}

function personKey({ userId }: Asker): string {
  return `person ${userId}`;
}

/** Everyone outside servers that have the bot counts as one more server. */
function serverKey({ guildId = "elsewhere" }: Asker): string {
  return `server ${guildId}`;
}
