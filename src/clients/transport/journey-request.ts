// Where a question for a journey goes, in each of the two dialects.
import type { Temporal } from "temporal-polyfill";
import { formatUkDate, formatUkTime } from "../../core/uk-time.ts";
import type { TransportDialect, TransportRequest } from "./ask.ts";
import type { TransportJourneyQuestion, JourneyEnd } from "./transport-journey.ts";

/** Answers with coordinates were seen at 175 KB for one route. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Writes a question as a request. The specification's path has a time but no date: for other days than today's, and
 * for arriving by a time, it is asked in the way that the public service had before.
 */
export function formatJourneyRequest(
  { from, to, at, arriveBy }: TransportJourneyQuestion,
  dialect: TransportDialect,
  now: Temporal.Instant,
): TransportRequest {
  const ends = { from: formatPlaceId(from), to: formatPlaceId(to) };
  const date = formatUkDate(at);
  const time = formatUkTime(at);
  if (dialect === "public") {
    return {
      path: "/v3/uk/public_journey.json",
      query: {
        ...ends,
        date,
        time,
        // The word for arriving is in no document at hand; the sibling of the one that is.
        journey_time_type: arriveBy ? "arrive_before" : "leave_after",
        // Plans for the whole of the country.
        service: "silverrail",
      },
      maxBytes: MAX_BYTES,
    };
  }
  const path = `/v3/uk/public/journey/from/${ends.from}/to/${ends.to}`;
  return arriveBy || date !== formatUkDate(now)
    ? { path: `${path}/${arriveBy ? "by" : "at"}/${date}/${time}.json`, query: {}, maxBytes: MAX_BYTES }
    : { path: `${path}.json`, query: { ...ends, time }, maxBytes: MAX_BYTES };
}

/** A place in the service's notation, which becomes part of a path: nothing but a place may pass. */
function formatPlaceId(place: JourneyEnd): string {
  switch (place.kind) {
    case "station":
      return `crs:${checked(place.crs, /^[A-Z]{3}$/)}`;
    case "postcode":
      return `postcode:${checked(place.postcode.replace(/\s/g, ""), /^[A-Z0-9]{5,7}$/)}`;
    case "point":
      return `lonlat:${degrees(place.longitude, 180)},${degrees(place.latitude, 90)}`;
    case "stop":
      return `atcocode:${checked(place.atcocode, /^[A-Za-z0-9]{3,12}$/)}`;
  }
}

function checked(text: string, shape: RegExp): string {
  if (!shape.test(text)) {
    throw new RangeError("a place of a journey has a shape that no place has");
  }
  return text;
}

/** Six digits are some ten centimetres. */
function degrees(value: number, most: number): string {
  if (!(Math.abs(value) <= most)) {
    throw new RangeError("a place of a journey lies nowhere on Earth");
  }
  return String(Number(value.toFixed(6)));
}
