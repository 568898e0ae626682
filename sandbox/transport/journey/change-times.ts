// How long a change of trains takes: the more lines meet at a station, the further its platforms are apart.
import { LINES } from "../railway/network.ts";
import { STATIONS } from "../railway/stations.ts";

const MINUTE_MS = 60_000;

const linesAt = new Map<string, number>();
for (const line of LINES) {
  for (const { station } of line.stops) {
    linesAt.set(station.crs, (linesAt.get(station.crs) ?? 0) + 1);
  }
}
const times = STATIONS.map(({ crs }) => {
  const lines = linesAt.get(crs) ?? 0;
  return (lines >= 16 ? 10 : lines >= 8 ? 7 : lines >= 3 ? 5 : 4) * MINUTE_MS;
});

/** Between arriving and leaving at the station at this position in `STATIONS`. */
export function changeMs(station: number): number {
  return times[station] ?? 5 * MINUTE_MS;
}
