// People's recent choices, which come first in their suggestions. Reads are cached, and writes follow the answer, so
// that no answer waits for them.
import { LRUCache } from "lru-cache";
import { type Clock, waitAtMost } from "../core/clock.ts";
import { ttlByClock } from "../core/cache-options.ts";
import type { Log } from "../core/log.ts";
import type { RecentChoice, RecentChoicesTable } from "../storage/recent-choices-table.ts";

/** A person's choices take about a kilobyte. */
const MAX_KNOWN = 2_000;
/** Long enough for somebody to type. Another process may add choices, or erase them all. */
const KNOWN_MS = 10_000;
/** If somebody repeats the same choices, they are stored once in this time. */
const NOTED_MS = 59 * 60_000;
/** Suggestions do not wait longer: without recent choices, they are as good as for a new person. */
const READ_TIMEOUT_MS = 300;

export type RecentChoices = ReturnType<typeof createRecentChoices>;

export function createRecentChoices(deps: {
  readonly table: RecentChoicesTable;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { table, clock, log } = deps;
  const shared = { max: MAX_KNOWN, ...ttlByClock(clock) };
  const known = new LRUCache<string, Promise<readonly RecentChoice[]>>({ ...shared, ttl: KNOWN_MS });
  /** Each person's last stored choices, as JSON. */
  const noted = new LRUCache<string, string>({ ...shared, ttl: NOTED_MS });

  function forget(userId: string): void {
    known.delete(userId);
    noted.delete(userId);
  }

  function read(userId: string): Promise<readonly RecentChoice[]> {
    const before = known.get(userId);
    if (before !== undefined) {
      return before;
    }
    const choices = table.of(userId).catch((error: unknown) => {
      log.warn({ error }, "recent choices not read");
      known.delete(userId);
      return [];
    });
    known.set(userId, choices);
    return choices;
  }

  return {
    /** A person's recent choices, the latest first; empty if the database is slow or unreachable. */
    async of(userId: string, kind: string): Promise<readonly string[]> {
      const choices = await waitAtMost(clock, READ_TIMEOUT_MS, read(userId), []);
      return choices.filter((choice) => choice.kind === kind).map(({ value }) => value);
    },

    /** Stores the choices of one command. Never throws. */
    async note(userId: string, choices: readonly RecentChoice[]): Promise<void> {
      const said = JSON.stringify(choices);
      if (noted.get(userId) === said) {
        return;
      }
      noted.set(userId, said);
      try {
        await table.note(userId, choices, clock.now());
        known.delete(userId);
      } catch (error) {
        log.warn({ error }, "recent choices not noted");
        forget(userId);
      }
    },

    /** Sets whether a person's choices are stored from now on. Throws as the database does. */
    async remember(userId: string, isOn: boolean): Promise<void> {
      await table.remember(userId, isOn, clock.now());
      forget(userId);
    },

    /** Call it when a person's choices were erased. */
    forget,
  };
}
