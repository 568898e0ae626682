// Boards for tests: a few by hand, and arbitrary ones.
import * as fc from "fast-check";
import type { Board, BoardQuestion, BoardRow, RowState } from "../../src/rail/departures.ts";
import type { RailStation } from "../../src/rail/stations.ts";
import { CREDITS } from "../../src/sources/source-words.ts";

export const YORK: RailStation = { crs: "YRK", name: "York", latitude: 53.96, longitude: -1.09 };
export const LEEDS: RailStation = { crs: "LDS", name: "Leeds", latitude: 53.79, longitude: -1.55 };

/** An instant given as local UK time, e.g. `2026-11-21 17:31`. */
export function ukTime(text: string): Temporal.Instant {
  return Temporal.PlainDateTime.from(text.replace(" ", "T")).toZonedDateTime("Europe/London").toInstant();
}

/** A train at 17:31 from platform 4, on time, by default. */
export function boardRow(changed: Partial<BoardRow> = {}): BoardRow {
  const aimedAt = changed.aimedAt ?? ukTime("2026-11-21 17:31");
  return {
    mode: "train",
    place: "London Kings Cross",
    platform: "4",
    operator: "LNER",
    aimedAt,
    expectedAt: aimedAt,
    delayMinutes: 0,
    state: "on-time",
    ...changed,
  };
}

/** Departures from York at 17:20 on Saturday 21 November 2026 by default. */
export function board(
  rows: readonly BoardRow[],
  changed: Partial<Board> & { readonly asked?: Partial<BoardQuestion> } = {},
): Board {
  const { asked, ...rest } = changed;
  return {
    question: { kind: "departures", station: YORK, rows: 8, ...asked },
    rows,
    dataAt: ukTime("2026-11-21 17:20"),
    credit: CREDITS.transport,
    laterFrom: undefined,
    next: undefined,
    ...rest,
  };
}

const STATES: readonly RowState[] = ["cancelled", "delayed", "scheduled", "late", "early", "on-time"];

/** Realistic rows: names of up to 36 letters, any state, within a day. */
export const realisticRow: fc.Arbitrary<BoardRow> = fc
  .record({
    mode: fc.constantFrom("train" as const, "bus" as const),
    place: fc.stringMatching(/^[A-Z][a-z]{2,11}( [A-Z][a-z]{1,10}){0,2}$/),
    platform: fc.option(fc.stringMatching(/^[1-9]?[0-9][A-D]?$/), { nil: undefined }),
    operator: fc.option(fc.constantFrom("LNER", "South Western Railway", "Northern"), { nil: undefined }),
    inMinutes: fc.integer({ min: 0, max: 1_439 }),
    delayMinutes: fc.integer({ min: 1, max: 180 }),
    state: fc.constantFrom(...STATES),
  })
  .map(({ inMinutes, delayMinutes, state, ...row }) => {
    const aimedAt = ukTime("2026-11-21 17:20").add({ minutes: inMinutes });
    const delays: Partial<Record<RowState, number>> = {
      late: delayMinutes,
      early: -delayMinutes,
      "on-time": 0,
    };
    const delay = delays[state];
    return {
      ...row,
      state,
      aimedAt,
      delayMinutes: delay,
      expectedAt: delay === undefined ? undefined : aimedAt.add({ minutes: delay }),
    };
  });
