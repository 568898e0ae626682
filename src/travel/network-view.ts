// The state of the network as a reply: trouble first, then what is well, and what all this is based on.
import { partOf } from "../core/pages.ts";
import { defineArgs, integer, usually } from "../core/component-args.ts";
import { buttonTo, ACCENT, type Reply, card, escapeMarkdown } from "../core/reply.ts";
import type { CancelledTrain, NetworkEntry, NetworkMode, NetworkState } from "./network.ts";
import { dayAndTime } from "../rail/board-words.ts";
import { joinLines, oneLine } from "../core/text.ts";
import { sourceLines } from "../sources/source-words.ts";

const ALL_WELL = 0x2fa36b;
/** Some three lines each. */
const ENTRIES_SHOWN = 8;
/** More names than these, of what needs no attention, would fill a phone's screen: they are counted. */
const MOST_WELL_NAMED = 6;

const MODE_WORDS: Readonly<Record<NetworkMode, string>> = {
  train: "🚆 Trains",
  tube: "🚇 Tube and metro",
  tram: "🚊 Trams",
  bus: "🚌 Buses",
  ferry: "⛴️ Ferries",
  other: "🔀 Others",
};

/** Shows disruptions from `skip` on, each under its mode; what runs well follows in small print. */
export function networkView(state: NetworkState, skip: number): Reply {
  const disrupted = state.entries.filter(({ isDisrupted }) => isDisrupted);
  const { start, shown, before, after } = partOf(disrupted, skip, ENTRIES_SHOWN);
  const cancelled = state.seen?.cancelled ?? [];
  return card(
    [
      "### The network now",
      // Before the roadworks of buses, which would push them off a phone's screen.
      seenTrainsMarkdown(state),
      disrupted.length === 0
        ? calmWords(state)
        : `${pageWords(start, shown, state)}${troubleMarkdown(shown, state)}`,
      wellMarkdown(state.entries),
      `${sourceLines(state)}\n-# ${basisWords(state)}`,
      [
        button("Refresh", "refresh", start),
        before !== undefined && button("Back", "back", before),
        after !== undefined && button("More", "more", after),
      ],
    ],
    disrupted.length + cancelled.length === 0 ? ALL_WELL : ACCENT,
  );
}

function calmWords({ basis, entries }: NetworkState): string {
  if (basis === "bus-situations") {
    return "**Buses:** no disruptions are reported.";
  }
  return entries.length === 0
    ? "The service reports nothing, good or bad, just now."
    : "**All well:** every line that is reported on runs as it should.";
}

function troubleMarkdown(shown: readonly NetworkEntry[], state: NetworkState): string {
  const modes = [...new Set(shown.map(({ mode }) => mode))];
  return modes
    .map((mode) => {
      const entries = shown.filter((entry) => entry.mode === mode);
      return `**${MODE_WORDS[mode]}**\n${entries.map((entry) => entryMarkdown(entry, state)).join("\n")}`;
    })
    .join("\n");
}

function entryMarkdown(
  { name, state, description, from, until }: NetworkEntry,
  { dataAt }: NetworkState,
): string {
  const isAhead = from && from.epochMilliseconds > dataAt.epochMilliseconds;
  const when = [
    isAhead ? `from ${dayAndTime(from, dataAt)}` : undefined,
    until && `until ${dayAndTime(until, dataAt)}`,
  ].filter(Boolean);
  const head = [
    `**${escapeMarkdown(oneLine(name, 100))}**`,
    state && escapeMarkdown(stateWords(state)),
    ...when,
  ];
  const detail = description && `\n-# ${escapeMarkdown(oneLine(description, 240))}`;
  return `${head.filter(Boolean).join(" · ")}${detail ?? ""}`;
}

/** Operators shout: `MINOR DELAYS` is said calmly. */
function stateWords(state: string): string {
  const line = oneLine(state.replaceAll("_", " "), 60);
  return line === line.toUpperCase() ? `${line.slice(0, 1)}${line.slice(1).toLowerCase()}` : line;
}

/** Says where in a long list one is. Of bus situations only the first are asked for, so their number is not known. */
function pageWords(start: number, shown: readonly NetworkEntry[], { basis, entries }: NetworkState): string {
  const total = entries.filter(({ isDisrupted }) => isDisrupted).length;
  const of = basis === "status" ? ` of ${total}` : "";
  return total > ENTRIES_SHOWN ? `-# Disruptions ${start + 1} to ${start + shown.length}${of}\n` : "";
}

function wellMarkdown(entries: readonly NetworkEntry[]): string | undefined {
  const well = entries.filter(({ isDisrupted }) => !isDisrupted);
  const modes = [...new Set(well.map(({ mode }) => mode))];
  const lines = modes.map((mode) => {
    const names = well.filter((entry) => entry.mode === mode).map(({ name }) => oneLine(name, 40));
    const all = new Set(entries.filter((entry) => entry.mode === mode).map(({ name }) => name)).size;
    const words =
      names.length <= MOST_WELL_NAMED
        ? names.join(", ")
        : names.length === all
          ? `all ${all}`
          : `${names.length} of ${all}`;
    return `-# ${MODE_WORDS[mode]} running well: ${escapeMarkdown(oneLine(words, 400))}`;
  });
  return lines.length === 0 ? undefined : lines.join("\n");
}

function basisWords({ basis, seen }: NetworkState): string {
  if (basis === "status") {
    return "From the service's own state of the network.";
  }
  const boards = seen && seen.stations > 0 ? " and on boards that people looked at here" : "";
  return `Based on the bus operators' latest reports${boards}: the service has no state of the whole network.`;
}

/** How many disruptions to skip. */
export const networkArgs = defineArgs({ skip: ["o", usually(integer(0, 1_000), 0)] });

function button(label: string, action: "refresh" | "back" | "more", skip: number) {
  return buttonTo(label, { command: "network", action, args: networkArgs.encode({ skip }) });
}

const TRAINS_SHOWN = 6;

/** A sentence and the first few trains in Markdown; `undefined` where the service itself knows of trains. */
function seenTrainsMarkdown({ seen, dataAt }: NetworkState): string | undefined {
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
  return joinLines(
    `**🚆 Trains:** ${where.toLowerCase()} that people looked at lately, ${count} cancelled.`,
    ...rows,
    over > 0 && `-# and ${over} more`,
  );
}

function trainWay({ place, kind }: Pick<CancelledTrain, "place" | "kind">, station: string): string {
  const [from, to] = kind === "departures" ? [station, place] : [place, station];
  return `${oneLine(from, 40)} to ${oneLine(to, 40)}`;
}
