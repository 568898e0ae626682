// Sets up a board for a channel: shown first, saved on a press. /board edit is made of the same parts.
import type { Reply } from "../../src/core/reply.ts";
import { defineCommand, type Context, type Values } from "../../src/discord/define.ts";
import { MOST_WALK_MINUTES } from "../../src/services/boards/board-settings.ts";
import type { BoardSettings, Subscription } from "../../src/services/boards/boards.ts";
import { chooseSettings, type SettingsChoice } from "../../src/services/boards/choose-settings.ts";
import { suggestDays, suggestEvery, suggestZones } from "../../src/services/schedule/suggest-schedule.ts";
import { discardedView } from "../../src/views/board-card-view.ts";
import { boardPreviewView, boardSavedView } from "../../src/views/board-preview-view.ts";
import { boardOptions, stationOption } from "../departures.ts";
import { BOARD_NEEDS, boardArgs, guildOf } from "./list.ts";

const SUGGESTIONS = 25;

const choice = <const V extends string>(name: string, value: V) => ({ name, value });

/** Options that both commands have, after the station. */
export const settingsOptions = {
  to: { ...stationOption, description: "Only trains that call there, or came from there" },
  to_2: { ...stationOption, description: "A second station" },
  to_3: { ...stationOption, description: "A third station" },
  match: {
    type: "string",
    description: "Must a train call at any of them, or at all of them? Any, unless you say",
    choices: [choice("At any of them", "any"), choice("At all of them", "all")],
  },
  kind: {
    type: "string",
    description: "Departures, unless you say",
    choices: [choice("Departures", "departures"), choice("Arrivals", "arrivals")],
  },
  operator: boardOptions.operator,
  platforms: { type: "string", description: "Only these platforms, e.g. 3, 4a", maxLength: 60 },
  only: {
    type: "string",
    description: "Only trains, or only buses that replace them",
    choices: [choice("Both", "all"), choice("Trains", "trains"), choice("Replacement buses", "buses")],
  },
  walk: {
    type: "integer",
    description: "Minutes you need to the station; leaves out trains you would miss",
    min: 0,
    max: MOST_WALK_MINUTES,
  },
  rows: boardOptions.rows,
  view: boardOptions.view,
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
    description: "How often, e.g. 10 minutes; every 5 minutes unless you say",
    maxLength: 40,
    autocomplete: ({ text }: { readonly text: string }) => plain(suggestEvery(text, SUGGESTIONS)),
  },
  at: { type: "string", description: "Or at fixed times, e.g. 7:30, 17:15", maxLength: 200 },
  days: {
    type: "string",
    description: "On which days, e.g. weekdays; every day unless you say",
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
    description: "Where; here unless you say",
    channelTypes: ["text", "announcement", "thread"],
  },
  publish: { type: "boolean", description: "Publish each message to the servers that follow the channel" },
} as const;

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

type BoardContext = Context<(typeof BOARD_NEEDS)[number]>;

/** Keeps a draft and shows it. `changes`: the board that it would replace. */
export async function showDraft(
  { services, caller, where }: BoardContext,
  settings: BoardSettings,
  channelId: string | undefined,
  changes?: Subscription,
): Promise<Reply> {
  const place = { guildId: guildOf(where), channelId: channelId ?? where.channelId ?? "" };
  const drafted = await services.boards.draft(place, settings, caller.id, changes?.id);
  const { draft, content } = drafted;
  const shown = services.presentBoard(content, { id: draft.id, slotMs: 0 });
  return boardPreviewView(drafted, await shown.reply());
}

export default defineCommand({
  description: "Keep a departure board in a channel",
  needs: BOARD_NEEDS,
  defer: "private",
  options: {
    station: { ...stationOption, description: "Name or three-letter code, e.g. York or YRK", required: true },
    ...settingsOptions,
  },
  run(context) {
    const { options, services } = context;
    const { station, ...rest } = options;
    const { stations, boards } = services;
    const settings = chooseSettings({ ...choiceOf(rest), station }, { stations, timeZone: boards.timeZone });
    return showDraft(context, settings, options.channel?.id);
  },
  buttons: {
    save: {
      args: boardArgs,
      async run({ args, services, where }) {
        const board = await services.boards.save(guildOf(where), args.b);
        return boardSavedView(board, board.id === args.b);
      },
    },
    discard: {
      args: boardArgs,
      async run({ args, services, where }) {
        await services.boards.discard(guildOf(where), args.b);
        return discardedView();
      },
    },
  },
});
