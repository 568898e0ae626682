import type { BotState } from "./bot.ts";
import type { TrafficEntry } from "./traffic.ts";

export interface MessageChange {
  readonly type: "message";
  readonly channelId: string;
  readonly messageId: string;
  readonly isNew: boolean;
  /** The id of the only person who sees it; null if everyone who sees the channel does. */
  readonly visibleTo: string | null;
}

/** `message` events of `GET /events`: changes that a member would see, or that concern the whole page. */
export type PageEvent =
  | MessageChange
  /** Guilds, channels or threads changed. */
  | { readonly type: "places" }
  | { readonly type: "commands" }
  | { readonly type: "clock"; readonly nowMs: number }
  | ({ readonly type: "bot" } & BotState);

/** `inspector` events of the same stream: a new entry of the traffic, sent again when it is complete. */
export interface InspectorEvent {
  readonly type: "traffic";
  readonly entry: TrafficEntry;
}
