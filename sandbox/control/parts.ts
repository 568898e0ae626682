// What the control routes stand on.
import type { BotControl } from "../bot/control.ts";
import type { ClockPace } from "../clock/pace.ts";
import type { TurnedClock } from "../clock/clock.ts";
import type { LocalDiscord } from "../discord/server.ts";
import type { RailDataStandIn } from "../rail-data/server.ts";
import type { StyleStandIn } from "../style/server.ts";
import type { TflStandIn } from "../tfl/server.ts";
import type { TransportStandIn } from "../transport/server.ts";
import type { VideoStandIn } from "../video/server.ts";

export interface ControlParts {
  readonly discord: LocalDiscord;
  readonly clock: TurnedClock;
  readonly pace: ClockPace;
  readonly style: StyleStandIn;
  readonly transport: TransportStandIn;
  readonly railData: RailDataStandIn;
  readonly tfl: TflStandIn;
  readonly video: VideoStandIn;
  readonly bot: BotControl;
}
