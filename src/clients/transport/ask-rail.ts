// The client's verbs for travelling by rail beyond boards: journeys, and one train's calling points.
import { Temporal } from "temporal-polyfill";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Ask, TransportDialect } from "./ask.ts";
import { formatJourneyRequest } from "./journey-request.ts";
import { journeySchema } from "./journey-schema.ts";
import { readJourneys } from "./read-journey.ts";
import { readTrain } from "./read-train.ts";
import { TRANSPORT } from "./refusal.ts";
import { formatTrainRequest } from "./train-request.ts";
import { trainSchema } from "./train-schema.ts";
import type { TransportJourneyQuestion, TransportJourneys } from "./transport-journey.ts";
import type { TransportTrain, TransportTrainQuestion } from "./transport-train.ts";

/** Verbs of the client; each is one request and throws as {@link Ask} does. */
export interface RailVerbs {
  /** Ways from one place to another. */
  journeys(question: TransportJourneyQuestion): Promise<TransportJourneys>;
  /** One train's calling points, live where the service knows more than its timetable. */
  train(question: TransportTrainQuestion): Promise<TransportTrain>;
}

/** Makes the verbs for one account. `log` is told when routes of an answer could not be used. */
export function createRailVerbs({
  ask,
  dialect,
  clock,
  log,
}: {
  ask: Ask;
  dialect: TransportDialect;
  clock: Clock;
  log: Log;
}): RailVerbs {
  const now = (): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(clock.now());
  return {
    async journeys(question) {
      const body = await ask("journey", formatJourneyRequest(question, dialect, now()), journeySchema);
      const { journeys, skippedRoutes } = readJourneys(body, question, now());
      if (skippedRoutes > 0) {
        log.warn({ service: TRANSPORT, skippedRoutes }, "routes of a journey could not be used");
      }
      return journeys;
    },
    async train(question) {
      const body = await ask("train", formatTrainRequest(question, dialect), trainSchema);
      return readTrain(body, question, now());
    },
  };
}
