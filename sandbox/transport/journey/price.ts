// What a journey costs, for the shape that has prices: invented, but dearer when it is further and at rush hour.
import { distanceKm } from "../railway/stations.ts";
import { hash } from "../railway/chance.ts";
import { formatUkDate, formatUkTime } from "../railway/uk-time.ts";
import type { Route } from "./leg.ts";

/** In pounds; `undefined` for what has none, which is a route now and then, and any without a train. */
export function priceOf(route: Route): number | undefined {
  const trains = route.legs.flatMap(({ ride }) => ride ?? []);
  if (trains.length === 0 || hash(route.departMs, route.arriveMs, "price") % 4 === 0) {
    return undefined;
  }
  let km = 0;
  for (const { train, board, alight } of trains) {
    const from = train.calls[board]?.station;
    const to = train.calls[alight]?.station;
    km += from && to ? distanceKm(from, to) : 0;
  }
  const time = formatUkTime(route.departMs);
  const isWeekday = ![0, 6].includes(new Date(`${formatUkDate(route.departMs)}T12:00:00Z`).getUTCDay());
  const isPeak = isWeekday && ((time >= "06:30" && time < "09:30") || (time >= "16:00" && time < "19:00"));
  // The further, the less for each kilometre.
  const pounds = 2.4 + 0.42 * km ** 0.93 * (isPeak ? 1.45 : 1);
  return Math.round(pounds * 10) / 10;
}
