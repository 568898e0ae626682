// Lists the watches that the person may manage here. Also handles the buttons of every message about a watch.
import { UserError } from "../../src/core/errors.ts";
import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { quoteText } from "../../src/core/text.ts";
import { pageArgs } from "../../src/core/pages.ts";
import { watchArgs } from "../../src/watches/watch-args.ts";
import { actorOf, onWatch, WATCH_NEEDS, type WatchContext } from "../../src/watches/watch-command.ts";
import { watchCardView, watchesStoppedView, watchListView } from "../../src/watches/watch-list-view.ts";
import { isAboutTrains } from "../../src/watches/watches.ts";
import { watchChangeForm } from "../../src/watches/watch-saved-view.ts";

async function showPage({ services, ...asked }: WatchContext, page: number): Promise<Reply> {
  return watchListView(await services.watches.list(actorOf(asked)), page, services.stations);
}

/** A button that changes a watch and shows its card. */
function changeButton(change: "pause" | "resume" | "bringBack", done: string) {
  return onWatch(async ({ services, ...asked }, id) =>
    watchCardView(await services.watches[change](actorOf(asked), id), services.stations, done),
  );
}

const pause = changeButton("pause", "Paused. You won't hear from me about it until you resume it.");
const resume = changeButton("resume", "I'm watching it again.");
const stop = onWatch(async ({ services, ...asked }, id) =>
  watchesStoppedView([await services.watches.remove(actorOf(asked), id)], services.stations),
);

export default defineCommand({
  description: "See your watches, with buttons to change them",
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
    pause: { ...pause, answers: "private" },
    resume: { ...resume, answers: "private" },
    stop: { ...stop, answers: "private" },
    cardPause: pause,
    cardResume: resume,
    cardStop: stop,
    change: onWatch(async ({ services, ...asked }, id) => {
      const { settings } = await services.watches.get(actorOf(asked), id);
      return watchChangeForm(id, settings);
    }),
    undo: { ...changeButton("bringBack", "It's back."), answers: "private" },
  },
  modals: {
    change: {
      args: watchArgs,
      async run({ args, fields, services, ...asked }) {
        const [delay = "", lead = ""] = [fields["delay"], fields["lead"]].map((typed) => typed?.[0]?.trim());
        const ping = fields["ping"]?.[0] === "yes";
        // Access is checked first: typing again can correct a number, but not make another person's watch theirs.
        const { settings } = await services.watches.get(actorOf(asked), args.id);
        const change = isAboutTrains(settings.what)
          ? { delayMinutes: wholeNumber(delay), leadMinutes: wholeNumber(lead), ping }
          : { ping };
        const watch = await services.watches.change(actorOf(asked), args.id, change);
        return watchCardView(watch, services.stations, "Changed.");
      },
    },
  },
});

function wholeNumber(typed: string): number {
  if (!/^\d{1,3}$/.test(typed)) {
    throw new UserError(`“${quoteText(typed)}” isn't a number of minutes. Type one like 10.`);
  }
  return Number(typed);
}
