// What the stream of `GET /events` tells.
import type { BotState } from "./bot.ts";
import type { ClockRate } from "./clock.ts";
import type { ActiveFault } from "./faults.ts";
import type { Service } from "./targets.ts";
import type { TrafficEntry } from "./traffic.ts";

/** `message` events of `GET /events`: something that a member would see, or that concerns the whole page. */
export type PageEvent =
  | {
      readonly type: "message-created" | "message-updated" | "message-deleted";
      readonly channelId: string;
      readonly messageId: string;
    }
  | {
      readonly type: "interaction-changed" | "thread-created" | "thread-updated" | "thread-deleted";
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
  /** After every turn, and every second or so while time runs fast. */
  | { readonly type: "clock"; readonly nowMs: number; readonly rate: ClockRate }
  | ({ readonly type: "bot" } & BotState);

/** `inspector` events of the same stream. */
export type InspectorEvent =
  /** New, or once more when it is over. */
  | { readonly type: "traffic"; readonly entry: TrafficEntry }
  /** Something changed there: ask for its ledger when it is on view. */
  | { readonly type: "ledger"; readonly service: Service }
  | { readonly type: "faults"; readonly active: readonly ActiveFault[] };
