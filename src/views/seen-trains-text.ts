// What boards that people looked at say of cancelled trains.
import { escapeMarkdown } from "../core/reply.ts";
import type { CancelledTrain, NetworkState } from "../services/network/network.ts";
import { dayAndTime } from "./board-words.ts";
import { oneLine } from "../core/cut-text.ts";

const TRAINS_SHOWN = 6;

/** A sentence and the first few trains in Markdown; `undefined` where the service itself knows of trains. */
export function seenTrainsMarkdown({ seen, dataAt }: NetworkState): string | undefined {
  if (!seen || seen.stations === 0) {
    return seen && "**🚆 Trains:** nobody has looked at a board lately. `/departures` shows a station's.";
  }
  const { cancelled } = seen;
  const where =
    seen.stations === 1 ? "On the board of one station" : `On the boards of ${seen.stations} stations`;
  if (cancelled.length === 0) {
    return `**🚆 Trains:** ${where.toLowerCase()} that people looked at lately, no train is cancelled.`;
  }
  const rows = cancelled.slice(0, TRAINS_SHOWN).map((train) => {
    const { aimedAt, place, station, kind, operator } = train;
    const way = trainWay({ place, kind }, station.name);
    const by = operator && ` · ${escapeMarkdown(oneLine(operator, 40))}`;
    return `**${dayAndTime(aimedAt, dataAt)}** ${escapeMarkdown(way)}${by ?? ""}`;
  });
  const over = cancelled.length - rows.length;
  const count = cancelled.length === 1 ? "one train is" : `${cancelled.length} trains are`;
  return [
    `**🚆 Trains:** ${where.toLowerCase()} that people looked at lately, ${count} cancelled.`,
    ...rows,
    ...(over > 0 ? [`-# and ${over} more`] : []),
  ].join("\n");
}

function trainWay({ place, kind }: Pick<CancelledTrain, "place" | "kind">, station: string): string {
  const [from, to] = kind === "departures" ? [station, place] : [place, station];
  return `${oneLine(from, 40)} to ${oneLine(to, 40)}`;
}
