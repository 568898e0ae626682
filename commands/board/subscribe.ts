// Sets up a board for a channel: shown first, saved on a press. /board edit is made of the same parts.
import { defineCommand } from "../../src/discord/define.ts";
import type { Values } from "../../src/discord/define/options.ts";
import { MOST_WALK_MINUTES } from "../../src/boards/board-settings.ts";
import { chooseSettings, type SettingsChoice } from "../../src/boards/choose-settings.ts";
import { suggestDays, suggestEvery, suggestZones } from "../../src/time/suggest-schedule.ts";
import { boardOptions, requiredStation, stationOption } from "../departures.ts";
import { showDraft } from "./draft.ts";
import { BOARD_NEEDS } from "./list.ts";

const SUGGESTIONS = 25;

const choice = <const V extends string>(name: string, value: V) => ({ name, value });

/** Options of both commands, after the station. What is usual where one is left out, each says for itself. */
export const settingsOptions = {
  to: {
    ...stationOption,
    description: "Only trains that call at this station or, for arrivals, come from it",
  },
  to_2: { ...stationOption, description: "A second station of that kind" },
  to_3: { ...stationOption, description: "A third station of that kind" },
  match: {
    type: "string",
    description: "Of several such stations, at how many a train has to call",
    choices: [choice("At any of them", "any"), choice("At all of them", "all")],
  },
  kind: {
    type: "string",
    description: "Trains that leave the station, or that arrive there",
    choices: [choice("Departures", "departures"), choice("Arrivals", "arrivals")],
  },
  operator: boardOptions.operator,
  platforms: { type: "string", description: "Only these platforms, e.g. 3, 4a", maxLength: 60 },
  only: {
    type: "string",
    description: "Only trains, or only the buses that replace them",
    choices: [choice("Both", "all"), choice("Trains", "trains"), choice("Replacement buses", "buses")],
  },
  walk: {
    type: "integer",
    description: "How many minutes you need to the station; trains that you would miss are left out",
    min: 0,
    max: MOST_WALK_MINUTES,
  },
  rows: { ...boardOptions.rows, description: "How many trains" },
  view: { ...boardOptions.view, description: "Picture or text" },
  mode: {
    type: "string",
    description: "How the board is kept in the channel",
    choices: [
      choice("One message, kept up to date", "edit"),
      choice("One message, moved to the bottom when it changes", "replace"),
      choice("A new message each time", "post"),
    ],
  },
  every: {
    type: "string",
    description: "How often, e.g. 10 minutes",
    maxLength: 40,
    autocomplete: ({ text }: { readonly text: string }) => plain(suggestEvery(text, SUGGESTIONS)),
  },
  at: { type: "string", description: "Or at fixed times, e.g. 7:30, 17:15", maxLength: 200 },
  days: {
    type: "string",
    description: "On which days, e.g. weekdays or Mon, Wed, Fri",
    maxLength: 100,
    autocomplete: ({ text }: { readonly text: string }) => plain(suggestDays(text, SUGGESTIONS)),
  },
  between: { type: "string", description: "Only between these times, e.g. 07:00-09:30", maxLength: 40 },
  zone: {
    type: "string",
    description: "Whose clock the times follow, e.g. London",
    maxLength: 60,
    autocomplete: ({ text }: { readonly text: string }) => plain(suggestZones(text, SUGGESTIONS)),
  },
  channel: {
    type: "channel",
    description: "Which channel",
    channelTypes: ["text", "announcement", "thread"],
  },
  publish: {
    type: "boolean",
    description: "In an announcement channel: publish each message to the servers that follow it",
  },
} as const;

/** The same option, saying also what goes where it is left out. */
function usually<O extends { readonly description: string }>(option: O, usual: string) {
  return { ...option, description: `${option.description}; ${usual} unless you say` };
}

function plain(texts: readonly string[]) {
  return texts.map((text) => ({ name: text, value: text }));
}

/** What was typed, as the service reads it. */
export function choiceOf({
  to,
  to_2: second,
  to_3: third,
  walk,
  view,
  ...rest
}: Values<typeof settingsOptions>): SettingsChoice {
  return { ...rest, callingAt: [to, second, third], walkMinutes: walk, look: view };
}

export default defineCommand({
  description: "Keep a departure board in a channel",
  needs: BOARD_NEEDS,
  defer: "private",
  options: {
    station: requiredStation,
    ...settingsOptions,
    match: usually(settingsOptions.match, "any"),
    kind: usually(settingsOptions.kind, "departures"),
    rows: boardOptions.rows,
    view: boardOptions.view,
    mode: usually(settingsOptions.mode, "as one message"),
    every: usually(settingsOptions.every, "every 5 minutes"),
    days: usually(settingsOptions.days, "every day"),
    channel: usually(settingsOptions.channel, "this one"),
  },
  run(context) {
    const { options, services } = context;
    const { station, ...rest } = options;
    const { stations, boards } = services;
    const settings = chooseSettings({ ...choiceOf(rest), station }, { stations, timeZone: boards.timeZone });
    return showDraft(context, settings, options.channel?.id);
  },
});
