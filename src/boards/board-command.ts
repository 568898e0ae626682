// Shared by the subcommands of /board.
import { UserError } from "../core/errors.ts";
import type { Reply } from "../core/reply.ts";
import { defineButton } from "../discord/define.ts";
import type { Answer, Context, Where } from "../discord/define/context.ts";
import type { AutocompleteRequest, Suggestion, Values } from "../discord/define/options.ts";
import { boardOptions } from "../rail/board-command.ts";
import { viaStationOption } from "../rail/station-options.ts";
import { formatSchedule } from "../time/schedule.ts";
import { suggestDays, suggestEvery, suggestZones } from "../time/suggest-schedule.ts";
import { type BoardNaming, boardLabel, boardListView, sortBoards } from "./board-list-view.ts";
import { boardIdArgs, boardName } from "./board-settings-words.ts";
import { boardPreviewView } from "./board-preview-view.ts";
import { type BoardSettings, SETTING_LABELS, MAX_WALK_MINUTES, type Subscription } from "./boards.ts";
import type { SettingsChoice } from "./board-settings.ts";

export const BOARD_NEEDS = ["boards", "presentBoard", "stations"] as const;

export type BoardContext = Context<(typeof BOARD_NEEDS)[number]>;

export function onBoardPress(run: (context: BoardContext, id: string) => Answer | Promise<Answer>) {
  return defineButton(boardIdArgs, (context: BoardContext, { id }) => run(context, id));
}

/** Throws a UserError outside of a server. */
export function guildOf({ guildId }: Where): string {
  if (guildId === undefined) {
    throw new UserError("Boards belong to servers. Please use this in a server.");
  }
  return guildId;
}

export async function boardsOf({
  services,
  where,
}: Pick<Context<"boards" | "stations">, "services" | "where">) {
  const boards = await services.boards.list(guildOf(where));
  const channels = services.boards.channelNames(boards);
  return { boards, naming: { stations: services.stations, channels } };
}

/** Its value is the board's id if it was picked from the list. */
export const boardOption = {
  type: "string",
  description: "Which board: pick it from the list, or type part of its name",
  required: true,
  maxLength: 100,
  autocomplete: async ({
    text,
    where,
    services,
  }: AutocompleteRequest<"boards" | "stations">): Promise<readonly Suggestion[]> => {
    const { boards, naming } = await boardsOf({ services, where });
    const typed = text.trim().toLowerCase();
    return sortBoards(boards, naming)
      .map((board) => ({ name: nameOf(board, naming), value: board.id }))
      .filter(({ name, value }) => name.toLowerCase().includes(typed) || value === typed);
  },
} as const;

/** The board whose id or part of whose name was typed. If several match, answers with a menu of them. */
export async function withBoard(
  context: BoardContext,
  typed: string,
  run: (board: Subscription) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { boards, naming } = await boardsOf(context);
  const name = typed.trim().toLowerCase();
  const matching = boards.filter(
    (board) => board.id === typed || nameOf(board, naming).toLowerCase().includes(name),
  );
  // “Leeds” means the board of Leeds rather than “York → Leeds”.
  const exact = matching.filter(
    ({ settings }) => boardName(settings, naming.stations).toLowerCase() === name,
  );
  const meant = exact.length > 0 ? exact : matching;
  const [only, ...others] = meant;
  return others.length === 0
    ? run(only ?? (await context.services.boards.get(guildOf(context.where), typed)))
    : boardListView(meant, 0, naming, "Which of these?");
}

/** Only the caller sees the answer. */
export function onNamedBoard(run: (context: BoardContext, id: string) => Answer | Promise<Answer>) {
  return {
    needs: BOARD_NEEDS,
    defer: "private",
    options: { board: boardOption },
    run: ({ options, ...context }: BoardContext & { readonly options: { readonly board: string } }) =>
      withBoard(context, options.board, ({ id }) => run(context, id)),
  } as const;
}

function nameOf(board: Subscription, naming: BoardNaming): string {
  return `${boardLabel(board, naming)}, ${formatSchedule(board.settings.schedule)}`;
}

/** `changed`: the board that the draft would replace, or the draft that it updates. */
export async function showDraft(
  { services, caller, where }: BoardContext,
  settings: BoardSettings,
  channelId: string | undefined,
  changed?: Subscription,
): Promise<Reply> {
  const place = { guildId: guildOf(where), channelId: channelId ?? where.channelId ?? "" };
  const drafted = await services.boards.draft(place, settings, caller.id, changed);
  const { draft, content } = drafted;
  const shown = services.presentBoard(content, { id: draft.id });
  return boardPreviewView(drafted, await shown.reply());
}

function choicesOf<V extends string>(words: Readonly<Record<V, string>>) {
  // The record has no other keys.
  return Object.entries<string>(words).map(([value, name]) => ({ name, value: value as V }));
}

/** Options of /board subscribe and /board edit after the station; the most used come first. Each command adds its defaults. */
export const settingsOptions = {
  to: {
    ...viaStationOption,
    description: "Only trains that call at this station (arrivals: that come from it)",
  },
  every: {
    type: "string",
    description: "How often, e.g. 10 minutes",
    maxLength: 40,
    autocomplete: ({ text }: { readonly text: string }) => suggestEvery(text),
  },
  at: { type: "string", description: "Or at fixed times, e.g. 7:30, 17:15", maxLength: 200 },
  channel: {
    type: "channel",
    description: "Which channel",
    channelTypes: ["text", "announcement", "thread"],
  },
  view: { ...boardOptions.view, description: "Show as a picture or as text" },
  mode: {
    type: "string",
    description: "Update one message, keep it at the bottom, or post a new one each time",
    choices: choicesOf(SETTING_LABELS.mode),
  },
  operator: boardOptions.operator,
  platforms: { type: "string", description: "Only these platforms, e.g. 3, 4a or 4-6", maxLength: 60 },
  days: {
    type: "string",
    description: "On which days, e.g. weekdays or Mon, Wed, Fri",
    maxLength: 100,
    autocomplete: ({ text }: { readonly text: string }) => suggestDays(text),
  },
  between: { type: "string", description: "Only between these times, e.g. 07:00-09:30", maxLength: 40 },
  kind: {
    type: "string",
    description: "Departures or arrivals",
    choices: choicesOf(SETTING_LABELS.kind),
  },
  rows: { ...boardOptions.rows, description: "How many trains to show" },
  walk: {
    type: "integer",
    description: "Your walk to the station, in minutes; trains you'd miss are hidden",
    min: 0,
    max: MAX_WALK_MINUTES,
  },
  only: {
    type: "string",
    description: "Only trains, or only the buses that replace them",
    choices: choicesOf(SETTING_LABELS.only),
  },
  match: {
    type: "string",
    description: "Trains that call at any of these stations, or at all of them",
    choices: choicesOf(SETTING_LABELS.match),
  },
  to_2: { ...viaStationOption, description: "Another station where the trains call" },
  to_3: { ...viaStationOption, description: "A third station where the trains call" },
  zone: {
    type: "string",
    description: "Time zone, e.g. London",
    maxLength: 60,
    autocomplete: ({ text }: { readonly text: string }) => suggestZones(text),
  },
  publish: {
    type: "boolean",
    description: "In an announcement channel: publish each message to the servers that follow it",
  },
} as const;

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
