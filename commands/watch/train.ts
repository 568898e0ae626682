import { UserError } from "../../src/core/errors.ts";
import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import type { BoardRow } from "../../src/rail/departures.ts";
import type { WatchedTrain } from "../../src/watches/watches.ts";
import { openedCall } from "../../src/rail/trains.ts";
import { parseTrainChoice } from "../../src/rail/train-view.ts";
import {
  sightingArgs,
  watchRequestArgs,
  type WatchedReference,
  type WatchRequest,
} from "../../src/watches/watch-args.ts";
import { noTrainView, watchSavedView, whichTrainView } from "../../src/watches/watch-saved-view.ts";
import { stationOption } from "../../src/rail/station-options.ts";
import { dateOption, timeOption } from "../../src/time/parse-when.ts";
import {
  chooseWatch,
  notifyOptions,
  showWatchDraft,
  WATCH_NEEDS,
  choosePing,
  type WatchContext,
} from "../../src/watches/watch-command.ts";

function preview(
  context: WatchContext,
  { station, to, ...choice }: WatchRequest,
  train: Pick<BoardRow, "aimedAt" | "place" | "trainUid" | "startDate"> &
    Pick<WatchedTrain, "operator" | "mode">,
  note?: string,
): Promise<Reply> {
  const { aimedAt, place, trainUid, startDate, operator, mode } = train;
  const aimedMs = aimedAt.epochMilliseconds;
  const what: WatchedTrain = {
    kind: "train",
    station,
    to,
    trainUid,
    startDate,
    mode,
    aimedMs,
    place,
    operator,
  };
  return showWatchDraft(context, what, choice, note);
}

/** Watches a train that the person has opened on a board, with the default settings. */
async function watchOpened(
  { services, ...asked }: WatchContext,
  reference: WatchedReference,
): Promise<Reply> {
  const { crs: station, trainUid, startDate } = reference;
  const train = await services.trains.open({ ...reference, kind: "departures" });
  const own = openedCall(train.points, reference);
  if (own === undefined || own === train.points.at(-1) || own.state === "passed") {
    throw new UserError("That train has left. Refresh the board and open a later one.");
  }
  const { destination: place, operator, mode } = train;
  const aimedMs = own.aimedAt.epochMilliseconds;
  const what: WatchedTrain = { kind: "train", station, trainUid, startDate, mode, aimedMs, place, operator };
  return watchSavedView(await services.watches.add(chooseWatch(asked, what, {})), services.stations);
}

export default defineCommand({
  description: "Get an alert when a train is late, cancelled or moved to another platform",
  needs: [...WATCH_NEEDS, "railway"],
  defer: "private",
  options: {
    station: { ...stationOption, description: "Where you get on, e.g. York or YRK", required: true },
    time: { ...timeOption, description: "When it leaves, in UK time, e.g. 08:16", required: true },
    to: {
      ...stationOption,
      description: "Where you get off, e.g. Leeds; if it's cancelled, I'll name the next train there",
    },
    date: dateOption,
    ...notifyOptions,
  },
  async run(context) {
    const { options, services } = context;
    const { station: from, to: until, date, time, ...choice } = options;
    const station = services.stations.resolve(from);
    const to = until === undefined ? undefined : services.stations.resolve(until);
    const { at, isNow, note } = services.when.read({ date, time });
    const search = { station, to, at, isNow };
    const rows = await services.watches.find(search);
    const [only, ...others] = rows;
    if (only === undefined) {
      return noTrainView(search);
    }
    const ping = choosePing(context.where, choice);
    const request = { ...choice, ping, where: choice.where ?? "dm", station: station.crs, to: to?.crs };
    return others.length === 0
      ? preview(context, request, only, note)
      : whichTrainView(rows, search, request);
  },
  selects: {
    choose: {
      args: watchRequestArgs,
      run({ args, chosen, ...context }) {
        const reference = parseTrainChoice(chosen[0] ?? "", { crs: args.station }, "departures");
        if (!reference) {
          throw new UserError("That menu is out of date. Please use `/watch train` again.");
        }
        return preview(context, args, reference);
      },
    },
  },
  buttons: {
    watch: {
      args: sightingArgs,
      answers: "private",
      run: ({ args, ...context }) => watchOpened(context, args),
    },
  },
});
