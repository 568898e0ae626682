// What the stream of `GET /events` tells.
import type { BotState } from "./bot.ts";
import type { TrafficEntry } from "./traffic.ts";

/** A message is new, or another than before, or gone. */
export interface MessageChange {
  readonly type: "message";
  readonly channelId: string;
  readonly messageId: string;
  readonly isNew: boolean;
  /** The id of the only person who sees it; null if everyone who sees the channel does. */
  readonly visibleTo: string | null;
}

/** `message` events of `GET /events`: something that a member would see, or that concerns the whole page. */
export type PageEvent =
  | MessageChange
  /** Guilds, channels or threads. */
  | { readonly type: "places" }
  | { readonly type: "commands" }
  /** After every turn. */
  | { readonly type: "clock"; readonly nowMs: number }
  | ({ readonly type: "bot" } & BotState);

/** `inspector` events of the same stream: what is new in the traffic, or once more when it is over. */
export interface InspectorEvent {
  readonly type: "traffic";
  readonly entry: TrafficEntry;
}
