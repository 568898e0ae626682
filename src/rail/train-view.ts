import { type ArgsOf, defineArgs, crs as crsArg, minute as minuteArg } from "../core/component-id.ts";
import {
  type ActionButton,
  CHOICES_LIMIT,
  type Reply,
  type SelectBlock,
  type SelectChoice,
  escapeMarkdown,
  menu,
  privateCard,
} from "../core/reply.ts";
import { formatUkDate, formatUkDay, formatUkTime, minutesBetween } from "../time/uk-time.ts";
import {
  type CallingPoint,
  type Portion,
  type Position,
  type Train,
  type TrainReference,
  openedCall,
} from "./trains.ts";
import { dayAndTime, latenessWords, rowWords } from "./board-words.ts";
import { joinDots, joinLines, cutUnits, oneLine, plural } from "../core/text.ts";
import { sourceLines } from "../sources/source-words.ts";
import type { BoardKind, BoardRow } from "./departures.ts";

const NAME_LIMIT = 60;
/** More calling points than this would not fit into a message. Passed ones are left out first. */
const MAX_POINTS = 36;
/** For a train that leaves later than this, no live data exists yet; boards reach as far ahead. */
const LIVE_MINUTES = 120;

export type OpenedTrain = Pick<TrainReference, "crs" | "aimedAt" | "trainUid" | "startDate">;

export type MakeWatchButton = (train: Omit<TrainReference, "kind">) => ActionButton;

/** The board's station is underlined, and a button watches the train there. */
export function trainView(train: Train, opened: OpenedTrain, watchButton: MakeWatchButton): Reply {
  const start = train.points[0];
  const title = `${start ? `${formatUkTime(start.aimedAt)} ` : ""}${name(train.origin)} → ${name(train.destination)}`;
  const kind = train.mode === "bus" ? "🚌 Replacement bus" : undefined;
  const isOtherDay = start && formatUkDate(start.aimedAt) !== formatUkDate(train.dataAt);
  const day = isOtherDay ? formatUkDay(start.aimedAt) : undefined;
  // The railway's sentence has no full stop.
  const reason = train.reason?.replace(/(?<![.!?])$/, ".");
  const coaches = train.coaches === undefined ? undefined : plural(train.coaches, "coach", "coaches");
  const about = joinDots(day, kind, train.operator && name(train.operator), coaches);
  const own = openedCall(train.points, opened);
  return privateCard([
    `### ${title}${about && `\n-# ${about}`}`,
    joinLines(positionSentence(train), reason && `⚠️ ${escapeMarkdown(reason)}`),
    pointLines(train, own),
    ...(train.portions ?? []).map((portion) => portionLines(portion, train)),
    sourceLines(train),
    [isBoardable(train, own) && watchButton({ ...opened, aimedAt: own.aimedAt, place: train.destination })],
  ]);
}

/** Whether the train can still be boarded at this call. */
function isBoardable({ points }: Train, own: CallingPoint | undefined): own is CallingPoint {
  return own !== undefined && own !== points.at(-1) && own.state !== "passed" && own.state !== "cancelled";
}

function positionSentence({ position, delayMinutes, dataAt, points }: Train): string {
  const isFarAhead =
    position.kind === "not-started" && position.at.since(dataAt).total("minutes") > LIVE_MINUTES;
  if (position.kind === "finished" && points.at(-1)?.state === "cancelled") {
    return `📍 Journey ended early at ${name(position.at)}: the rest is **cancelled**.`;
  }
  const isOver = position.kind === "finished" || position.kind === "cancelled";
  if (delayMinutes === undefined || isOver || (isFarAhead && delayMinutes === 0)) {
    return `📍 ${where(position, dataAt)}.`;
  }
  const lateness = latenessWords(delayMinutes);
  return `📍 ${where(position, dataAt)}, ${lateness === undefined ? "on time" : `**${lateness}**`}.`;
}

function where(position: Position, dataAt: Temporal.Instant): string {
  switch (position.kind) {
    case "not-started":
      return `Hasn't left ${name(position.from)} yet; it's due out at ${dayAndTime(position.at, dataAt)}`;
    case "at":
      return `At ${name(position.stop)}`;
    case "between":
      return `Between ${name(position.after)} and ${name(position.before)}`;
    case "finished":
      return `Journey finished at ${name(position.at)}`;
    case "cancelled":
      return "**Cancelled**";
    case "delayed":
      return "**Delayed**, with no expected time yet";
    case "unreported":
      return "On its way according to the timetable; no live position";
  }
}

function portionLines({ kind, at, place, points, coaches, isFront }: Portion, train: Train): string {
  const isCancelled = points.every(({ state }) => state === "cancelled");
  if (kind === "joins") {
    return isCancelled
      ? `🔗 The part from **${name(place)}** that joins at **${name(at)}** is cancelled.`
      : `🔗 A part from **${name(place)}** joins at **${name(at)}**.`;
  }
  if (isCancelled) {
    return `🔀 The part that goes on from **${name(at)}** to **${name(place)}** is cancelled.`;
  }
  const many = coaches === undefined ? "part" : plural(coaches, "coach", "coaches");
  const part = isFront ? `the front ${many}` : coaches === undefined ? "one part" : many;
  const goes = coaches === undefined || coaches === 1 ? "goes" : "go";
  const rest = train.points.at(-1)?.name;
  const calls = points
    .slice(0, MAX_POINTS)
    .map(({ name: stop, aimedAt, expectedAt, state }) =>
      state === "cancelled"
        ? `~~${name(stop)}~~ (cancelled)`
        : `${formatUkTime(expectedAt ?? aimedAt)} ${name(stop)}`,
    );
  return joinLines(
    `🔀 Divides at **${name(at)}**: ${part} ${goes} on to **${name(place)}**${rest === undefined ? "" : `, the rest to **${name(rest)}**`}.`,
    `-# ${calls.join(" · ")}`,
  );
}

function pointLines({ points, dataAt }: Train, own: CallingPoint | undefined): string {
  const startsAt = points[0]?.aimedAt ?? dataAt;
  const hidden = hiddenPoints(points, own);
  const shown = points.slice(hidden, hidden + MAX_POINTS);
  const after = points.length - hidden - shown.length;
  return joinLines(
    hidden > 0 && `-# ${hidden} earlier calling points`,
    ...shown.map((point) => pointLine(point, startsAt, point === own)),
    after > 0 && `-# ${after} more calling points`,
  );
}

/** How many passed calling points of a long journey are left out. The board's station is always shown. */
function hiddenPoints(points: readonly CallingPoint[], own: CallingPoint | undefined): number {
  const firstShown = points.findIndex((point) => point === own || point.state !== "passed");
  return Math.max(0, Math.min(firstShown, points.length - MAX_POINTS));
}

function pointLine(point: CallingPoint, startsAt: Temporal.Instant, isOwn: boolean): string {
  const station = isOwn ? `__${name(point.name)}__` : name(point.name);
  const time = dayAndTime(point.aimedAt, startsAt);
  const platform = point.platform && `platform ${escapeMarkdown(oneLine(point.platform, 8))}`;
  switch (point.state) {
    case "passed":
      return `-# ✓ ${time} ${station}`;
    case "cancelled":
      return `~~${time} ${station}~~ · **cancelled**`;
    case "next":
      return joinDots(`➤ ${timeWords(point, time)} **${station}**`, platform);
    case "ahead":
      return joinDots(`${timeWords(point, time)} ${station}`, platform);
  }
}

/** e.g. `**18:07**`, or `~~18:07~~ now **18:11**` if the expected time differs. `aimed` is day and time in words. */
function timeWords({ aimedAt, expectedAt }: CallingPoint, aimed: string): string {
  return expectedAt === undefined || latenessWords(minutesBetween(aimedAt, expectedAt)) === undefined
    ? `**${aimed}**`
    : `~~${aimed}~~ now **${formatUkTime(expectedAt)}**`;
}

function name(text: string): string {
  return escapeMarkdown(oneLine(text, NAME_LIMIT) || "somewhere");
}

export const trainMenuArgs = defineArgs({ crs: ["s", crsArg] });
export type TrainMenuArgs = ArgsOf<typeof trainMenuArgs>;

/** How many characters of a place fit into a choice's value; longer names are cut. */
const PLACE_LIMIT = 56;
/** A longer id does not fit into a button's custom id; such a train is found by its time and place instead. */
const UID_LIMIT = 20;

/** A menu of a board's trains, for a command with the menu action `train`; `undefined` for a board without rows. */
export function trainMenu(
  command: string,
  { crs, rows, dataAt }: { crs: string; rows: readonly BoardRow[]; dataAt: Temporal.Instant },
): SelectBlock | undefined {
  const target = { command, action: "train", args: trainMenuArgs.encode({ crs }) };
  return menu(target, "Open a train…", trainChoices(rows, dataAt));
}

export function trainChoices(rows: readonly BoardRow[], dataAt: Temporal.Instant): readonly SelectChoice[] {
  return rows.slice(0, CHOICES_LIMIT).map((row) => {
    const words = rowWords(row, dataAt);
    return {
      label: `${words.time}${words.day === undefined ? "" : ` ${words.day}`} ${words.place}`,
      value: formatTrainChoice(row),
      description: joinDots(
        words.isBus && "replacement bus",
        words.platform && `platform ${words.platform}`,
        words.expected !== "Scheduled" && (words.lateness ?? words.expected.toLowerCase()),
        words.operator,
      ),
    };
  });
}

function formatTrainChoice({ mode, aimedAt, trainUid = "", startDate = "", place }: BoardRow): string {
  const bus = mode === "bus" ? ["bus"] : [];
  const uid = trainUid.length <= UID_LIMIT ? trainUid : "";
  return [...bus, minuteArg.write(aimedAt), uid, startDate, cutUnits(place, PLACE_LIMIT)].join("~");
}

/** The train or replacement bus of a choice's value; `undefined` if the value is invalid. */
export function parseTrainChoice(
  value: string,
  { crs }: TrainMenuArgs,
  kind: BoardKind,
): (TrainReference & Pick<BoardRow, "mode">) | undefined {
  const [, bus, minute = "", trainUid, startDate, place = ""] = CHOICE.exec(value) ?? [];
  const mode = bus === undefined ? "train" : "bus";
  const aimedAt = minuteArg.read(minute);
  const found = { trainUid: trainUid || undefined, startDate: startDate || undefined };
  return aimedAt && { crs, kind, mode, aimedAt, place, ...found };
}

/** Choices of earlier versions have no mode; a bus is read as a train. */
const CHOICE =
  /^(bus~)?([0-9a-z]{1,6})~([A-Za-z0-9:_]{0,20})~(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])|)~(.*)$/s;
