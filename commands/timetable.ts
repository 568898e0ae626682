// What is planned at a station, for any day that timetables know.
import { defineCommand } from "../src/discord/define.ts";
import { pressed } from "../src/discord/define/components.ts";
import type { Context } from "../src/discord/define/context.ts";
import { trainSelect } from "../src/rail/board-command.ts";
import { requiredStation } from "../src/rail/station-options.ts";
import { timetableArgs, timetableView } from "../src/rail/timetable-view.ts";
import { dateOption, timeOption } from "../src/time/parse-when.ts";
import { watchTrainButton } from "../src/watches/watch-args.ts";

const NEEDS = ["stations", "timetables", "trains", "when"] as const;

const page = pressed(
  timetableArgs,
  async ({ services }: Context<"stations" | "timetables">, { station, from }) =>
    timetableView(await services.timetables.page({ station: services.stations.resolve(station), from })),
);

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
  selects: { train: trainSelect("timetable", watchTrainButton) },
});
