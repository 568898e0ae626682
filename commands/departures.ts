import { UserError } from "../src/core/errors.ts";
import { defineCommand } from "../src/discord/define.ts";
import {
  BOARD_NEEDS,
  boardButtons,
  boardOptions,
  chooseBoard,
  trainSelect,
} from "../src/rail/board-command.ts";
import { parseTrainWords } from "../src/rail/parse-train-words.ts";
import { requiredLiveStation, viaStationOption } from "../src/rail/station-options.ts";
import { watchTrainButton } from "../src/watches/watch-args.ts";

export default defineCommand({
  description: "See the next trains from a station, live",
  needs: BOARD_NEEDS,
  options: {
    station: requiredLiveStation,
    to: { ...viaStationOption, description: "Only trains that call at this station, e.g. Leeds" },
    ...boardOptions,
  },
  run: ({ options: { to, ...rest }, services }) => chooseBoard(services, "departures", { ...rest, via: to }),
  messages: {
    words: {
      example: "York to Leeds",
      understands: (content, { stations }) => parseTrainWords(content, stations.live) !== undefined,
    },
    run({ message, services }) {
      const words = parseTrainWords(message.content, services.stations.live);
      if (!words) {
        throw new UserError("Which station? Type its name or three-letter code, e.g. York or YRK.");
      }
      return chooseBoard(services, "departures", { station: words.station, via: words.to });
    },
  },
  buttons: boardButtons("departures"),
  selects: { train: trainSelect("departures", watchTrainButton) },
});
