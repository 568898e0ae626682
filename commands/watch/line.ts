import { UserError } from "../../src/core/errors.ts";
import { quoteText } from "../../src/core/text.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { findLine, suggestLines } from "../../src/rail/london.ts";
import { parseDays, parseEnds } from "../../src/time/parse-schedule.ts";
import { suggestDays } from "../../src/time/suggest-schedule.ts";
import { EVERY_DAY } from "../../src/time/words.ts";
import { notifyOptions, showWatchDraft, WATCH_NEEDS } from "../../src/watches/watch-command.ts";

/** The end of one day of traffic and the start of the next. */
const TRAFFIC_DAY_START = "04:00";

export default defineCommand({
  description: "Get an alert when something goes wrong on one of London's lines",
  needs: [...WATCH_NEEDS, "lineStatus"],
  defer: "private",
  options: {
    line: {
      type: "string",
      description: "Which line, e.g. Victoria or DLR",
      required: true,
      maxLength: 60,
      autocomplete: ({ text }) => suggestLines(text).map(({ id, name }) => ({ name, value: id })),
    },
    from: {
      type: "string",
      description: "From when, in UK time, e.g. 07:00 (default: the start of the day)",
      maxLength: 20,
    },
    until: {
      type: "string",
      description: "Until when, in UK time, e.g. 09:00 (default: the end of the day)",
      maxLength: 20,
    },
    days: {
      type: "string",
      description: "Which days, e.g. weekdays or Mon, Wed, Fri (default: every day)",
      maxLength: 100,
      autocomplete: ({ text }) => suggestDays(text),
    },
    ping: notifyOptions.ping,
    where: notifyOptions.where,
  },
  run({ options, ...context }) {
    const { line: typed, from = TRAFFIC_DAY_START, until = TRAFFIC_DAY_START, days, ...choice } = options;
    const line = findLine(typed);
    if (line === undefined) {
      throw new UserError(
        `I don't know a line called “${quoteText(typed)}”. Pick one from the list as you type, e.g. Victoria line.`,
      );
    }
    const what = {
      kind: "line",
      line: line.id,
      hours: parseEnds(from, until),
      days: days === undefined ? EVERY_DAY : parseDays(days),
    } as const;
    return showWatchDraft(context, what, choice);
  },
});
