// What the control routes stand on.
import type { TurnedClock } from "../clock.ts";
import type { LocalDiscord } from "../discord/server.ts";

export interface ControlParts {
  readonly discord: LocalDiscord;
  readonly clock: TurnedClock;
}
