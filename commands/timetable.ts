import type { ArgsOf } from "../src/core/component-id.ts";
import { UserError } from "../src/core/errors.ts";
import type { Reply } from "../src/core/reply.ts";
import { defineCommand, defineButton } from "../src/discord/define.ts";
import type { Context, Services } from "../src/discord/define/context.ts";
import type { Values } from "../src/discord/define/options.ts";
import { trainSelect } from "../src/rail/board-command.ts";
import { parseTimedTrainWords } from "../src/rail/parse-train-words.ts";
import { requiredStation, stationOption } from "../src/rail/station-options.ts";
import { type ViewFormat, viewFormatOption } from "../src/rail/view-format.ts";
import { timetableArgs, timetablePictureModel, timetableView } from "../src/rail/timetable-view.ts";
import type { TimetableQuestion } from "../src/rail/timetable.ts";
import { dateOption, timeOption } from "../src/time/parse-when.ts";
import { watchTrainButton } from "../src/watches/watch-args.ts";

const NEEDS = ["pictures", "stations", "timetables", "trains", "when"] as const;

const options = {
  station: requiredStation,
  to: {
    ...stationOption,
    description: "Only trains that call there, e.g. Leeds (for arrivals: trains that come from there)",
  },
  date: dateOption,
  time: timeOption,
  show: {
    type: "string",
    description: "Departures or arrivals (default: departures)",
    choices: [
      { name: "Departures", value: "departures" },
      { name: "Arrivals", value: "arrivals" },
    ],
  },
  view: viewFormatOption,
} as const;

interface TypedTimetable extends Partial<Values<typeof options>> {
  readonly station: string;
}

function findQuestion(
  { stations }: Pick<Services, "stations">,
  { station, via, kind }: Pick<ArgsOf<typeof timetableArgs>, "station" | "via" | "kind">,
): TimetableQuestion {
  return {
    station: stations.resolve(station),
    kind,
    via: via === undefined ? undefined : stations.resolve(via),
  };
}

function showTyped(
  services: Pick<Services, "pictures" | "stations" | "timetables" | "when">,
  { station, to, date, time, show: kind = "departures", view: format = "picture" }: TypedTimetable,
): Promise<Reply> {
  const question = findQuestion(services, { station, via: to, kind });
  return showPage(services, question, { ...services.when.read({ date, time }), format });
}

async function showPage(
  { pictures, timetables }: Pick<Services, "pictures" | "timetables">,
  question: TimetableQuestion,
  {
    at,
    ...view
  }: { readonly at: Temporal.Instant; readonly format: ViewFormat; readonly note?: string | undefined },
): Promise<Reply> {
  const page = await timetables.page({ ...question, from: at });
  const picture = view.format === "picture" ? await pictures.board(timetablePictureModel(page)) : undefined;
  return timetableView(page, { ...view, picture });
}

const page = defineButton(
  timetableArgs,
  ({ services }: Context<"pictures" | "stations" | "timetables">, { station, via, kind, from, format }) =>
    showPage(services, findQuestion(services, { station, via, kind }), { at: from, format }),
);

export default defineCommand({
  description: "See a station's timetable for today, or for any day in the next 12 weeks",
  needs: NEEDS,
  options,
  run: ({ options: typed, services }) => showTyped(services, typed),
  messages: {
    words: {
      example: "York to Leeds tomorrow 9:00",
      understands: (content, { stations, when }) =>
        parseTimedTrainWords(content, stations, when) !== undefined,
    },
    run({ message, services }) {
      const words = parseTimedTrainWords(message.content, services.stations, services.when);
      if (!words) {
        throw new UserError("Which trains, and when? Write, for example, “York to Leeds tomorrow 9:00”.");
      }
      return showTyped(services, words);
    },
  },
  buttons: { earlier: page, later: page, look: page },
  selects: { train: trainSelect("timetable", watchTrainButton) },
});
