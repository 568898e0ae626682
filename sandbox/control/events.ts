// A stream of signs that something changed; what it is now, the other routes tell.
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { Change } from "../discord/changes.ts";
import { ACKNOWLEDGE_WITHIN_MS } from "../discord/rules/interactions.ts";
import type { TrafficNote } from "../discord/traffic.ts";
import type { InspectorEvent, PageEvent } from "./api/events.ts";
import { formatBot } from "./bot-routes.ts";
import type { ControlParts } from "./parts.ts";
import { isUnanswered } from "./traffic/findings.ts";
import { formatNote } from "./traffic/format-note.ts";

type Tell<Event> = (event: Event) => void;

/** What ends the hearing of each source. */
type Listening = (() => unknown)[];

/** `message` events for what a member would notice, `inspector` events for what goes on behind. */
export function streamEvents(parts: ControlParts, context: Context): Response {
  return streamSSE(context, async (stream) => {
    const listening = [
      ...listenForPage(parts, (event) => void stream.writeSSE({ data: JSON.stringify(event) })),
      ...listenForInspector(parts, (event) => {
        void stream.writeSSE({ event: "inspector", data: JSON.stringify(event) });
      }),
    ];
    await new Promise<void>((resolve) => {
      stream.onAbort(resolve);
    });
    for (const stop of listening) {
      stop();
    }
  });
}

function listenForPage({ discord, clock, bot }: ControlParts, tell: Tell<PageEvent>): Listening {
  return [
    discord.changes.listen((change) => tell(signOf(change))),
    clock.onTurn(({ nowMs }) => tell({ type: "clock", nowMs })),
    bot.onChange(() => tell({ type: "bot", ...formatBot(bot) })),
  ];
}

function listenForInspector({ discord, clock }: ControlParts, tell: Tell<InspectorEvent>): Listening {
  const waits = new Set<() => void>();

  function tellNote(note: TrafficNote): void {
    const entry = formatNote(discord, note);
    tell({ type: "traffic", entry });
    const { interactionId } = entry;
    if (entry.kind === "gateway" && entry.name === "INTERACTION_CREATE" && interactionId !== null) {
      // Told again once it is known that nobody answers.
      const cancel = clock.after(ACKNOWLEDGE_WITHIN_MS, () => {
        waits.delete(cancel);
        if (isUnanswered(discord, interactionId)) {
          tell({ type: "traffic", entry: formatNote(discord, note) });
        }
      });
      waits.add(cancel);
    }
  }

  return [
    discord.traffic.listen(tellNote),
    () => {
      for (const cancel of waits) {
        cancel();
      }
    },
  ];
}

function signOf(change: Change): PageEvent {
  switch (change.type) {
    case "message-created":
    case "message-updated":
    case "message-deleted":
      return { type: change.type, channelId: change.message.channelId, messageId: change.message.id };
    case "interaction-changed":
      return { type: change.type, channelId: change.interaction.channelId };
    case "thread-created":
    case "thread-updated":
      return { type: change.type, channelId: change.channel.id };
    case "channel-created":
    case "channel-deleted":
    case "command-permissions-changed":
    case "commands-changed":
    case "guild-joined":
    case "guild-left":
      return { type: change.type };
  }
}
