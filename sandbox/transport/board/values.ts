// The notation of single values: stations, moments, lengths of time, flags, lists.
import { stationByCrs } from "../railway/stations.ts";
import type { RailStation } from "../railway/stations.ts";
import { ukMoment } from "../railway/uk-time.ts";
import { Refusal } from "../refusals.ts";

const MINUTE_MS = 60_000;
const MOST_OFFSET_MS = 24 * 60 * MINUTE_MS;

/** The station of a CRS code in any case, with or without `crs:`. Nobody here knows TIPLOCs: 404, as for any unknown one. */
export function parseStation(text: string): RailStation {
  const code = /^(?:crs:)?([a-z]{3})$/i.exec(text)?.[1];
  const station = code && stationByCrs(code.toUpperCase());
  if (!station) {
    throw new Refusal(404, "Station not found");
  }
  return station;
}

/** The moment of a date and a time in the path, e.g. `2026-11-18` and `17:20`; an empty one is now's. */
export function parsePathMoment(
  date: string,
  time: string,
  now: { readonly date: string; readonly time: string },
): number {
  const onDate = date === "" ? now.date : date;
  const atTime = time === "" ? now.time : time;
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(atTime) ?? [];
  if (!isDate(onDate) || hours === undefined || minutes === undefined) {
    throw new Refusal(400, "The date or the time is not valid");
  }
  return ukMoment(onDate, Number(hours) * 60 + Number(minutes));
}

/** Whether this is a day of this century, e.g. `2026-11-18`. */
export function isDate(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) {
    return false;
  }
  try {
    Temporal.PlainDate.from(text, { overflow: "reject" });
    return true;
  } catch {
    return false;
  }
}

/** A moment in ISO 8601 with an offset; `undefined` for no text. */
export function parseDateTime(text: string | null, refuse: () => Refusal): number | undefined {
  if (text === null) {
    return undefined;
  }
  try {
    // A `+` that was not escaped has become a space, and is refused as at the real service.
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    throw refuse();
  }
}

/** `PT02:00:00`, `-PT00:45:00`; the usual `PT2H` and `PT45M` as well. */
export function parseOffset(text: string | null, otherwiseMs: number, refuse: () => Refusal): number {
  if (text === null) {
    return otherwiseMs;
  }
  const [, sign, hours, minutes, seconds] = /^([+-]?)PT(\d\d):([0-5]\d):([0-5]\d)$/.exec(text) ?? [];
  const short = /^([+-]?)PT(?:(\d+)H)?(?:(\d+)M)?$/.exec(text);
  const lengthMs =
    hours === undefined
      ? (Number(short?.[2] ?? 0) * 60 + Number(short?.[3] ?? 0)) * MINUTE_MS
      : (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1_000;
  if ((hours === undefined && !short) || lengthMs > MOST_OFFSET_MS) {
    throw refuse();
  }
  return (sign ?? short?.[1]) === "-" ? -lengthMs : lengthMs;
}

/** `true` or `false`. */
export function parseFlag(text: string | null, otherwise: boolean, refuse: () => Refusal): boolean {
  if (text === null) {
    return otherwise;
  }
  if (text !== "true" && text !== "false") {
    throw refuse();
  }
  return text === "true";
}

/** What stands between commas. */
export function words(text: string | null): readonly string[] {
  return (text ?? "").split(",").flatMap((word) => word.trim() || []);
}

/** Upper-case CRS codes of the stations between commas. */
export function codes(text: string | null): readonly string[] {
  return words(text).map((word) => parseStation(word).crs);
}
