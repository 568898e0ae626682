import { defineCommand } from "../src/discord/define.ts";
import {
  BOARD_NEEDS,
  boardButtons,
  boardOptions,
  boardSelects,
  chooseBoard,
  stationOption,
} from "./departures.ts";

export default defineCommand({
  description: "The next trains arriving at a station, live",
  needs: BOARD_NEEDS,
  options: {
    station: { ...stationOption, description: "Name or three-letter code, e.g. York or YRK", required: true },
    from: { ...stationOption, description: "Only trains that called there" },
    ...boardOptions,
  },
  run: ({ options: { from, ...rest }, services }) =>
    chooseBoard(services, "arrivals", { ...rest, via: from }),
  buttons: boardButtons("arrivals"),
  selects: boardSelects("arrivals"),
});
