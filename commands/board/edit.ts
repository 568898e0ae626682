import { defineCommand } from "../../src/discord/define.ts";
import { chooseSettings } from "../../src/services/boards/choose-settings.ts";
import { parseSchedule } from "../../src/services/schedule/parse-schedule.ts";
import { boardTimesForm } from "../../src/views/board-times-form.ts";
import { stationOption } from "../departures.ts";
import { BOARD_NEEDS, boardArgs, boardOption, guildOf } from "./list.ts";
import { choiceOf, settingsOptions, showDraft } from "./subscribe.ts";

export default defineCommand({
  description: "Change a board: name what is to be different",
  needs: BOARD_NEEDS,
  defer: "private",
  options: {
    board: boardOption,
    station: { ...stationOption, description: "Another station" },
    ...settingsOptions,
  },
  async run(context) {
    const { options, services, where } = context;
    const { board: id, station, ...rest } = options;
    const { boards, stations } = services;
    const board = await boards.get(guildOf(where), id);
    if (station === undefined && Object.values(rest).every((value) => value === undefined)) {
      return boardTimesForm(board, stations);
    }
    const choice = { ...choiceOf(rest), station };
    const settings = chooseSettings(choice, { stations, timeZone: boards.timeZone }, board.settings);
    return showDraft(context, settings, rest.channel?.id ?? board.channelId, board);
  },
  buttons: {
    form: {
      args: boardArgs,
      run: async ({ args, services, where }) =>
        boardTimesForm(await services.boards.get(guildOf(where), args.b), services.stations),
    },
  },
  modals: {
    times: {
      args: boardArgs,
      async run({ args, fields, ...context }) {
        const { services, where } = context;
        const board = await services.boards.get(guildOf(where), args.b);
        const typed = (name: string) => fields[name]?.[0]?.trim() || undefined;
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
        return showDraft(context, { ...board.settings, schedule }, board.channelId, board);
      },
    },
  },
});
