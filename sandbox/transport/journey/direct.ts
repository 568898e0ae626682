// Journeys without trains: on foot, or by bus, tube, tram and boat with at most one change.
import { metresBetween } from "../geography/position.ts";
import type { LocalMode } from "../local/local-line.ts";
import { bestPath, reachFrom } from "./crossings.ts";
import { routeOf } from "./leg.ts";
import type { Route } from "./leg.ts";
import { followAfter, followBefore, pathOf } from "./local-path.ts";
import type { LocalPath } from "./local-path.ts";
import type { JourneyQuestion } from "./plan.ts";

const MINUTE_MS = 60_000;
/** As the crow flies, in metres. */
const WALKED = 2_000;
const LOCAL = 25_000;

/** Several, one after the other; none where the way is too long. */
export function planDirect(question: JourneyQuestion, seed: number): readonly Route[] {
  const { from, to, modes } = question;
  const metres = metresBetween(from, to);
  const walked = metres <= WALKED ? [pathOf(from, to, [])] : [];
  const local = (["bus", "tube", "tram", "boat"] as const).filter((mode) => modes.has(mode));
  const ridden = metres <= LOCAL && metres > 400 ? localPath(question, local) : undefined;
  return [
    ...walked.flatMap((path) => follow(question, path, question.atMs, seed) ?? []),
    ...(ridden ? severalOf(question, ridden, seed) : []),
  ];
}

function localPath({ from, to }: JourneyQuestion, modes: readonly LocalMode[]): LocalPath | undefined {
  return bestPath(from, to, reachFrom(from, modes), modes);
}

function severalOf(question: JourneyQuestion, path: LocalPath, seed: number): readonly Route[] {
  const routes: Route[] = [];
  let atMs = question.atMs;
  while (routes.length < question.mostRoutes) {
    const route = follow(question, path, atMs, seed);
    if (!route) {
      break;
    }
    routes.push(route);
    atMs = question.isArrival ? route.arriveMs - MINUTE_MS : route.departMs + MINUTE_MS;
  }
  return routes;
}

function follow(
  { from, to, isArrival }: JourneyQuestion,
  path: LocalPath,
  atMs: number,
  seed: number,
): Route | undefined {
  const legs = isArrival ? followBefore(path, from, to, atMs, seed) : followAfter(path, from, to, atMs, seed);
  return legs && routeOf(legs);
}
