// Fair shares of the calls that a plan has for people, so that no person and no server can use up all of them.
//
// Each person and each server has a leaky bucket: the calls they cause fill it, and it drains with time. They may continue as
// long as enough calls are left for others: a server may use twice as many as it leaves to all others, and a member as many as
// they leave to the rest of their server. So a single member can use a third straight away, and a single server two
// thirds. If many ask at the same time, each gets less, and some calls always remain for the next. The buckets are in
// memory, separate in each process.
import { LRUCache } from "lru-cache";
import { limitEntries } from "../core/cache-options.ts";
import type { Asker } from "../core/asker.ts";
import type { Clock } from "../core/clock.ts";
import { createKeyedQueue } from "../core/runs.ts";

const SERVER_SHARE = 2;
const PERSON_SHARE = 1;

/** The longest time constant with which a bucket drains. On a monthly plan, people thus share one day's part each day. */
const LONGEST_FADE_MS = 24 * 60 * 60_000;
/** If there are more, those who have not asked for longest lose their buckets. */
const MAX_KNOWN = 20_000;

/** `windowMs`: how long a call counts. */
export function createShares({ windowMs, clock }: { readonly windowMs: number; readonly clock: Clock }) {
  const fadeMs = Math.min(windowMs, LONGEST_FADE_MS);
  const spread = windowMs / fadeMs;
  const buckets = new LRUCache<string, { readonly level: number; readonly atMs: number }>(
    limitEntries(MAX_KNOWN),
  );
  const inTurn = createKeyedQueue();

  function levelOf(key: string): number {
    const bucket = buckets.get(key);
    return bucket === undefined ? 0 : bucket.level * Math.exp((bucket.atMs - clock.elapsed()) / fadeMs);
  }

  /** How many calls must remain for others if a server and a person have these levels in their buckets. */
  function leaveFor(server: number, person: number): number {
    return (spread * (server + (person * (1 + SERVER_SHARE)) / PERSON_SHARE)) / SERVER_SHARE;
  }

  function levels(asker: Asker): { readonly server: number; readonly person: number } {
    return { server: levelOf(serverKey(asker)), person: levelOf(personKey(asker)) };
  }

  return {
    levels,

    /** How many calls must remain for others when this asker asks once more. */
    leave(asker: Asker): number {
      const { server, person } = levels(asker);
      return leaveFor(server, person);
    },

    /** Removes calls if `weight` is negative. */
    charge(asker: Asker, weight: number): void {
      for (const key of [personKey(asker), serverKey(asker)]) {
        buckets.set(key, { level: Math.max(0, levelOf(key) + weight), atMs: clock.elapsed() });
      }
    },

    /** How many more calls the asker may cause immediately if people have `left` calls. */
    count(asker: Asker, left: number): number {
      const { server, person } = levels(asker);
      const perCall = leaveFor(1, 1);
      return Math.max(0, Math.floor((left - leaveFor(server, person) + perCall) / (1 + perCall)));
    },

    /** Which share is used up if `spare` calls are left, and for how long; Infinity if none are left. */
    refusal(
      asker: Asker,
      spare: number,
    ): { readonly reason: "own-share" | "server-share"; readonly fadesInMs: number } {
      const { server, person } = levels(asker);
      const isServers = leaveFor(Math.max(0, server - person), 0) > spare;
      const fadesInMs = Math.ceil(fadeMs * Math.log(leaveFor(server, person) / spare));
      return { reason: isServers ? "server-share" : "own-share", fadesInMs };
    },

    /** Runs one person's requests one after the other, so that a thousand of them delay nobody else's. */
    inTurn: <T>({ userId }: Asker, act: () => Promise<T>): Promise<T> => inTurn(userId, act),
  };
}

function personKey({ userId }: Asker): string {
  return `person ${userId}`;
}

/** All people outside servers that have the bot count as one server. */
function serverKey({ guildId = "elsewhere" }: Asker): string {
  return `server ${guildId}`;
}
