// A stream of events that say that something changed. The other routes return its new state.
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { Change } from "../discord/changes.ts";
import { ACKNOWLEDGE_WITHIN_MS } from "../discord/rules/interactions.ts";
import type { InspectorEvent, PageEvent } from "./api/events.ts";
import { formatBot } from "./bot-routes.ts";
import type { ControlParts } from "./parts.ts";
import { isUnanswered } from "./traffic/findings.ts";
import { formatNote } from "./traffic/format-note.ts";

/** Streams `message` events for changes that a member would notice, and `inspector` events for the traffic. */
export function streamEvents(parts: ControlParts, context: Context): Response {
  const { discord, clock, bot } = parts;
  return streamSSE(context, async (stream) => {
    const send = (event: PageEvent) => void stream.writeSSE({ data: JSON.stringify(event) });
    const listening = [
      discord.changes.listen((change) => {
        const event = pageEventOf(change);
        if (event !== undefined) {
          send(event);
        }
      }),
      clock.onChange(({ nowMs }) => send({ type: "clock", nowMs })),
      bot.onChange(() => send({ type: "bot", ...formatBot(bot) })),
      listenToTraffic(parts, (event) => {
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

/** Returns a function that stops listening. */
function listenToTraffic(
  { discord, clock }: ControlParts,
  send: (event: InspectorEvent) => void,
): () => void {
  const waits = new Set<() => void>();

  const stop = discord.traffic.listen((note) => {
    const entry = formatNote(discord, note);
    send({ type: "traffic", entry });
    const { interactionId } = entry;
    if (entry.kind === "gateway" && entry.name === "INTERACTION_CREATE" && interactionId !== null) {
      // Sent again once it is certain that the bot has not answered in time.
      const cancel = clock.after(ACKNOWLEDGE_WITHIN_MS, () => {
        waits.delete(cancel);
        if (isUnanswered(discord, interactionId)) {
          send({ type: "traffic", entry: formatNote(discord, note) });
        }
      });
      waits.add(cancel);
    }
  });

  return () => {
    stop();
    waits.forEach((cancel) => cancel());
  };
}

/** `undefined` if no member can see the change. */
function pageEventOf(change: Change): PageEvent | undefined {
  if ("message" in change) {
    const { channelId, id, visibleTo = null } = change.message;
    const isNew = change.type === "message-created";
    return { type: "message", channelId, messageId: id, isNew, visibleTo };
  }
  if ("interaction" in change) {
    return undefined;
  }
  const isOfCommands = change.type === "commands-changed" || change.type === "command-permissions-changed";
  return { type: isOfCommands ? "commands" : "places" };
}
