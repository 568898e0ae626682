// A board's facts in words. The picture, its alt text and the text view all use these, so that they say the same.
import { joinDots, listAnd, listOr, oneLine } from "../core/text.ts";
import { UK_TIME_ZONE, formatUkDate, formatUkDay, formatUkTime, formatUkWeekday } from "../time/uk-time.ts";
import { isCut } from "./board-row.ts";
import { isLondonCode } from "./london.ts";
import type { Board, ChannelFilters, BoardQuestion, BoardRow, RowState } from "./departures.ts";

/** No real name is longer; the longest station's has 36 letters. */
const NAME_LIMIT = 60;
const ROUTE_LIMIT = 40;
const PLATFORM_LIMIT = 8;

/** Shown if there is no expected time. */
const STATE_WORDS: Readonly<Record<RowState, string>> = {
  cancelled: "Cancelled",
  delayed: "Delayed",
  scheduled: "Scheduled",
  expected: "Due",
  late: "Delayed",
  early: "Early",
  "on-time": "On time",
};

/** `escape` makes the source's text safe for its place; a station on the way is in the board's `question`. */
export function rowWords(
  row: BoardRow,
  dataAt: Temporal.Instant,
  question?: Pick<BoardQuestion, "kind" | "via">,
  escape: (text: string) => string = String,
) {
  const isOtherDay = formatUkDate(row.aimedAt) !== formatUkDate(dataAt);
  const reason = reasonWords(row);
  const writeLine = (text: string, limit: number) => escape(oneLine(text, limit)) || undefined;
  return {
    /** Aimed UK time, e.g. `17:31`. */
    time: formatUkTime(row.aimedAt),
    /** e.g. `Sun`, if it differs from the day of the data. */
    day: isOtherDay ? formatUkWeekday(row.aimedAt) : undefined,
    place: writeLine(row.place, NAME_LIMIT) ?? "Unknown",
    platform: writeLine(row.platform ?? "", PLATFORM_LIMIT),
    operator: writeLine(joinDots(row.operator, row.direction), NAME_LIMIT),
    /** e.g. `to Leeds: cancelled` for a train that runs, but not as far as Leeds. */
    cut: cutWords(row, question, escape),
    /** e.g. `via Leeds and Hull`. */
    via: row.via ? escape(`via ${listAnd(row.via)}`) : writeLine(row.route ?? "", ROUTE_LIMIT),
    isBus: row.mode === "bus",
    ...expectation(row),
    /** e.g. `because of a points failure`, for a late or cancelled train. */
    reason: reason && escape(reason),
  };
}

function cutWords(
  { viaCancelled, cancelledPlace, laterCancelled }: BoardRow,
  { kind, via }: Pick<BoardQuestion, "kind" | "via"> = { kind: "departures" },
  escape: (text: string) => string,
): string | undefined {
  const place = (viaCancelled && via?.name) ?? cancelledPlace;
  if (place !== undefined) {
    return escape(`${toOrFrom(kind)} ${oneLine(place, NAME_LIMIT)}: cancelled`);
  }
  return laterCancelled && "some later stops cancelled";
}

/** e.g. `17:31`, or `17:31 (Sun)` on another day. */
export function timeAndDay(time: string, { day }: Pick<ReturnType<typeof rowWords>, "day">): string {
  return day === undefined ? time : `${time} (${day})`;
}

/** e.g. `7 min late`, `2 min early`; `undefined` if it counts as on time. */
export function latenessWords(delayMinutes: number): string | undefined {
  return Math.abs(delayMinutes) <= ON_TIME_MINUTES
    ? undefined
    : `${Math.abs(delayMinutes)} min ${delayMinutes > 0 ? "late" : "early"}`;
}

const REASON_LIMIT = 200;
const TROUBLED: ReadonlySet<RowState> = new Set(["cancelled", "delayed", "late"]);

/** Only the cause: the railway's sentence is e.g. `This service has been delayed by a points failure`. */
function reasonWords({ reason, state, ...row }: BoardRow): string | undefined {
  if (reason === undefined || !(TROUBLED.has(state) || isCut(row))) {
    return undefined;
  }
  const text = oneLine(reason, REASON_LIMIT).replace(/\.$/, "");
  const [, cause] = /^This (?:service|train) [a-z ]{1,60}? (?:because of|due to|by) (.+)$/.exec(text) ?? [];
  return cause === undefined ? text : `because of ${cause}`;
}

/** Up to this many minutes late or early count as on time, as on the railway's own screens. */
const ON_TIME_MINUTES = 1;

/**
 * `expected` is `On time`, `Cancelled`, `Delayed`, `Scheduled`, or the expected UK time if it differs; in London e.g.
 * `3 min` or `Due`. `lateness` is e.g. `7 min late`, if there is an expected time that differs.
 */
function expectation({ state, expectedAt, delayMinutes = 0, inMinutes = 0 }: BoardRow) {
  if (inMinutes > 0) {
    return { expected: `${inMinutes} min`, lateness: undefined };
  }
  if (expectedAt === undefined || (state !== "late" && state !== "early")) {
    return { expected: STATE_WORDS[state], lateness: undefined };
  }
  const lateness = latenessWords(delayMinutes);
  return { expected: lateness === undefined ? STATE_WORDS["on-time"] : formatUkTime(expectedAt), lateness };
}

/** e.g. `Departures from York`, `Arrivals at York from Leeds`. */
export function boardTitle({ question: { kind, station, via } }: Pick<Board, "question">): string {
  const title = `${kind === "departures" ? "Departures from" : "Arrivals at"} ${station.name}`;
  return via === undefined ? title : `${title} ${toOrFrom(kind)} ${via.name}`;
}

/** e.g. `LNER`, `platform 4`, `from 19:20`. `write` escapes text of people and sources. */
export function boardFilters(board: Board, write: (text: string) => string = String): readonly string[] {
  const later = laterStart(board);
  const from = later && `from ${dayAndTime(later, board.dataAt)}`;
  return [...questionFilters(board.question, write), ...(from === undefined ? [] : [from])];
}

/** As {@link boardFilters}, without the time at which the board starts. */
export function questionFilters(
  { kind, operator, platform, channelFilters }: BoardQuestion,
  write: (text: string) => string = String,
): readonly string[] {
  const writeShort = (text: string): string => write(oneLine(text, PLATFORM_LIMIT));
  const { platforms = [], transport = "all", walkMinutes = 0 } = channelFilters ?? {};
  return [
    channelFilters ? callingWords(kind, channelFilters, write) : "",
    operator ? write(oneLine(operator, NAME_LIMIT)) : "",
    platform ? `platform ${writeShort(platform)}` : "",
    platforms.length > 0 ? `platforms ${listAnd(platforms.map(writeShort))}` : "",
    TRANSPORT_WORDS[transport],
    walkMinutes > 0 ? `leaves time for a ${walkMinutes}-minute walk` : "",
  ].filter((part) => part !== "");
}

const TRANSPORT_WORDS: Readonly<Record<ChannelFilters["transport"], string>> = {
  all: "",
  trains: "trains only",
  buses: "replacement buses only",
};

/** e.g. `calling at Leeds or Hull`, or for arrivals `having called at Leeds or Hull`. */
function callingWords(
  kind: BoardQuestion["kind"],
  { callingAt, callingAtAll }: ChannelFilters,
  write: (text: string) => string,
): string {
  const names = callingAt.map(({ name }) => write(name));
  return names.length === 0
    ? ""
    : `${kind === "departures" ? "calling at" : "having called at"} ${(callingAtAll ? listAnd : listOr)(names)}`;
}

/** The start of a board, if it is later than now. An old "Later" button may ask for a time that has passed. */
export function laterStart({ question, dataAt }: Board): Temporal.Instant | undefined {
  return question.from !== undefined && question.from.epochMilliseconds > dataAt.epochMilliseconds
    ? question.from
    : undefined;
}

export function toOrFrom(kind: Board["question"]["kind"]): "to" | "from" {
  return kind === "departures" ? "to" : "from";
}

/** UK time, after the weekday if that differs from the day of the data, e.g. `Sun 05:12`. */
export function dayAndTime(instant: Temporal.Instant, dataAt: Temporal.Instant): string {
  const isToday = formatUkDate(instant) === formatUkDate(dataAt);
  return isToday ? formatUkTime(instant) : `${formatUkWeekday(instant)} ${formatUkTime(instant)}`;
}

export function emptyWords(board: Board) {
  const { station, via, operator, platform } = board.question;
  if (isLondonCode(station.crs)) {
    return londonEmptyWords(board);
  }
  const later = laterStart(board);
  // A channel's board is shown for longer than "the next two hours" would be true.
  const { knownUntil } = board;
  const hours = board.next === undefined && board.isNearOnly !== true ? "24" : "two";
  const when = knownUntil
    ? `before ${dayAndTime(knownUntil, board.dataAt)}`
    : later
      ? `in the ${hours} hours from ${dayAndTime(later, board.dataAt)}`
      : `in the next ${hours} hours`;
  const next = board.next && rowWords(board.next, board.dataAt);
  return {
    /** e.g. `No departures in the next two hours`, `No direct trains in the two hours from 19:20`, `… before 19:20`. */
    nothing: `No ${rowNoun(board)} ${when}`,
    next: next && {
      /** e.g. `First train`, if it is certain that nothing leaves before it. */
      first: knownUntil && `First ${next.isBus ? "bus" : "train"}`,
      time: next.time,
      toward: toOrFrom(board.question.kind),
      place: next.place,
    },
    /** e.g. `tomorrow`; empty for today, and on a channel's board, which may still be shown tomorrow. */
    nextDay: board.next && !knownUntil ? relativeDay(board.next.aimedAt, board.dataAt) : "",
    /** e.g. `expected 05:20`; empty if all is well. */
    nextState: next?.lateness === undefined ? troubleWord(next?.expected) : `expected ${next.expected}`,
    /** Advice if the filters leave no trains. Empty on a channel's board, because its readers cannot change it. */
    hint: knownUntil
      ? ""
      : operator || platform
        ? "Try removing a filter"
        : via
          ? "Try a station on the way"
          : "",
  };
}

const NIGHT_ENDS_AT_HOUR = 5;

/** As {@link emptyWords}, for London's lines, which have no timetable, so that later trains are unknown. */
function londonEmptyWords({ question, dataAt }: Board) {
  const isNarrowed = questionFilters(question).length > 0;
  const isNight = dataAt.toZonedDateTimeISO(UK_TIME_ZONE).hour < NIGHT_ENDS_AT_HOUR;
  const hint = question.channelFilters === undefined && isNarrowed ? "Try removing a filter" : "";
  return {
    nothing: `Nothing ${isNarrowed ? "that matches " : ""}is expected at the moment`,
    next: undefined,
    nextDay: "",
    nextState: "",
    hint: isNight ? "Most of London's lines don't run at night" : hint,
  };
}

/** e.g. `matching trains`, because a plain `departures` would hide that there are filters. */
function rowNoun({ question }: Board): string {
  const { kind, via, operator, platform, channelFilters } = question;
  const isNarrowed = channelFilters && questionFilters({ ...question, via: undefined }).length > 0;
  const matching = channelFilters?.transport === "buses" ? "matching buses" : "matching trains";
  return operator || platform || isNarrowed ? matching : via ? "direct trains" : kind;
}

function troubleWord(expected: string | undefined): string {
  return expected === "Cancelled" || expected === "Delayed" ? expected.toLowerCase() : "";
}

function relativeDay(instant: Temporal.Instant, dataAt: Temporal.Instant): string {
  const day = instant.toZonedDateTimeISO(UK_TIME_ZONE).toPlainDate();
  const today = dataAt.toZonedDateTimeISO(UK_TIME_ZONE).toPlainDate();
  const days = today.until(day).days;
  return days === 0 ? "" : days === 1 ? "tomorrow" : `on ${formatUkDay(instant)}`;
}
