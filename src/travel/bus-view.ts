// The buses of a stop as a reply.
import type { Temporal } from "temporal-polyfill";
import { buttonTo, type ActionButton, type Reply, type Row, card, escapeMarkdown } from "../core/reply.ts";
import { partOf } from "../core/pages.ts";
import { formatUkTime, minutesBetween } from "../time/uk-time.ts";
import type { BusBoard, BusDeparture } from "./buses.ts";
import { dayAndTime } from "../rail/board-words.ts";
import { joinDots, oneLine } from "../core/text.ts";
import { type BusAction, busTarget, placesTarget } from "./places-args.ts";
import { sourceLines } from "../sources/source-words.ts";

/** Two lines each: more would be a long way down on a phone. */
const BUSES_SHOWN = 10;
/** Buses are a minute or two late all day long. */
const LATE_MINUTES = 5;

/** Shows a part of a stop's buses, from `skip` on. */
export function busView(board: BusBoard, skip: number): Reply {
  const { departures } = board;
  const part = partOf(departures, skip, BUSES_SHOWN);
  const rows = part.shown.map((departure) => departureMarkdown(departure, board.dataAt));
  return card([
    heading(board),
    rows.length === 0 ? "No buses that I know of in the next few hours." : rows.join("\n"),
    sourceLines(board),
    busButtons(board, part),
  ]);
}

function heading({ name, atco, locality, bearing }: BusBoard): string {
  const details = [
    locality && oneLine(locality, 60),
    bearing && `towards ${oneLine(bearing, 4)}`,
    `stop ${atco}`,
  ].filter(Boolean);
  const title = oneLine(name ?? "", 70) || `Stop ${atco}`;
  return `### 🚌 ${escapeMarkdown(title)}\n-# ${escapeMarkdown(details.join(" · "))}`;
}

function departureMarkdown(departure: BusDeparture, dataAt: Temporal.Instant): string {
  const { line, direction, operator, aimedAt, expectedAt, isCancelled } = departure;
  const toward = direction && ` to ${escapeMarkdown(oneLine(direction, 50))}`;
  const { words, isLoud, newTime } = expectation(departure);
  const due = aimedAt ?? expectedAt;
  const when = `**${due ? dayAndTime(due, dataAt) : ""}**${newTime === undefined ? "" : ` → **${newTime}**`}`;
  const first = `${when} · **${escapeMarkdown(oneLine(line, 12))}**${toward ?? ""}`;
  const by = operator && escapeMarkdown(oneLine(operator, 40));
  const second = joinDots(words, by);
  return `${isCancelled ? `~~${first}~~` : first}\n${isLoud ? "" : "-# "}${second}`;
}

/** Trouble is loud. Only an expected time says that the bus itself was heard of. */
function expectation({ aimedAt, expectedAt, isCancelled }: BusDeparture): {
  readonly words: string;
  readonly isLoud: boolean;
  /** Where it differs from the timetable's. */
  readonly newTime?: string;
} {
  if (isCancelled) {
    return { words: "**Cancelled**", isLoud: true };
  }
  if (!expectedAt) {
    return { words: "Scheduled", isLoud: false };
  }
  const minutes = aimedAt ? minutesBetween(aimedAt, expectedAt) : 0;
  if (aimedAt && minutes !== 0) {
    const lateness = `${Math.abs(minutes)} min ${minutes > 0 ? "late" : "early"}`;
    return { words: lateness, isLoud: minutes >= LATE_MINUTES, newTime: formatUkTime(expectedAt) };
  }
  return { words: aimedAt ? "On time, live" : "Live", isLoud: false };
}

function busButtons(
  { atco, name, point }: BusBoard,
  { start, before, after }: Pick<ReturnType<typeof partOf>, "start" | "before" | "after">,
): Row {
  const button = (label: string, action: BusAction, skip: number): ActionButton =>
    buttonTo(label, busTarget(action, { atco, skip }));
  const near =
    point &&
    placesTarget("near", {
      text: undefined,
      near: { ...point, name: name ?? "that stop" },
      kind: undefined,
      start: { page: 1, skip: 0 },
    });
  return [
    button("Refresh", "refresh", start),
    before !== undefined && button("Earlier", "back", before),
    after !== undefined && button("Later", "more", after),
    near && buttonTo("Near here", near),
  ];
}
