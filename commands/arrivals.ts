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
  description: "See the next trains to arrive at a station, live",
  needs: [...BOARD_NEEDS, "railway"],
  options: {
    station: requiredStation,
    from: { ...stationOption, description: "Only trains that called at this station, e.g. Leeds" },
    ...boardOptions,
  },
  run: ({ options: { from, ...rest }, services }) =>
    chooseBoard(services, "arrivals", { ...rest, via: from }),
  buttons: boardButtons("arrivals"),
  selects: { train: trainSelect("arrivals", watchTrainButton) },
});
