// The watches that one may manage here. The buttons of every message about a watch end here too.
import { z } from "zod";
import { UserError } from "../../src/core/errors.ts";
import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import { watchArgsSchema } from "../../src/views/watch-args.ts";
import { watchCardView, watchesStoppedView, watchListView } from "../../src/views/watch-list-view.ts";
import { watchChangeForm } from "../../src/views/watch-saved-view.ts";
import { actorOf, WATCH_NEEDS, type WatchContext } from "./train.ts";

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
  description: "What you watch, with buttons to change it",
  needs: WATCH_NEEDS,
  defer: "private",
  run: (context) => showPage(context, 0),
  selects: {
    open: {
      args: z.object({}),
      async run({ chosen, services, ...asked }) {
        const watch = await services.watches.get(actorOf(asked), chosen[0] ?? "");
        return watchCardView(watch, services.stations);
      },
    },
  },
  buttons: {
    page: {
      args: z.object({ p: z.coerce.number().int().min(0) }),
      run: ({ args, ...context }) => showPage(context, args.p),
    },
    pause: { args: watchArgsSchema, answers: "reply", run: ({ args, ...context }) => pause(context, args.w) },
    resume: {
      args: watchArgsSchema,
      answers: "reply",
      run: ({ args, ...context }) => resume(context, args.w),
    },
    stop: { args: watchArgsSchema, answers: "reply", run: ({ args, ...context }) => stop(context, args.w) },
    cardPause: { args: watchArgsSchema, run: ({ args, ...context }) => pause(context, args.w) },
    cardResume: { args: watchArgsSchema, run: ({ args, ...context }) => resume(context, args.w) },
    cardStop: { args: watchArgsSchema, run: ({ args, ...context }) => stop(context, args.w) },
    change: {
      args: watchArgsSchema,
      run: async ({ args, services, ...asked }) =>
        watchChangeForm(await services.watches.get(actorOf(asked), args.w)),
    },
  },
  modals: {
    change: {
      args: watchArgsSchema,
      async run({ args, fields, services, ...asked }) {
        const watch = await services.watches.change(actorOf(asked), args.w, {
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
