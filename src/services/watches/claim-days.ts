// Judges the days that are under way, writes down what is new of each, and claims those of which there is something
// to tell.
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { incidentKey, type IncidentRecord, type IncidentsTable } from "../../storage/incidents-table.ts";
import type { WatchData } from "../board-data/board-data.ts";
import { claimChanges, decideIncident, type Decision } from "./decide-incident.ts";
import type { ClaimedDay } from "./deliver-incident.ts";
import type { PresentIncident } from "./run-watches.ts";
import { type IncidentKnowledge, parseKnowledge } from "./train-knowledge.ts";
import { askOf, keyOfDay, type WatchDay } from "./watch-days.ts";

/** What claiming stands on. */
export interface ClaimDaysDependencies {
  readonly incidents: Pick<IncidentsTable, "write">;
  readonly data: Pick<WatchData, "known">;
  readonly present: PresentIncident;
  readonly clock: Clock;
  readonly log: Log;
}

/** Claims up to `most`, of which nobody else was quicker; `isMore` where some were left for want of room. */
export type ClaimDays = (
  days: readonly WatchDay[],
  most: number,
) => Promise<{ readonly claimed: readonly ClaimedDay[]; readonly isMore: boolean }>;

/** So long a process that died keeps others from its incidents; what takes longer is safe by its nonce. */
const CLAIM_MS = 60_000;
/** Judged in one go: between them the bot hears other people. */
const DAYS_AT_ONCE = 25;
/** Of days that are under way at one time. */
const MOST_KEPT = 5_000;

/** Makes what claims. */
export function createClaimDays({ incidents, data, present, clock, log }: ClaimDaysDependencies): ClaimDays {
  const read = new LRUCache<string, IncidentKnowledge>({ max: MOST_KEPT });
  /** Days of which there was nothing to say or to write, and what they were judged by. */
  const quiet = new LRUCache<string, string>({ max: MOST_KEPT });

  function knowledgeOf(row: IncidentRecord): IncidentKnowledge {
    const key = `${incidentKey(row)} ${row.revision}`;
    const known = read.get(key) ?? parseKnowledge(row.knowledge);
    read.set(key, known);
    return known;
  }

  function decide(day: WatchDay): readonly { readonly day: WatchDay; readonly decision: Decision }[] {
    const { watch, row } = day;
    try {
      const nowMs = clock.now();
      const answer = data.known(askOf(watch.settings));
      // Between two answers nothing but the minute changes.
      const given = [
        day.record.settings,
        row?.revision,
        row?.shownHash,
        answer?.dataMs,
        Math.floor(nowMs / 60_000),
      ].join(" ");
      if (quiet.get(keyOfDay(day)) === given) {
        return [];
      }
      const decision = decideIncident(day, row && knowledgeOf(row), answer, present, nowMs);
      if (isQuiet(decision)) {
        quiet.set(keyOfDay(day), given);
      }
      return [{ day, decision }];
    } catch (error) {
      log.error({ error, watch: watch.id }, "a watch cannot be judged");
      return [];
    }
  }

  return async (days, most) => {
    const claimed: ClaimedDay[] = [];
    let isMore = false;
    for (const some of chunk(days, DAYS_AT_ONCE)) {
      const nowMs = clock.now();
      const safeUntilElapsedMs = clock.elapsed() + CLAIM_MS;
      const decided = some.flatMap(decide);
      const open = decided.filter(({ decision: { act } }) => act.kind !== "none");
      const told = open.slice(0, Math.max(0, most - claimed.length));
      const noted = decided.filter(({ decision }) => decision.act.kind === "none" && !isQuiet(decision));
      const writes = [...told, ...noted].map(({ day, decision }) => ({
        watchId: day.watch.id,
        day: day.window.day,
        seenRevision: day.row?.revision,
        changes: claimChanges(decision, day.row, nowMs, CLAIM_MS),
      }));
      const written = writes.length === 0 ? new Set<string>() : await incidents.write(writes);
      const won = told.filter(({ day }) => written.has(keyOfDay(day)));
      claimed.push(
        ...won.map((each) => ({ ...each, revision: (each.day.row?.revision ?? 0) + 1, safeUntilElapsedMs })),
      );
      isMore ||= told.length < open.length;
      await setImmediate();
    }
    return { claimed, isMore };
  };
}

function chunk<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

function isQuiet({ act }: Decision): boolean {
  return act.kind === "none" && !act.isChanged && !act.isClosed;
}
