// What the control routes stand on.
import type { TurnedClock } from "../clock.ts";
import type { LocalDiscord } from "../discord/server.ts";
import type { TrainOrders } from "../transport/railway/orders.ts";

export interface ControlParts {
  readonly discord: LocalDiscord;
  readonly clock: TurnedClock;
  readonly trains: TrainOrders;
}
