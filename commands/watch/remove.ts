import { defineCommand } from "../../src/discord/define.ts";
import { watchesStoppedView, watchRemoveView } from "../../src/watches/watch-list-view.ts";
import { actorOf, WATCH_NEEDS } from "../../src/watches/watch-command.ts";

export default defineCommand({
  description: "Stop one or more of your watches",
  needs: WATCH_NEEDS,
  defer: "private",
  async run({ services, ...asked }) {
    return watchRemoveView(await services.watches.list(actorOf(asked)), services.stations);
  },
  selects: {
    remove: {
      async run({ chosen, services, ...asked }) {
        const stopped = [];
        for (const id of chosen) {
          stopped.push(await services.watches.remove(actorOf(asked), id));
        }
        return watchesStoppedView(stopped, services.stations);
      },
    },
  },
});
