// The sources as features ask them: for people and for boards, with what they answered kept for a while.
import { type TransportClient, createTransportClient } from "./transport-api/transport-client.ts";
import type { TransportConfig } from "../core/config.ts";
import type { Platform } from "../core/ports.ts";
import type { Budget } from "../plan/budget.ts";
import type { Purpose } from "../plan/spending-table.ts";
import { FRESH_MS, createAnswers } from "./answers.ts";
import { createRouter } from "./router.ts";

/** Boards look two hours ahead: after one, half of an old board is still to come. */
const STALE_MS = 60 * 60_000;
/** Stations and stops hardly ever move, and the terms let answers be kept as long as one likes. */
const PLACES_FRESH_MS = 12 * 60 * 60_000;
const PLACES_STALE_MS = 30 * 24 * 60 * 60_000;

export type Sources = ReturnType<typeof composeSources>;

export function composeSources({
  settings,
  budget,
  http,
  clock,
  log,
  meter,
}: Pick<Platform, "http" | "clock" | "log" | "meter"> & {
  readonly settings: TransportConfig;
  readonly budget: Budget;
}) {
  const clientFor = (purpose: Purpose): TransportClient =>
    createTransportClient({
      ...settings,
      http,
      clock,
      log,
      spend: (weight) => budget.take(purpose, weight),
      usedUp: (retryAfterMs) => budget.closeFor(retryAfterMs),
    });
  const transport = { person: clientFor("person"), board: clientFor("board") };
  const router = createRouter({
    sources: [
      {
        name: "transport",
        canAnswer: ({ crs }) => crs.length === 3,
        ownsTrain: (trainUid) => !trainUid.startsWith("ldb:"),
        clients: transport,
      },
    ],
    clock,
    log,
  });
  const answersOf = (cache: string, freshMs: number, staleMs: number) =>
    createAnswers({
      clock,
      freshMs,
      staleMs,
      noted: (outcome) => meter.count("cache_answers_total", { cache, outcome }),
    });
  return {
    person: router.clientFor("person"),
    /** Leaves people their share of each plan. */
    board: router.clientFor("board"),
    /** For people; what no other source can answer, e.g. journeys. */
    transport: transport.person,
    /** Shared: what one asks, the other need not. */
    answers: answersOf("trains", FRESH_MS, STALE_MS),
    placeAnswers: answersOf("places", PLACES_FRESH_MS, PLACES_STALE_MS),
  };
}
