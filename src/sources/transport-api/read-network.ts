// Reads an answer about the network. Neither dialect documents its shape, so the reader accepts many: a list, or an object
// by mode or by line, under one of several names.
import { z } from "zod";
import { byTime } from "../../time/uk-time.ts";
import { readEach, unexpectedAnswer } from "../ask.ts";
import { isGoodState, looseText, looseTexts, readInstant } from "../read-values.ts";
import type { NetworkEntry, NetworkMode, TransportNetwork } from "../transport-data.ts";

/** Throws a ServiceError `unexpected-answer` without entries under any known name, or if no entry has a name. */
export function readNetwork(
  answer: z.infer<typeof networkSchema>,
  basis: TransportNetwork["basis"],
  now: Temporal.Instant,
): TransportNetwork {
  const { status, lines, all, member, situations } = answer;
  const list = [member, situations, lines, all, status].find(
    (value) => typeof value === "object" && value !== null,
  );
  if (list === undefined) {
    throw unexpectedAnswer("transport", "neither status nor member is a list");
  }
  const given = listedEntries(list).flatMap(({ key, entry }) => {
    const { data } = networkEntrySchema.safeParse(typeof entry === "string" ? { status: entry } : entry);
    return data?.progress?.toLowerCase() === "closed" ? [] : [{ key, data }];
  });
  const read = ({ key, data }: (typeof given)[number]) => data && readEntry(data, key, basis);
  const entries = readEach("transport", given, read, "no entry has a name");
  return { basis, dataAt: readInstant(answer.request_time) ?? now, entries };
}

/** The entries, each with its key in the answer: a line's name, or a mode. */
function listedEntries(
  list: unknown,
  key?: string,
): readonly { readonly key: string | undefined; readonly entry: unknown }[] {
  if (Array.isArray(list)) {
    return list.map((entry: unknown) => ({ key, entry }));
  }
  return Object.entries(Object(list)).flatMap(([inner, value]: [string, unknown]) =>
    Array.isArray(value) ? listedEntries(value, inner) : [{ key: inner, entry: value }],
  );
}

function readEntry(
  entry: z.infer<typeof networkEntrySchema>,
  key: string | undefined,
  basis: TransportNetwork["basis"],
): NetworkEntry | undefined {
  const isIncident = basis === "bus-situations";
  const keyMode = modeOf(key);
  const title = entry.summary ?? entry.title;
  const name =
    (isIncident ? title : undefined) ??
    entry.name ??
    entry.line_name ??
    entry.line ??
    title ??
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

/** The earliest beginning and the latest end of all the entry's periods. */
function spanOf(entry: z.infer<typeof networkEntrySchema>): Pick<NetworkEntry, "from" | "until"> {
  const { validity, validity_period: single, validity_periods: several = [] } = entry;
  const periods = [entry, validity, single, ...several];
  const instantsOf = (read: (one: z.infer<typeof periodSchema>) => string | undefined) =>
    periods.flatMap((one) => readInstant(one && read(one)) ?? []).toSorted(byTime((at) => at));
  return {
    from: instantsOf((one) => one.valid_from ?? one.start_time ?? one.start ?? one.from).at(0),
    until: instantsOf((one) => one.valid_to ?? one.end_time ?? one.end ?? one.to).at(-1),
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

/** The text; `undefined` if it only repeats one of the others. */
function distinct(text: string | undefined, said: readonly (string | undefined)[]): string | undefined {
  return said.some((one) => one?.toLowerCase() === text?.toLowerCase()) ? undefined : text;
}

// The fields of an answer, under all the names that they may have.

const anything = z.unknown().optional();

export const networkSchema = z.object({
  request_time: looseText,
  status: anything,
  lines: anything,
  all: anything,
  member: anything,
  situations: anything,
});

const periodSchema = z.object({
  ...looseTexts("valid_from", "start_time", "start", "from"),
  ...looseTexts("valid_to", "end_time", "end", "to"),
});
const loosePeriod = periodSchema.optional().catch(undefined);

/** A line or an incident. */
const networkEntrySchema = z.object({
  ...looseTexts("mode", "type", "name", "line_name", "line", "summary", "title", "status", "state"),
  ...looseTexts("description", "reason", "details", "progress"),
  ...periodSchema.shape,
  validity: loosePeriod,
  validity_period: loosePeriod,
  validity_periods: z.array(loosePeriod).optional().catch(undefined),
});
