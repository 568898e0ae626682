// What happened to a watched train, in words for the message of its incident.
import { escapeMarkdown } from "../core/reply.ts";
import { joinCommas, joinDots, joinLines, lowerFirst, oneLine, upperFirst } from "../core/text.ts";
import { dayAndTime, rowWords } from "../rail/board-words.ts";
import type { BoardRow } from "../rail/departures.ts";
import { formatUkTime } from "../time/uk-time.ts";
import type { TroubledTrain } from "./judge-incident.ts";
import type { Trouble } from "./judge-train.ts";

const PLACE_LIMIT = 40;
const PLATFORM_LIMIT = 8;

/**
 * One or two sentences for each trouble, then one for the alternative, each on its own line. `isOld`: nobody saw it
 * leave.
 */
export function trainSentences(train: TroubledTrain, isOld: boolean): string {
  const { troubles, isGone } = train;
  if (isGone) {
    return `${endWords(train, isOld)}.`;
  }
  if (troubles.length === 0) {
    return `✅ **Back to normal**: ${statusWords(train.row)}.`;
  }
  const hasBus = troubles.some(({ kind }) => kind === "bus");
  const isNotRunning = troubles.some(({ kind }) => NOT_RUNNING.has(kind));
  const reason = reasonWords(train);
  return joinLines(
    ...allTroubleWords(train).map((words) => `${words}.`),
    reason && `-# ${upperFirst(reason)}.`,
    isNotRunning && nextSentence(train, hasBus),
  );
}

/** e.g. `**07:30 to Leeds** · **12 min late**, expected at **07:42**`. */
export function trainLine(train: TroubledTrain): string {
  const { plannedAt, row, troubles, isGone } = train;
  const name = `${formatUkTime(plannedAt)} to ${place(row)}`;
  if (isGone) {
    return `-# ${name} · ${lowerFirst(endWords(train))}`;
  }
  if (troubles.length === 0) {
    return `**${name}** · ✅ back to normal, ${statusWords(row)}`;
  }
  const isNotRunning = troubles.some(({ kind }) => NOT_RUNNING.has(kind));
  return joinDots(
    isNotRunning ? `~~**${name}**~~` : `**${name}**`,
    ...allTroubleWords(train),
    reasonWords(train),
    isNotRunning && train.next && `next: ${rowName(train.next, plannedAt)}`,
  );
}

/** e.g. `because of a points failure`. Not for a train that has vanished: its last reason may not be why. */
function reasonWords({ row, troubles }: TroubledTrain): string | undefined {
  const { reason } = rowWords(row, row.aimedAt);
  return reason === undefined || troubles.some(({ kind }) => kind === "vanished")
    ? undefined
    : escapeMarkdown(reason);
}

const NOT_RUNNING: ReadonlySet<Trouble["kind"]> = new Set(["cancelled", "vanished"]);
/** A train may have these although it runs to time. */
const POSSIBLE_WHEN_ON_TIME: ReadonlySet<Trouble["kind"]> = new Set(["cut", "retimed", "platform"]);

/** A text for each trouble. If none of them says how late the train is, the last one adds it. */
function allTroubleWords(train: TroubledTrain): readonly string[] {
  const { troubles, row } = train;
  const addsLateness =
    troubles.every(({ kind }) => POSSIBLE_WHEN_ON_TIME.has(kind)) && row.state !== "scheduled";
  return troubles.map((trouble, index) => {
    const words = troubleWords(trouble, train);
    return addsLateness && index === troubles.length - 1 ? `${words}, ${latenessWords(row)}` : words;
  });
}

function troubleWords(trouble: Trouble, { plannedAt, row, bus }: TroubledTrain): string {
  switch (trouble.kind) {
    case "cancelled":
      return row.viaCancelled ? "**Runs, but won't stop where you get off**" : "**Cancelled**";
    case "cut":
      return row.cancelledPlace === undefined
        ? "**Some of its later stops are cancelled**"
        : `**Runs, but not to ${shortName(row.cancelledPlace)}**`;
    case "vanished":
      return "**Gone from the board before it was due**: please check the screens at the station";
    case "bus":
      return `🚌 **A bus runs instead**${bus ? ` at ${leaves(bus, plannedAt)}` : ""}`;
    case "delayed":
      return "**Delayed**, with no expected time yet";
    case "late":
      return `**${trouble.minutes} min late**, expected at **${leaves(row, plannedAt)}**${fromPlatform(row)}`;
    case "retimed":
      return `**Now scheduled for ${dayAndTime(row.aimedAt, plannedAt)}** instead of ${formatUkTime(plannedAt)}`;
    case "platform":
      return `**Platform ${platform(trouble.to)}** instead of ${platform(trouble.from)}`;
  }
}

/** The sentence that says what to take instead of a train that does not run. */
function nextSentence({ plannedAt, next }: TroubledTrain, hasBus: boolean): string {
  if (next !== undefined) {
    return `${hasBus ? "Or the next one that runs" : "The next one that runs"}: ${rowName(next, plannedAt)}.`;
  }
  return hasBus
    ? "I don't see another in the next hour or two."
    : "I don't see one that runs in the next hour or two; `/journey` may find another way.";
}

/** e.g. `**07:45** to Hull, platform 3, on time`. */
function rowName(row: BoardRow, plannedAt: Temporal.Instant): string {
  const kind = row.mode === "bus" ? "🚌 bus" : undefined;
  return joinCommas(`**${dayAndTime(row.aimedAt, plannedAt)}** to ${place(row)}`, kind, statusWords(row));
}

/** e.g. `on time from platform 4`, `2 min late`. */
function statusWords(row: BoardRow): string {
  return `${latenessWords(row)}${fromPlatform(row)}`;
}

/** e.g. `on time`, `2 min late`. */
function latenessWords(row: BoardRow): string {
  const { lateness, expected } = rowWords(row, row.aimedAt);
  return lowerFirst(lateness ?? expected);
}

/** e.g. `It has left, 12 min late from platform 7`. */
function endWords({ row, troubles }: TroubledTrain, isOld = false): string {
  const worst = troubles.find(({ kind }) => kind !== "cut");
  const hasLeft = isOld ? "should have left by now" : "has left";
  if (troubles.some(({ kind }) => kind === "bus")) {
    return `The replacement bus ${hasLeft}`;
  }
  switch (worst?.kind) {
    case "cancelled":
      return row.viaCancelled ? "It ran without stopping where you get off" : "It was cancelled";
    case "vanished":
      return "It never came back on the board";
    case "late":
      return `It ${hasLeft}, ${worst.minutes} min late${fromPlatform(row)}`;
    case "delayed":
      return "It has left or was cancelled: please check the screens";
    case "bus":
    case "cut":
    case "retimed":
    case "platform":
    case undefined:
      return row.state === "scheduled"
        ? `It ${hasLeft}${fromPlatform(row)}`
        : `It ${hasLeft}, ${statusWords(row)}`;
  }
}

/** When a train or bus leaves, as far as is known. */
function leaves({ expectedAt, aimedAt }: BoardRow, plannedAt: Temporal.Instant): string {
  return dayAndTime(expectedAt ?? aimedAt, plannedAt);
}

function fromPlatform(row: BoardRow): string {
  return row.platform === undefined ? "" : ` from platform ${platform(row.platform)}`;
}

function platform(text: string): string {
  return escapeMarkdown(oneLine(text, PLATFORM_LIMIT));
}

function place(row: BoardRow): string {
  return shortName(row.place) || "somewhere";
}

function shortName(name: string): string {
  return escapeMarkdown(oneLine(name, PLACE_LIMIT));
}
