// The watches that one may manage here. The buttons of every message about a watch end here too.
import { UserError } from "../../src/core/errors.ts";
import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { pageArgs } from "../../src/core/pages.ts";
import { watchArgs } from "../../src/watches/watch-args.ts";
import { actorOf, onWatch, WATCH_NEEDS, type WatchContext } from "../../src/watches/watch-command.ts";
import { watchCardView, watchesStoppedView, watchListView } from "../../src/watches/watch-list-view.ts";
import { watchChangeForm } from "../../src/watches/watch-saved-view.ts";

async function showPage({ services, ...asked }: WatchContext, page: number): Promise<Reply> {
  return watchListView(await services.watches.list(actorOf(asked)), page, services.stations);
}

async function pause({ services, ...asked }: WatchContext, id: string): Promise<Reply> {
  const watch = await services.watches.pause(actorOf(asked), id);
  return watchCardView(watch, services.stations, "Paused. I say nothing more until you resume it.");
}

async function resume({ services, ...asked }: WatchContext, id: string): Promise<Reply> {
  const watch = await services.watches.resume(actorOf(asked), id);
  return watchCardView(watch, services.stations, "I am watching again.");
}

async function stop({ services, ...asked }: WatchContext, id: string): Promise<Reply> {
  return watchesStoppedView([await services.watches.remove(actorOf(asked), id)], services.stations);
}

export default defineCommand({
  description: "See what you watch, with buttons to change it",
  needs: WATCH_NEEDS,
  defer: "private",
  run: (context) => showPage(context, 0),
  selects: {
    open: {
      async run({ chosen, services, ...asked }) {
        const watch = await services.watches.get(actorOf(asked), chosen[0] ?? "");
        return watchCardView(watch, services.stations);
      },
    },
  },
  buttons: {
    page: {
      args: pageArgs,
      run: ({ args, ...context }) => showPage(context, args.page),
    },
    pause: { ...onWatch(pause), answers: "reply" },
    resume: { ...onWatch(resume), answers: "reply" },
    stop: { ...onWatch(stop), answers: "reply" },
    cardPause: onWatch(pause),
    cardResume: onWatch(resume),
    cardStop: onWatch(stop),
    change: onWatch(async ({ services, ...asked }, id) =>
      watchChangeForm(await services.watches.get(actorOf(asked), id)),
    ),
  },
  modals: {
    change: {
      args: watchArgs,
      async run({ args, fields, services, ...asked }) {
        const watch = await services.watches.change(actorOf(asked), args.id, {
          delayMinutes: wholeNumber(fields["delay"]),
          leadMinutes: wholeNumber(fields["lead"]),
          ping: fields["ping"]?.[0] === "yes",
        });
        return watchCardView(watch, services.stations, "Changed.");
      },
    },
  },
});

function wholeNumber(typed: readonly string[] | undefined): number {
  const text = typed?.[0]?.trim() ?? "";
  if (!/^\d{1,3}$/.test(text)) {
    throw new UserError("Type minutes as a number, e.g. 10.");
  }
  return Number(text);
}
