import type { ClockControl } from "../clock/clock-control.ts";
import type { World } from "../world.ts";

export interface ControlParts extends Pick<
  World,
  "discord" | "clock" | "style" | "transport" | "railData" | "tfl" | "video" | "bot"
> {
  readonly clockControl: ClockControl;
}
