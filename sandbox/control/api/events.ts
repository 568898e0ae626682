// What the stream of `GET /events` tells.
import type { BotState } from "./bot.ts";
import type { TrafficEntry } from "./traffic.ts";

/** `message` events of `GET /events`: something that a member would see, or that concerns the whole page. */
export type PageEvent =
  | {
      readonly type: "message-created" | "message-updated" | "message-deleted";
      readonly channelId: string;
      readonly messageId: string;
    }
  | {
      readonly type: "interaction-changed" | "thread-created" | "thread-updated";
      readonly channelId: string;
    }
  | {
      readonly type:
        | "channel-created"
        | "channel-deleted"
        | "command-permissions-changed"
        | "commands-changed"
        | "guild-joined"
        | "guild-left";
    }
  /** After every turn. */
  | { readonly type: "clock"; readonly nowMs: number }
  | ({ readonly type: "bot" } & BotState);

/** `inspector` events of the same stream: what is new in the traffic, or once more when it is over. */
export interface InspectorEvent {
  readonly type: "traffic";
  readonly entry: TrafficEntry;
}
