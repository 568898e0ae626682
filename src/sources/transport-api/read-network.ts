// Turns an answer about the network into entries of our own. Neither dialect documents its shape, so it is read as
// widely as sense allows: a list, or an object by mode or by line, under one of a few names.
import { z } from "zod";
import { isGoodState } from "../good-state.ts";
import { looseText, readInstant } from "../read-values.ts";
import { unexpectedAnswer } from "./ask.ts";
import type { NetworkEntry, NetworkMode, TransportNetwork } from "../transport-data.ts";

/** Reads an answer. Throws ServiceError `unexpected-answer` where there is nothing that can be entries. */
export function readNetwork(
  answer: z.infer<typeof networkSchema>,
  basis: TransportNetwork["basis"],
  now: Temporal.Instant,
): TransportNetwork {
  const { status, lines, all, member, situations } = answer;
  const held = [member, situations, lines, all, status].find(
    (value) => typeof value === "object" && value !== null,
  );
  if (held === undefined) {
    throw unexpectedAnswer("neither status nor member is a list");
  }
  const given = listedEntries(held);
  const entries = given.flatMap(({ key, entry }) => readEntry(entry, key, basis) ?? []);
  if (given.length > 0 && entries.length === 0 && !given.every(({ entry }) => isClosed(entry))) {
    throw unexpectedAnswer("no entry has a name");
  }
  return { basis, dataAt: readInstant(answer.request_time) ?? now, entries };
}

function isClosed(entry: unknown): boolean {
  return networkEntrySchema.safeParse(entry).data?.progress?.toLowerCase() === "closed";
}

interface ListedEntry {
  /** What the entry stands under: a line's name, or a mode. */
  readonly key: string | undefined;
  readonly entry: unknown;
}

function listedEntries(held: unknown, key?: string): readonly ListedEntry[] {
  if (Array.isArray(held)) {
    return held.map((entry: unknown) => ({ key, entry }));
  }
  return Object.entries(Object(held)).flatMap(([inner, value]: [string, unknown]) =>
    Array.isArray(value) ? listedEntries(value, inner) : [{ key: inner, entry: value }],
  );
}

function readEntry(
  given: unknown,
  key: string | undefined,
  basis: TransportNetwork["basis"],
): NetworkEntry | undefined {
  const { data: entry } = networkEntrySchema.safeParse(typeof given === "string" ? { status: given } : given);
  if (!entry || isClosed(given)) {
    return undefined;
  }
  const isIncident = basis === "bus-situations";
  const keyMode = modeOf(key);
  const name =
    (isIncident ? (entry.summary ?? entry.title) : undefined) ??
    entry.name ??
    entry.line_name ??
    entry.line ??
    entry.summary ??
    entry.title ??
    (keyMode === "other" && key !== "all" ? key : undefined) ??
    (isIncident ? entry.description : key);
  if (name === undefined) {
    return undefined;
  }
  const state = isIncident ? undefined : (entry.status ?? entry.state);
  const mode = modeOf(entry.mode ?? entry.type);
  return {
    mode: mode === "other" ? (isIncident ? "bus" : keyMode) : mode,
    name,
    state,
    description: distinct(entry.description ?? entry.reason ?? entry.details, [name, state]),
    isDisrupted: isIncident || (state !== undefined && !isGoodState(state)),
    ...spanOf(entry),
  };
}

/** From the first beginning to the last end of all the spans that are given. */
function spanOf(entry: z.infer<typeof networkEntrySchema>): Pick<NetworkEntry, "from" | "until"> {
  const { validity, validity_period: single, validity_periods: several = [] } = entry;
  const periods = [
    { start: entry.valid_from ?? entry.start_time, end: entry.valid_to ?? entry.end_time },
    ...[validity, single, ...several].map((one) => ({
      start: one?.start_time ?? one?.start ?? one?.from,
      end: one?.end_time ?? one?.end ?? one?.to,
    })),
  ];
  const starts = periods.flatMap(({ start }) => readInstant(start) ?? []);
  const ends = periods.flatMap(({ end }) => readInstant(end) ?? []);
  return {
    from: starts.toSorted((a, b) => Temporal.Instant.compare(a, b)).at(0),
    until: ends.toSorted((a, b) => Temporal.Instant.compare(a, b)).at(-1),
  };
}

const MODE_WORDS: readonly (readonly [RegExp, NetworkMode])[] = [
  [/tram|light.?rail|dlr|supertram/i, "tram"],
  [/tube|underground|metro|subway/i, "tube"],
  [/ferry|boat|river/i, "ferry"],
  [/bus|coach/i, "bus"],
  [/train|rail/i, "train"],
];

function modeOf(word: string | undefined): NetworkMode {
  return (word !== undefined && MODE_WORDS.find(([words]) => words.test(word))?.[1]) || "other";
}

/** A description that only repeats what was said already is none. */
function distinct(text: string | undefined, said: readonly (string | undefined)[]): string | undefined {
  return said.some((one) => one?.toLowerCase() === text?.toLowerCase()) ? undefined : text;
}

// The fields of an answer about the network, under all the names that they may have: neither dialect documents them.

const anything = z.unknown().optional();

/** An answer, with the names under which the entries may stand. */
export const networkSchema = z.object({
  error: anything,
  request_time: looseText,
  status: anything,
  lines: anything,
  all: anything,
  member: anything,
  situations: anything,
});

/** A span of time under whichever names. */
const period = z
  .object({
    start: looseText,
    from: looseText,
    start_time: looseText,
    end: looseText,
    to: looseText,
    end_time: looseText,
  })
  .optional()
  .catch(undefined);

/** One line or incident, under any of the names that it may have. */
const networkEntrySchema = z.object({
  mode: looseText,
  type: looseText,
  name: looseText,
  line_name: looseText,
  line: looseText,
  summary: looseText,
  title: looseText,
  status: looseText,
  state: looseText,
  description: looseText,
  reason: looseText,
  details: looseText,
  progress: looseText,
  validity: period,
  validity_period: period,
  validity_periods: z.array(period).optional().catch(undefined),
  start_time: looseText,
  end_time: looseText,
  valid_from: looseText,
  valid_to: looseText,
});
