import { defineCommand, type ModalDefinition } from "../../src/discord/define.ts";
import { parseSchedule } from "../../src/time/parse-schedule.ts";
import type { BoardSettings, Subscription } from "../../src/boards/boards.ts";
import { boardFiltersForm, boardIdArgs, boardTimesForm } from "../../src/boards/board-settings-words.ts";
import { liveStationOption } from "../../src/rail/station-options.ts";
import {
  BOARD_NEEDS,
  type BoardContext,
  boardOption,
  choiceOf,
  guildOf,
  onBoardPress,
  settingsOptions,
  showDraft,
  withBoard,
} from "../../src/boards/board-command.ts";

function clearable<O extends { readonly description: string }>(option: O) {
  return { ...option, description: `${option.description} (“any” clears it)` };
}

/** A form for one board or draft. Shows the resulting draft. */
function onForm(
  change: (
    typed: Readonly<Partial<Record<string, string>>>,
    board: Subscription,
    context: BoardContext,
  ) => BoardSettings,
): ModalDefinition<(typeof BOARD_NEEDS)[number], { readonly id: string }> {
  return {
    args: boardIdArgs,
    answers: "update",
    async run({ args, fields, ...context }) {
      const board = await context.services.boards.editable(guildOf(context.where), args.id);
      const typed = Object.fromEntries(
        Object.entries(fields).flatMap(([name, [text = ""]]) => (text.trim() ? [[name, text.trim()]] : [])),
      );
      return showDraft(context, change(typed, board, context), board.channelId, board);
    },
  };
}

export default defineCommand({
  description: "Edit a board (give just its name to open a form)",
  needs: BOARD_NEEDS,
  defer: "private",
  options: {
    board: boardOption,
    station: { ...liveStationOption, description: "Another station" },
    ...settingsOptions,
    to: clearable(settingsOptions.to),
    to_2: clearable(settingsOptions.to_2),
    to_3: clearable(settingsOptions.to_3),
    operator: clearable(settingsOptions.operator),
    platforms: clearable(settingsOptions.platforms),
    between: clearable(settingsOptions.between),
  },
  run(context) {
    const { board: typed, station, ...rest } = context.options;
    return withBoard(context, typed, (board) => {
      const { boards, stations } = context.services;
      if (station === undefined && Object.values(rest).every((value) => value === undefined)) {
        return boardTimesForm(board, stations);
      }
      const settings = boards.choose({ ...choiceOf(rest), station }, board.settings);
      return showDraft(context, settings, rest.channel?.id ?? board.channelId, board);
    });
  },
  buttons: {
    form: onBoardPress(async ({ services, where }, id) =>
      boardTimesForm(await services.boards.editable(guildOf(where), id), services.stations),
    ),
    filters: onBoardPress(async ({ services, where }, id) =>
      boardFiltersForm(await services.boards.editable(guildOf(where), id), services.stations),
    ),
  },
  modals: {
    times: onForm((typed, { settings }, { services }) => {
      const { timeZone: zone } = services.boards;
      const { every, at, days, hours, zone: inZone } = typed;
      return { ...settings, schedule: parseSchedule({ every, at, days, hours, zone: inZone }, { zone }) };
    }),
    filters: onForm(({ to = "", match, operator, platforms, only }, { settings }, { services }) =>
      services.boards.choose(
        {
          callingAt: to.split(/[,;]/).filter((name) => name.trim() !== ""),
          match: MATCHES.find((each) => each === match),
          operator,
          platforms,
          only: TRANSPORTS.find((each) => each === only),
        },
        // An emptied field removes its filter.
        { ...settings, callingAt: [], operator: undefined, platforms: [] },
      ),
    ),
  },
});

const MATCHES = ["any", "all"] as const;
const TRANSPORTS = ["all", "trains", "buses"] as const;
