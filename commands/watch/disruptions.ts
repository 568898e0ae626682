import { defineCommand } from "../../src/discord/define.ts";
import { findOperator, suggestOperators, unknownOperator } from "../../src/rail/operators.ts";
import { watchPreviewView } from "../../src/watches/watch-saved-view.ts";
import { chooseWatch } from "../../src/watches/manage-watches.ts";
import { notifyOptions, WATCH_NEEDS } from "../../src/watches/watch-command.ts";

const SUGGESTIONS = 25;

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
        return suggestOperators(text, Infinity)
          .filter(({ code }) => reported === undefined || reported.includes(code))
          .slice(0, SUGGESTIONS)
          .map(({ code, name }) => ({ name: `${name} (${code})`, value: name }));
      },
    },
    ping: notifyOptions.ping,
    where: notifyOptions.where,
  },
  async run({ options, services, ...asked }) {
    const { operator: typed, ...choice } = options;
    const operator = typed === undefined ? undefined : findOperator(typed)?.name;
    if (typed !== undefined && operator === undefined) {
      throw unknownOperator(typed);
    }
    const draft = await services.watches.draft(chooseWatch(asked, { kind: "network", operator }, choice));
    return watchPreviewView(draft, services.stations);
  },
});
