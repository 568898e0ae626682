// How a watched train stands, in words: what is wrong with it, what else there is, and how it ended.
import type { Temporal } from "temporal-polyfill";
import { escapeMarkdown } from "../core/reply.ts";
import { formatUkTime } from "../core/uk-time.ts";
import type { BoardRow } from "../services/departures/departures.ts";
import type { TroubledTrain, Trouble } from "../services/watches/watches.ts";
import { dayAndTime, rowWords } from "./board-words.ts";
import { oneLine } from "../core/cut-text.ts";

const PLACE_LIMIT = 40;
const PLATFORM_LIMIT = 8;

/** One train in a sentence or two each for what is wrong and what else there is, one below the other. */
export function trainSentences(train: TroubledTrain): readonly string[] {
  const { troubles, gone } = train;
  if (gone) {
    return [`${endWords(train)}.`];
  }
  if (troubles.length === 0) {
    return [`✅ **All is well again**: ${standing(train.row)}.`];
  }
  const hasBus = troubles.some(({ kind }) => kind === "bus");
  const isMissed = troubles.some(({ kind }) => MISSED.has(kind));
  return [
    ...allTroubleWords(train).map((words) => `${words}.`),
    ...(isMissed ? [nextSentence(train, hasBus)] : []),
  ];
}

/** One train on one line, among others. */
export function trainLine(train: TroubledTrain): string {
  const { plannedAt, row, troubles, gone } = train;
  const name = `${formatUkTime(plannedAt)} to ${place(row)}`;
  if (gone) {
    return `-# ${name} · ${lowerFirst(endWords(train))}`;
  }
  if (troubles.length === 0) {
    return `**${name}** · ✅ well again, ${standing(row)}`;
  }
  const isMissed = troubles.some(({ kind }) => MISSED.has(kind));
  return [
    isMissed ? `~~**${name}**~~` : `**${name}**`,
    ...allTroubleWords(train),
    ...(isMissed && train.next ? [`next: ${rowName(train.next, plannedAt)}`] : []),
  ].join(" · ");
}

const MISSED: ReadonlySet<Trouble["kind"]> = new Set(["cancelled", "vanished"]);
/** What a train may be although it runs to time. */
const ASIDE: ReadonlySet<Trouble["kind"]> = new Set(["retimed", "platform"]);

/** Everything that is wrong, and where none of it tells how late the train is, that as well. */
function allTroubleWords(train: TroubledTrain): readonly string[] {
  const { troubles, row } = train;
  const isAside = troubles.every(({ kind }) => ASIDE.has(kind)) && row.state !== "scheduled";
  return troubles.map((trouble, index) => {
    const words = troubleWords(trouble, train);
    return isAside && index === troubles.length - 1 ? `${words}, ${pace(row)}` : words;
  });
}

function troubleWords(trouble: Trouble, { plannedAt, row, bus }: TroubledTrain): string {
  switch (trouble.kind) {
    case "cancelled":
      return "**Cancelled**";
    case "vanished":
      return "**No longer on the board**, before its time: please look at the screens in the station";
    case "bus":
      return `🚌 **A bus runs instead**${bus ? ` at ${leaves(bus, plannedAt)}` : ""}`;
    case "delayed":
      return "**Delayed**, and nobody can say yet by how much";
    case "late":
      return `**${trouble.minutes} min late**, expected at **${leaves(row, plannedAt)}**${fromPlatform(row)}`;
    case "retimed":
      return `**Now planned for ${dayAndTime(row.aimedAt, plannedAt)}** instead of ${formatUkTime(plannedAt)}`;
    case "platform":
      return `**Platform ${platform(trouble.to)}** instead of ${platform(trouble.from)}`;
  }
}

/** What to take instead of a train that does not come. */
function nextSentence({ plannedAt, next }: TroubledTrain, hasBus: boolean): string {
  if (next !== undefined) {
    return `${hasBus ? "Or the next that runs" : "The next that runs"}: ${rowName(next, plannedAt)}.`;
  }
  return hasBus
    ? "I know of no other in the next two hours."
    : "I know of none that runs in the next two hours; `/journey` may find another way.";
}

/** e.g. `**07:45** to Hull, platform 3, on time`. */
function rowName(row: BoardRow, plannedAt: Temporal.Instant): string {
  const kind = row.mode === "bus" ? "🚌 bus" : undefined;
  const parts = [`**${dayAndTime(row.aimedAt, plannedAt)}** to ${place(row)}`, kind, standing(row)];
  return parts.filter((part) => part !== undefined).join(", ");
}

/** e.g. `on time from platform 4`, `2 min late`. */
function standing(row: BoardRow): string {
  return `${pace(row)}${fromPlatform(row)}`;
}

/** e.g. `on time`, `2 min late`. */
function pace(row: BoardRow): string {
  const { lateness, expected } = rowWords(row, row.aimedAt);
  return lowerFirst(lateness ?? expected);
}

/** e.g. `It has left, 12 min late from platform 7`. */
function endWords({ row, troubles }: TroubledTrain): string {
  const [worst] = troubles;
  if (troubles.some(({ kind }) => kind === "bus")) {
    return "The bus in its place has left";
  }
  switch (worst?.kind) {
    case "cancelled":
      return "It was cancelled";
    case "vanished":
      return "It did not come back on the board";
    case "late":
      return `It has left, ${worst.minutes} min late${fromPlatform(row)}`;
    case "delayed":
      return `It has left, late${fromPlatform(row)}`;
    case "bus":
    case "retimed":
    case "platform":
    case undefined:
      return row.state === "scheduled" ? `It has left${fromPlatform(row)}` : `It has left, ${standing(row)}`;
  }
}

/** When it is to leave, as far as is known. */
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
  return escapeMarkdown(oneLine(row.place, PLACE_LIMIT) || "somewhere");
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
