import { defineCommand } from "../../src/discord/define.ts";
import { findOperator, operatorChoice, suggestOperators, unknownOperator } from "../../src/rail/operators.ts";
import { disruptionsArgs } from "../../src/watches/watch-args.ts";
import type { WatchedNetwork } from "../../src/watches/watches.ts";
import { notifyOptions, showWatchDraft, WATCH_NEEDS } from "../../src/watches/watch-command.ts";

const IN_CHANNEL =
  "To have them posted in this channel instead, use `/watch disruptions` and choose `where`.";

/** Throws a UserError if the operator is unknown. */
function networkOf(typed: string | undefined): WatchedNetwork {
  const operator = typed === undefined ? undefined : findOperator(typed)?.name;
  if (typed !== undefined && operator === undefined) {
    throw unknownOperator(typed);
  }
  return { kind: "network", operator };
}

export default defineCommand({
  description: "Get one message for each disruption on the railway, kept up to date until it's over",
  needs: [...WATCH_NEEDS, "railwayStatus"],
  defer: "private",
  options: {
    operator: {
      type: "string",
      description: "Only this train operator, e.g. Northern (default: all)",
      maxLength: 60,
      autocomplete({ text, services }) {
        const reported = services.railwayStatus.known()?.entries.map(({ name }) => findOperator(name)?.code);
        return suggestOperators(text)
          .filter(({ code }) => reported === undefined || reported.includes(code))
          .map(operatorChoice);
      },
    },
    ping: notifyOptions.ping,
    where: notifyOptions.where,
  },
  run({ options: { operator, ...choice }, ...context }) {
    return showWatchDraft(context, networkOf(operator), choice);
  },
  buttons: {
    watch: {
      args: disruptionsArgs,
      answers: "private",
      run: ({ args, ...context }) =>
        showWatchDraft(context, networkOf(args.operator), {}, context.where.guildId && IN_CHANNEL),
    },
  },
});
