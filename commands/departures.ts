import { defineCommand } from "../src/discord/define.ts";
import {
  BOARD_NEEDS,
  boardButtons,
  boardOptions,
  chooseBoard,
  trainSelect,
} from "../src/rail/board-command.ts";
import { requiredStation, stationOption } from "../src/rail/station-options.ts";
import { watchTrainButton } from "../src/watches/watch-args.ts";

export default defineCommand({
  description: "See the next trains from a station, live",
  needs: BOARD_NEEDS,
  options: {
    station: requiredStation,
    to: { ...stationOption, description: "Only trains that call at this station, e.g. Leeds" },
    ...boardOptions,
  },
  run: ({ options: { to, ...rest }, services }) => chooseBoard(services, "departures", { ...rest, via: to }),
  buttons: boardButtons("departures"),
  selects: { train: trainSelect("departures", watchTrainButton) },
});
