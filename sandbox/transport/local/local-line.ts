// Lines of buses, tubes, trams and boats: one direction of one line, with its stops and how often it runs.
import type { Stop } from "./stop.ts";

export type LocalMode = "bus" | "tube" | "tram" | "boat";

export interface LocalLine {
  /** Position among all local lines; part of what its trips are. */
  readonly id: number;
  readonly mode: LocalMode;
  /** e.g. `4A`, `Victoria`. */
  readonly name: string;
  readonly operator: string;
  readonly operatorName: string;
  /** The postcode area whose buses these are; `undefined` for what is no bus. */
  readonly areaCode: string | undefined;
  readonly dir: "outbound" | "inbound";
  /** What stands on its front, e.g. `City Centre, York`. */
  readonly towards: string;
  readonly stops: readonly Stop[];
  /** Minutes after the first stop, one for each stop. */
  readonly minutes: readonly number[];
  readonly everyMinutes: number;
  /** Minutes past midnight at which the first and at the latest the last trip leaves its first stop. */
  readonly firstMinute: number;
  readonly lastMinute: number;
}

/** A line as the lists of tubes, trams and boats write it, before it has a number. */
export type UnnumberedLine = Omit<LocalLine, "id">;

/** Both directions of a line whose stops serve both. */
export function bothWays(line: Omit<UnnumberedLine, "dir" | "towards">): readonly UnnumberedLine[] {
  const length = line.minutes.at(-1) ?? 0;
  return [
    { ...line, dir: "outbound", towards: line.stops.at(-1)?.name ?? "" },
    {
      ...line,
      dir: "inbound",
      towards: line.stops[0]?.name ?? "",
      stops: line.stops.toReversed(),
      minutes: line.minutes.map((minute) => length - minute).toReversed(),
    },
  ];
}
