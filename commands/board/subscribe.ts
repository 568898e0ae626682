import { defineCommand } from "../../src/discord/define.ts";
import { BOARD_NEEDS, choiceOf, settingsOptions, showDraft } from "../../src/boards/board-command.ts";
import { boardOptions } from "../../src/rail/board-command.ts";
import { requiredLiveStation } from "../../src/rail/station-options.ts";

function withDefault<O extends { readonly description: string }>(option: O, usual: string) {
  return { ...option, description: `${option.description} (default: ${usual})` };
}

export default defineCommand({
  description: "Keep a departure board in a channel",
  needs: BOARD_NEEDS,
  defer: "private",
  options: {
    station: requiredLiveStation,
    ...settingsOptions,
    match: withDefault(settingsOptions.match, "any"),
    kind: withDefault(settingsOptions.kind, "departures"),
    rows: boardOptions.rows,
    view: boardOptions.view,
    mode: withDefault(settingsOptions.mode, "one message"),
    every: withDefault(settingsOptions.every, "every 5 minutes; every minute for London's lines"),
    days: withDefault(settingsOptions.days, "every day"),
    channel: withDefault(settingsOptions.channel, "this one"),
  },
  run(context) {
    const { station, ...rest } = context.options;
    const settings = context.services.boards.choose({ ...choiceOf(rest), station });
    return showDraft(context, settings, rest.channel?.id);
  },
});
