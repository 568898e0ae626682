// Handles the buttons that save or discard a draft, which all subcommands that make a watch show.
import { defineComponents } from "../../src/discord/define.ts";
import { watchDiscardedView, watchSavedView } from "../../src/watches/watch-saved-view.ts";
import { actorOf, onWatch, WATCH_NEEDS } from "../../src/watches/watch-command.ts";

export default defineComponents({
  needs: WATCH_NEEDS,
  buttons: {
    save: onWatch(async ({ services, ...asked }, id) =>
      watchSavedView(await services.watches.save(actorOf(asked), id), services.stations, true),
    ),
    discard: onWatch(async ({ services, ...asked }, id) => {
      await services.watches.discard(actorOf(asked), id);
      return watchDiscardedView();
    }),
  },
});
