// A stream of signs that something changed; what it is now, the view tells.
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { Change } from "../discord/changes.ts";
import type { ControlParts } from "./parts.ts";

/** A `message` event for every change: `{ type, channelId?, messageId? }`. */
export function streamEvents({ discord, clock }: ControlParts, context: Context): Response {
  return streamSSE(context, async (stream) => {
    const send = (data: object) => stream.writeSSE({ data: JSON.stringify(data) });
    const stopListening = [
      discord.changes.listen((change) => void send(signOf(change))),
      clock.onTurn(({ nowMs }) => void send({ type: "clock", nowMs })),
    ];
    await new Promise<void>((resolve) => {
      stream.onAbort(resolve);
    });
    for (const stop of stopListening) {
      stop();
    }
  });
}

function signOf(change: Change): object {
  switch (change.type) {
    case "message-created":
    case "message-updated":
    case "message-deleted":
      return { type: change.type, channelId: change.message.channelId, messageId: change.message.id };
    case "interaction-changed":
      return { type: change.type, channelId: change.interaction.channelId };
    case "thread-created":
    case "thread-updated":
    case "thread-deleted":
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
