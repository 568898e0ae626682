import { UserError } from "../../src/core/errors.ts";
import { textReply } from "../../src/core/reply.ts";
import { boardManageButton } from "../../src/boards/board-list-view.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { chooseSettings } from "../../src/boards/choose-settings.ts";
import { parseSchedule } from "../../src/time/parse-schedule.ts";
import { boardIdArgs } from "../../src/boards/board-mark.ts";
import { boardTimesForm } from "../../src/boards/board-settings-words.ts";
import { stationOption } from "../../src/rail/station-options.ts";
import {
  BOARD_NEEDS,
  boardOption,
  choiceOf,
  guildOf,
  onBoard,
  settingsOptions,
  showDraft,
  withBoard,
} from "../../src/boards/board-command.ts";

/** The same option, saying also how its filter is taken away. */
function removable<O extends { readonly description: string }>(option: O) {
  return { ...option, description: `${option.description} (“any” clears it)` };
}

export default defineCommand({
  description: "Edit a board (give just its name to open a form)",
  needs: BOARD_NEEDS,
  defer: "private",
  options: {
    board: boardOption,
    station: { ...stationOption, description: "Another station" },
    ...settingsOptions,
    to: removable(settingsOptions.to),
    to_2: removable(settingsOptions.to_2),
    to_3: removable(settingsOptions.to_3),
    operator: removable(settingsOptions.operator),
    platforms: removable(settingsOptions.platforms),
    between: removable(settingsOptions.between),
  },
  run(context) {
    const { board: typed, station, ...rest } = context.options;
    return withBoard(context, typed, async (id) => {
      const { boards, stations } = context.services;
      const board = await boards.get(guildOf(context.where), id);
      if (station === undefined && Object.values(rest).every((value) => value === undefined)) {
        return boardTimesForm(board, stations);
      }
      const choice = { ...choiceOf(rest), station };
      const settings = chooseSettings(choice, { stations, timeZone: boards.timeZone }, board.settings);
      return showDraft(context, settings, rest.channel?.id ?? board.channelId, board);
    });
  },
  buttons: {
    form: onBoard(async ({ services, where }, id) =>
      boardTimesForm(await services.boards.get(guildOf(where), id), services.stations),
    ),
    fix: onBoard(async ({ services, where }, id) => {
      const { board, typed } = await services.boards.typed(guildOf(where), id);
      return boardTimesForm(board, services.stations, typed);
    }),
  },
  modals: {
    times: {
      args: boardIdArgs,
      async run({ args, fields, ...context }) {
        const { caller, services, where } = context;
        const board = await services.boards.get(guildOf(where), args.id);
        const typed = (name: string) => fields[name]?.[0]?.trim() || undefined;
        try {
          const schedule = parseSchedule(
            {
              every: typed("every"),
              at: typed("at"),
              days: typed("days"),
              hours: typed("hours"),
              zone: typed("zone"),
            },
            { zone: services.boards.timeZone },
          );
          return await showDraft(context, { ...board.settings, schedule }, board.channelId, board);
        } catch (error) {
          if (!(error instanceof UserError)) {
            throw error;
          }
          const kept = Object.fromEntries(Object.entries(fields).map(([name, [text = ""]]) => [name, text]));
          const id = await services.boards.keepTyped(guildOf(where), args.id, kept, caller.id);
          return textReply(error.message, "private", [boardManageButton("fix", id)]);
        }
      },
    },
  },
});
