// A watch on its way in: which train, what would happen, what was saved, and the first message that proves the way.
import type { Temporal } from "temporal-polyfill";
import { escapeMarkdown, textReply, type Modal, type Reply } from "../core/reply.ts";
import { formatUkTime, formatUkDay } from "../core/uk-time.ts";
import type { BoardRow } from "../services/departures/departures.ts";
import type { Station } from "../services/stations/stations.ts";
import { MOST_DELAY_MINUTES, MOST_LEAD_MINUTES } from "../services/watches/watch-settings.ts";
import type { Watch } from "../services/watches/watches.ts";
import type { StationNames } from "./board-settings-words.ts";
import { privateCard } from "./private-card.ts";
import { trainChoices } from "./train-choice.ts";
import { formatWatchWish, watchButton, type WatchWish } from "./watch-args.ts";
import { watchName, watchPromise } from "./watch-settings-words.ts";

/** What was looked for. */
export interface SoughtTrain {
  readonly station: Station;
  readonly to: Station | undefined;
  readonly at: Temporal.Instant;
}

/** Asks which of several trains is meant. */
export function whichTrainView(
  rows: readonly BoardRow[],
  { station, to, at }: SoughtTrain,
  wish: WatchWish,
): Reply {
  const way = `${station.name}${to === undefined ? "" : ` → ${to.name}`}`;
  return privateCard([
    {
      type: "text",
      text: `### Which train do you mean?\n${escapeMarkdown(way)} around ${formatUkTime(at)}, ${formatUkDay(at)}`,
    },
    {
      type: "select",
      target: { command: "watch/train", action: "choose", args: formatWatchWish(wish) },
      placeholder: "Pick a train…",
      choices: trainChoices(rows, at),
    },
  ]);
}

/** Says that there is no such train. */
export function noTrainView({ station, to, at }: SoughtTrain): Reply {
  const calls = to === undefined ? "" : ` and calls at ${to.name}`;
  const board = `\`/timetable\` shows what does${to === undefined ? "" : ", and a later time may fit"}.`;
  return textReply(
    `I know of no train that leaves ${escapeMarkdown(station.name)} around ${formatUkTime(at)}, ${formatUkDay(at)}${escapeMarkdown(calls)}; ${board}`,
    "private",
  );
}

/** A draft, with Save and Discard. */
export function watchPreviewView(watch: Watch, stations: StationNames, note?: string): Reply {
  const lines = [
    `### Watch ${watchName(watch.settings, stations, escapeMarkdown)}?`,
    watchPromise(watch),
    ...(note === undefined ? [] : [note]),
    "-# Nothing is saved yet. It waits for an hour.",
  ];
  return privateCard([
    { type: "text", text: lines.join("\n") },
    { type: "buttons", buttons: [watchButton("save", watch.id), watchButton("discard", watch.id)] },
  ]);
}

/** What was set, with ways to change it. */
export function watchSavedView(watch: Watch, stations: StationNames): Reply {
  const name = watchName(watch.settings, stations, escapeMarkdown);
  return {
    visibility: "private",
    blocks: [
      { type: "text", text: `Watching **${name}**. ${watchPromise(watch)}` },
      { type: "buttons", buttons: [watchButton("change", watch.id), watchButton("cardStop", watch.id)] },
    ],
  };
}

/** After Discard. */
export function watchDiscardedView(): Reply {
  return textReply("All right, nothing is watched.", "private");
}

/** The first direct message of a watch. */
export function watchWelcomeView(watch: Watch, stations: StationNames): Reply {
  const name = watchName(watch.settings, stations, escapeMarkdown);
  return {
    blocks: [
      { type: "text", text: `🔔 I will tell you here about **${name}**. While all is well, I am quiet.` },
      { type: "buttons", buttons: [watchButton("pause", watch.id), watchButton("stop", watch.id)] },
    ],
  };
}

/** The form for what people change about a watch. Its fields: `delay`, `lead`, `ping`. */
export function watchChangeForm({ id, settings }: Watch): Modal {
  const { delayMinutes, leadMinutes, ping } = settings;
  const number = { type: "text", lines: "one", minLength: 1, maxLength: 3 } as const;
  return {
    type: "modal",
    target: { command: "watch/list", action: "change", args: { w: id } },
    title: "When should I tell you?",
    fields: [
      {
        ...number,
        name: "delay",
        label: "Minutes late that matter",
        description: `1 to ${MOST_DELAY_MINUTES}`,
        value: String(delayMinutes),
      },
      {
        ...number,
        name: "lead",
        label: "Minutes before it leaves to begin",
        description: `5 to ${MOST_LEAD_MINUTES}`,
        value: String(leadMinutes),
      },
      {
        type: "choice",
        name: "ping",
        label: "Ping me",
        choices: [
          { label: "No", value: "no", description: "Messages come quietly", chosen: !ping },
          { label: "Yes", value: "yes", description: "Once, with the first message of a day", chosen: ping },
        ],
      },
    ],
  };
}
