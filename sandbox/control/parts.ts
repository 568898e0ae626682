// What the control routes stand on.
import type { ClockPace } from "../clock/pace.ts";
import type { World } from "../world.ts";

export interface ControlParts extends Pick<
  World,
  "discord" | "clock" | "style" | "transport" | "railData" | "tfl" | "video" | "bot"
> {
  readonly pace: ClockPace;
}
