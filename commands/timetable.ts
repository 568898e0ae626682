// What is planned at a station, for any day that timetables know.
import { UserError } from "../src/core/errors.ts";
import { defineCommand } from "../src/discord/define.ts";
import type { ButtonDefinition } from "../src/discord/define/components.ts";
import { type TimetableArgs, timetableArgsSchema, timetableView } from "../src/rail/timetable-view.ts";
import { parseTrainChoice, trainMenuArgsSchema, trainView } from "../src/rail/train-view.ts";
import { watchTrainButton } from "../src/watches/watch-args.ts";
import { requiredStation } from "./departures.ts";
import { dateOption, timeOption } from "./journey.ts";

const NEEDS = ["stations", "timetables", "trains", "when"] as const;

const page: ButtonDefinition<(typeof NEEDS)[number], TimetableArgs> = {
  args: timetableArgsSchema,
  run: async ({ args, services }) =>
    timetableView(
      await services.timetables.page({ station: services.stations.resolve(args.station), from: args.from }),
    ),
};

export default defineCommand({
  description: "See what leaves a station today, or on any day in the next 12 weeks",
  needs: NEEDS,
  options: {
    station: requiredStation,
    date: dateOption,
    time: timeOption,
  },
  async run({ options, services }) {
    const station = services.stations.resolve(options.station);
    const when = services.when.read(options);
    return timetableView(await services.timetables.page({ station, from: when.at }), when.note);
  },
  buttons: { earlier: page, later: page },
  selects: {
    train: {
      args: trainMenuArgsSchema,
      answers: "private",
      async run({ args, chosen, services }) {
        const sighting = parseTrainChoice(chosen[0] ?? "", args, "departures");
        if (!sighting) {
          throw new UserError("I no longer know that train. Ask `/timetable` again.");
        }
        return trainView(await services.trains.open(sighting), sighting, watchTrainButton);
      },
    },
  },
});
