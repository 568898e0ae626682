// A page of a timetable as text.
import { joinLines } from "../core/text.ts";
import { defineArgs, crs, minute } from "../core/component-args.ts";
import { buttonTo, type ActionButton, type Reply, card, escapeMarkdown } from "../core/reply.ts";
import { formatUkDate, formatUkDay, formatUkTime } from "../time/uk-time.ts";
import type { BoardRow } from "./departures.ts";
import type { Timetable } from "./timetable.ts";
import { rowWords } from "./board-words.ts";
import { sourceLines } from "../sources/source-words.ts";
import { trainMenu } from "./train-view.ts";

/** What the buttons remember: the station's code and where the page begins. */
export const timetableArgs = defineArgs({ station: ["s", crs], from: ["a", minute] });

/** Shows a page. `note` is a sentence about the time that was asked for. */
export function timetableView(timetable: Timetable, note?: string): Reply {
  const { station, from, rows } = timetable;
  const heading = `### Timetable of ${escapeMarkdown(station.name)}\n-# Departures from ${formatUkTime(from)}, ${formatUkDay(from)}`;
  const texts = [heading, ...(note === undefined ? [] : [note]), rowLines(timetable)];
  return card([
    ...texts.map((text) => text),
    `-# Only what is planned; \`/departures\` is live.\n${sourceLines(timetable)}`,
    trainMenu("timetable", { crs: station.crs, rows, dataAt: from }),
    pageButtons(timetable),
  ]);
}

function rowLines({ rows, from }: Timetable): string {
  const [first] = rows;
  if (!first) {
    return "Nothing is planned to leave within a day. Try a later time, or another station nearby.";
  }
  const wait = first.aimedAt.since(from).total("minutes");
  return joinLines(
    wait > QUIET_MINUTES && `Nothing leaves before ${rows.length === 1 ? "this one" : "these"}:`,
    ...rows.map((row) => rowLine(row, from)),
  );
}

/** After so long without a train it is said that there is none before. */
const QUIET_MINUTES = 60;

/** A day is named where it is not the one in the heading. */
function rowLine(row: BoardRow, from: Timetable["from"]): string {
  const words = rowWords(row, from);
  const isOtherDay = formatUkDate(row.aimedAt) !== formatUkDate(from);
  const details = [
    words.isBus ? "replacement bus" : undefined,
    words.platform && `platform ${escapeMarkdown(words.platform)}`,
    row.state === "cancelled" ? "**cancelled**" : undefined,
  ].filter(Boolean);
  const head = `**${words.time}**${isOtherDay ? ` (${words.day})` : ""} ${escapeMarkdown(words.place)}`;
  const line = [head, ...details].join(" · ");
  // On a line of its own, as on boards: beside the rest it would wrap on a phone.
  return words.operator ? `${line}\n-# ${escapeMarkdown(words.operator)}` : line;
}

function pageButtons({ station, from, earlierFrom, laterFrom }: Timetable): readonly ActionButton[] {
  const button = (label: string, action: string, at: Timetable["from"] | undefined): ActionButton =>
    buttonTo(
      label,
      {
        command: "timetable",
        action,
        args: timetableArgs.encode({ station: station.crs, from: at ?? from }),
      },
      { disabled: at === undefined },
    );
  return [button("Earlier", "earlier", earlierFrom), button("Later", "later", laterFrom)];
}
