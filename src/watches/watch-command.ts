// Shared by the subcommands of /watch.
import type { Reply } from "../core/reply.ts";
import { defineButton } from "../discord/define.ts";
import type { Answer, Context, Where } from "../discord/define/context.ts";
import type { Values } from "../discord/define/options.ts";
import { watchArgs } from "./watch-args.ts";
import { gapSentence } from "../boards/board-settings-words.ts";
import { emptyDayNote, watchPreviewView } from "./watch-saved-view.ts";
import type { WatchActor } from "./require-watch.ts";
import type { NewWatch } from "./watch-drafts.ts";
import {
  DEFAULT_DELAY_MINUTES,
  DEFAULT_LEAD_MINUTES,
  MIN_LEAD_MINUTES,
  MAX_DELAY_MINUTES,
  MAX_LEAD_MINUTES,
  type WatchSettings,
} from "./watches.ts";

export const WATCH_NEEDS = ["stations", "trains", "watches", "when"] as const;

export type WatchContext = Context<(typeof WATCH_NEEDS)[number]>;

export function actorOf({ caller, where }: Pick<WatchContext, "caller" | "where">): WatchActor {
  return { userId: caller.id, guildId: where.guildId };
}

export function onWatch(run: (context: WatchContext, id: string) => Answer | Promise<Answer>) {
  return defineButton(watchArgs, (context: WatchContext, { id }) => run(context, id));
}

/** /watch line and /watch disruptions use only `ping` and `where`. */
export const notifyOptions = {
  delay: {
    type: "integer",
    description: `Alert me from this many minutes late (default: ${DEFAULT_DELAY_MINUTES})`,
    min: 1,
    max: MAX_DELAY_MINUTES,
  },
  lead: {
    type: "integer",
    description: `Start checking this many minutes before departure (default: ${DEFAULT_LEAD_MINUTES})`,
    min: MIN_LEAD_MINUTES,
    max: MAX_LEAD_MINUTES,
  },
  ping: {
    type: "boolean",
    description: "Ping me when something goes wrong (default: yes in a direct message, no in a channel)",
  },
  where: {
    type: "string",
    description: "Where alerts appear (default: in a direct message)",
    choices: [
      { name: "In a direct message", value: "dm" },
      { name: "In this channel (for people who manage the server)", value: "here" },
    ],
  },
} as const;

/** Absent fields mean the default. */
type NotifyChoice = Partial<Values<typeof notifyOptions>>;

export function chooseWatch(
  { caller, where }: Pick<WatchContext, "caller" | "where">,
  what: WatchSettings["what"],
  choice: NotifyChoice,
): NewWatch {
  return {
    ownerId: caller.id,
    askedGuildId: where.guildId,
    // The bot can only post there if it is in the server.
    askedChannelId: where.guildId && where.channelId,
    ...targetOf(where, choice.where),
    settings: {
      what,
      delayMinutes: choice.delay ?? DEFAULT_DELAY_MINUTES,
      leadMinutes: choice.lead ?? DEFAULT_LEAD_MINUTES,
      ping: choosePing(where, choice),
    },
  };
}

export async function showWatchDraft(
  { services, ...asked }: WatchContext,
  what: WatchSettings["what"],
  choice: NotifyChoice,
  note?: string,
): Promise<Reply> {
  const { stations, watches } = services;
  const watch = chooseWatch(asked, what, choice);
  const draft = await watches.draft(watch);
  const [isWatched, emptyDay, gapMs] = await Promise.all([
    watches.isWatched(watch),
    watches.findEmptyDay(draft.settings),
    watches.estimateGap(draft),
  ]);
  return watchPreviewView(
    draft,
    stations,
    isWatched ? "You already watch this. If you save, these settings replace the old ones." : undefined,
    note ?? (emptyDay && emptyDayNote(emptyDay, stations)),
    gapMs === undefined ? undefined : gapSentence("watch", gapMs, "alert you late, or not at all"),
  );
}

/** By default only in DMs: in a channel, other people read the alert too. */
export function choosePing(where: Where, choice: NotifyChoice): boolean {
  return choice.ping ?? targetOf(where, choice.where).channelId === undefined;
}

/** Outside a server, `here` means a DM. */
function targetOf({ guildId, channelId }: Where, where: NotifyChoice["where"]): Where {
  return where === "here" && guildId !== undefined && channelId !== undefined
    ? { guildId, channelId }
    : { guildId: undefined, channelId: undefined };
}
