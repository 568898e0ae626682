// Reads single values of paths and queries: stations, times, durations, flags, lists, pages.
import { stationByCrs, type RailStation } from "./railway/stations.ts";
import { ukMoment } from "./railway/uk-time.ts";
import { Refusal } from "./refusals.ts";

/** The status for a bad request: 400 on legacy paths, 422 on current ones. */
export type BadRequest = 400 | 422;

export interface Slice {
  /** Counts from 1. */
  readonly page: number;
  readonly size: number;
}

const MINUTE_MS = 60_000;
const MAX_OFFSET_MS = 24 * 60 * MINUTE_MS;
const DEFAULT_WINDOW_MS = 120 * MINUTE_MS;

export type Query = ReturnType<typeof readQuery>;

/** Returns functions that read a query's values by name. They throw a Refusal that names an invalid value. */
export function readQuery(address: string, badRequest: BadRequest) {
  const query = new URL(address).searchParams;
  const refuse = (sentence: string) => new Refusal(badRequest, sentence);
  const invalid = (name: string) => refuse(`The value of ${name} is not valid`);

  /** A parsed value, or `fallback` if the query does not have it. `parse` returns `undefined` for an invalid text. */
  function read<Value, Fallback>(
    name: string,
    fallback: Fallback,
    parse: (text: string) => Value | undefined,
  ): Value | Fallback {
    const text = query.get(name);
    if (text === null) {
      return fallback;
    }
    const value = parse(text);
    if (value === undefined) {
      throw invalid(name);
    }
    return value;
  }

  const words = (name: string) => splitWords(query.get(name));
  const count = (name: string, fallback: number) =>
    read(name, fallback, (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined));

  return {
    refuse,
    text: (name: string) => query.get(name) ?? undefined,
    words,
    count,
    flag: (name: string, fallback: boolean) =>
      read(name, fallback, (text) => ({ true: true, false: false })[text]),
    choice: <Choice extends string>(name: string, fallback: Choice, choices: readonly Choice[]) =>
      read(name, fallback, (text) => choices.find((each) => each === text)),
    choices: <Choice extends string>(
      name: string,
      known: readonly Choice[],
      fallback: readonly Choice[] = [],
    ) =>
      query.get(name) === null
        ? fallback
        : words(name).map((word) => {
            const choice = known.find((each) => each === word);
            if (choice === undefined) {
              throw invalid(name);
            }
            return choice;
          }),
    /** The upper-case CRS codes in a comma-separated list. */
    stations: (name: string) => words(name).map((word) => parseStation(word).crs),
    degrees: (name: string) => {
      const text = query.get(name)?.trim() ?? "";
      if (text === "" || !(Math.abs(Number(text)) <= 180)) {
        throw invalid(name);
      }
      return Number(text);
    },
    /** From `from_offset` to `to_offset`, relative to `aroundMs`, else `datetime`, else now; in whole minutes. */
    window(aroundMs: number | undefined, nowMs: number) {
      const middleMs = aroundMs ?? read("datetime", nowMs, parseDateTime);
      const startMs = Math.floor(middleMs / MINUTE_MS) * MINUTE_MS;
      const from = read("from_offset", 0, parseOffset);
      const to = read("to_offset", DEFAULT_WINDOW_MS, parseOffset);
      if (to < from) {
        throw invalid("to_offset");
      }
      return { aroundMs: middleMs, fromMs: startMs + from, toMs: startMs + to };
    },
    /** The slice that `page` and `limit` (on legacy paths `rpp`) ask for. */
    slice(sizeName: "limit" | "rpp", most: number): Slice {
      return { page: count("page", 1), size: Math.min(most, count(sizeName, most)) };
    },
  };
}

export function sliceOf<Item>(items: readonly Item[], { page, size }: Slice): readonly Item[] {
  return items.slice((page - 1) * size, page * size);
}

function splitWords(text: string | null): readonly string[] {
  return (text ?? "").split(",").flatMap((word) => word.trim() || []);
}

/** The station of a CRS code in any case, with or without `crs:`. Throws a 404 for anything else, including TIPLOCs. */
export function parseStation(text: string): RailStation {
  const code = /^(?:crs:)?([a-z]{3})$/i.exec(text)?.[1];
  const station = code && stationByCrs(code.toUpperCase());
  if (!station) {
    throw new Refusal(404, "Station not found");
  }
  return station;
}

/** The time of a path's date and time, e.g. `2026-11-18` and `17:20`. Empty texts mean today or now. */
export function parsePathMoment(
  date: string,
  time: string,
  now: { readonly date: string; readonly time: string },
  badRequest: BadRequest = 400,
): number {
  const onDate = date === "" ? now.date : date;
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time === "" ? now.time : time) ?? [];
  if (!isDate(onDate) || hours === undefined || minutes === undefined) {
    throw new Refusal(badRequest, "The date or the time is not valid");
  }
  return ukMoment(onDate, Number(hours) * 60 + Number(minutes));
}

/** Whether the text is a date of this century, e.g. `2026-11-18`. */
export function isDate(text: string): boolean {
  try {
    return /^20\d\d-\d\d-\d\d$/.test(text) && Temporal.PlainDate.from(text, { overflow: "reject" }).year > 0;
  } catch {
    return false;
  }
}

/** A time in ISO 8601 with an offset. Like the real service, refuses an unescaped `+`, which arrives as a space. */
function parseDateTime(text: string): number | undefined {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** A duration, e.g. `PT02:00:00` or `-PT00:45:00`. */
function parseOffset(text: string): number | undefined {
  const [, sign, hours, minutes, seconds] = /^([+-]?)PT(\d\d):([0-5]\d):([0-5]\d)$/.exec(text) ?? [];
  const lengthMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1_000;
  return lengthMs <= MAX_OFFSET_MS ? (sign === "-" ? -lengthMs : lengthMs) : undefined;
}
