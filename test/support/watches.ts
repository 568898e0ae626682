// Watches, rows and answers for tests of watches. The day is Saturday 21 November 2026.
import type { KnownAnswer } from "../../src/boards/planning/board-contents.ts";
import type { BoardRow } from "../../src/rail/departures.ts";
import type { Watch, WatchedCommute, WatchedTrain, WatchSettings } from "../../src/watches/watches.ts";
import { boardRow, ukTime } from "./boards.ts";
import { CREDITS } from "../../src/sources/source-words.ts";

const MINUTE_MS = 60_000;

/** Milliseconds since the epoch of a UK time on that day. */
export function todayMs(time: string): number {
  return ukTime(`2026-11-21 ${time}`).epochMilliseconds;
}

/** The 07:30 to Leeds from platform 4, on time by default; `late` sets its delay in minutes. */
export function trainRow({
  time = "07:30",
  late,
  ...changed
}: Partial<BoardRow> & { readonly time?: string; readonly late?: number } = {}): BoardRow {
  const aimedAt = changed.aimedAt ?? Temporal.Instant.fromEpochMilliseconds(todayMs(time));
  const row = boardRow({
    aimedAt,
    place: "Leeds",
    operator: "Northern",
    trainUid: "C00001",
    startDate: "2026-11-21",
    ...(late !== undefined && {
      expectedAt: aimedAt.add({ minutes: late }),
      delayMinutes: late,
      state: late > 0 ? "late" : late < 0 ? "early" : "on-time",
    }),
    ...changed,
  });
  return row.state === "cancelled" || row.state === "delayed" || row.state === "scheduled"
    ? { ...row, expectedAt: undefined, delayMinutes: undefined }
    : row;
}

/** The service's answer at this time, which covers the next two hours. */
export function answerAt(time: string, ...rows: readonly BoardRow[]): KnownAnswer {
  const dataMs = todayMs(time);
  return {
    rows,
    credit: CREDITS.transport,
    dataMs,
    askedAtMs: dataMs,
    coversUntilMs: dataMs + 120 * MINUTE_MS,
  };
}

/** That train, for somebody who gets off at Leeds. */
export function watchedTrain(changed: Partial<WatchedTrain> = {}): WatchedTrain {
  return {
    kind: "train",
    station: "YRK",
    to: "LDS",
    trainUid: "C00001",
    startDate: "2026-11-21",
    aimedMs: todayMs("07:30"),
    place: "Leeds",
    operator: "Northern",
    ...changed,
  };
}

/** A commute from York to Leeds, every day from seven to nine. */
export function watchedCommute(changed: Partial<WatchedCommute> = {}): WatchedCommute {
  return {
    kind: "commute",
    station: "YRK",
    to: "LDS",
    hours: { from: "07:00", to: "09:00" },
    days: [1, 2, 3, 4, 5, 6, 7],
    ...changed,
  };
}

/** Settings that report delays of five minutes or more, from an hour before departure, without a ping. */
export function watchSettings(changed: Partial<WatchSettings> = {}): WatchSettings {
  return { what: watchedTrain(), delayMinutes: 5, leadMinutes: 60, ping: false, ...changed };
}

/** An active watch of person "7", reported in direct messages. */
export function watch({
  settings,
  ...changed
}: Partial<Omit<Watch, "settings">> & {
  readonly settings?: Partial<WatchSettings>;
} = {}): Watch {
  return {
    id: "watch001",
    ownerId: "7",
    createdAtMs: 1_000,
    askedGuildId: "1",
    askedChannelId: "11",
    guildId: undefined,
    channelId: undefined,
    stateAtMs: 1_000,
    settings: watchSettings(settings),
    state: "active",
    pausedBecause: undefined,
    ...changed,
  };
}
