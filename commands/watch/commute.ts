import { UserError } from "../../src/core/errors.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { parseDays, parseHours } from "../../src/time/parse-schedule.ts";
import { suggestDays } from "../../src/time/suggest-schedule.ts";
import { WORKING_DAYS } from "../../src/time/words.ts";
import { stationOption } from "../../src/rail/station-options.ts";
import { notifyOptions, showWatchDraft, WATCH_NEEDS } from "../../src/watches/watch-command.ts";

export default defineCommand({
  description: "Get an alert when your commute is disrupted",
  needs: [...WATCH_NEEDS, "railway"],
  defer: "private",
  options: {
    from: { ...stationOption, description: "Where you get on, e.g. York or YRK", required: true },
    to: { ...stationOption, description: "Where you get off, e.g. Leeds or LDS", required: true },
    hours: {
      type: "string",
      description: "When you leave, in UK time, e.g. 07:00-09:30",
      required: true,
      maxLength: 40,
    },
    days: {
      type: "string",
      description: "Which days, e.g. Mon, Wed, Fri (default: weekdays)",
      maxLength: 100,
      autocomplete: ({ text }) => suggestDays(text),
    },
    ...notifyOptions,
  },
  run({ options, ...context }) {
    const { stations } = context.services;
    const { from, to, hours: typedHours, days, ...choice } = options;
    const hours = parseHours(typedHours);
    if (hours === undefined) {
      throw new UserError("That's the whole day. When do you leave? Type hours like 07:00-09:30.");
    }
    const what = {
      kind: "commute",
      station: stations.resolve(from).crs,
      to: stations.resolve(to).crs,
      hours,
      days: days === undefined ? WORKING_DAYS : parseDays(days),
    } as const;
    return showWatchDraft(context, what, choice);
  },
});
