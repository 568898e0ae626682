// A place where something other than a train stops.
import type { Position } from "../geography/position.ts";

/** `ferry_terminal` is our own word: the service documents none. */
export type StopType = "bus_stop" | "tube_station" | "tram_stop" | "ferry_terminal";

export interface Stop extends Position {
  readonly type: StopType;
  readonly atcocode: string;
  /** e.g. `Mill Lane`. */
  readonly name: string;
  /** e.g. `stop P6`; `undefined` where stops have none. */
  readonly indicator: string | undefined;
  /** Which way its buses go, e.g. `NE`; `undefined` for what is no bus stop. */
  readonly bearing: string | undefined;
  /** e.g. `Acomb, York`. */
  readonly locality: string;
}

/** As lists of places name it, e.g. `Boar Lane (stop P6) - SE-bound`. */
export function formatStopName({ name, indicator, bearing }: Stop): string {
  const named = indicator === undefined ? name : `${name} (${indicator})`;
  return bearing === undefined ? named : `${named} - ${bearing}-bound`;
}
