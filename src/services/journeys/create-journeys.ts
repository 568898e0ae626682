// Plans journeys, and finds out what people mean by their ends.
import { Temporal } from "temporal-polyfill";
import type { TransportClient } from "../../clients/transport/client.ts";
import type { TransportJourneys } from "../../clients/transport/transport-journey.ts";
import type { Clock } from "../../core/clock.ts";
import { ServiceError, type ServiceErrorKind, UserError } from "../../core/errors.ts";
import { quoteText } from "../../core/quote-text.ts";
import { startOfMinute } from "../../core/uk-time.ts";
import { type Answers, staleOf } from "../cache/answers.ts";
import { onlyMatch } from "../places/only-match.ts";
import { parsePlace } from "../places/parse-place.ts";
import type { Places } from "../places/places.ts";
import type { Stations } from "../stations/stations.ts";
import { askOrHeld } from "./ask-or-held.ts";
import { keyOfPlace, nameOfPlace } from "./known-place.ts";
import { endOfPlace, type JourneyEnd, type JourneyQuestion, type Journeys, type Route } from "./journeys.ts";

/** What the service stands on. */
export interface JourneysDependencies {
  readonly transport: Pick<TransportClient, "journeys">;
  readonly answers: Pick<Answers, "ask" | "held">;
  readonly places: Pick<Places, "find">;
  readonly stations: Pick<Stations, "find" | "suggest">;
  readonly clock: Clock;
}

/** A menu takes 25 choices; fewer are read sooner, and the last one is the search. */
const STATIONS_OFFERED = 9;
const PLACES_OFFERED = 25;

/** Makes the service. A plan costs one request, and so does each name that is no station's. */
export function createJourneys({
  transport,
  answers,
  places,
  stations,
  clock,
}: JourneysDependencies): Journeys {
  return {
    async plan(asked) {
      const question = checkedQuestion(asked, Temporal.Instant.fromEpochMilliseconds(clock.now()));
      const { from, to, at, arriveBy } = question;
      const isLeft = ({ departsAt }: Route): boolean => Temporal.Instant.compare(departsAt, at) >= 0;
      const answer = await askOrHeld<Planned>(
        answers,
        {
          keyPrefix: keyPrefixOf(question),
          key: at.toString(),
          isUseful: (kept) =>
            !arriveBy && Temporal.Instant.compare(kept.at, at) <= 0 && kept.plan.routes.some(isLeft),
        },
        async () => {
          const plan = await transport.journeys({ from: from.place, to: to.place, at, arriveBy });
          return { at, plan };
        },
      ).catch((error: unknown) => {
        throw explained(error, question);
      });
      const { plan: value, at: askedAt } = answer.value;
      const inTime = value.routes.filter((route) =>
        arriveBy ? Temporal.Instant.compare(route.arrivesAt, at) <= 0 : askedAt.equals(at) || isLeft(route),
      );
      return {
        question,
        routes: inTime.toSorted((a, b) => Temporal.Instant.compare(a.departsAt, b.departsAt)),
        dataAt: value.dataAt,
        stale: staleOf(answer),
        acknowledgements: value.acknowledgements,
      };
    },

    read(text) {
      const place = parsePlace(text, stations);
      if (place.kind !== "text") {
        return { kind: "found", end: { place, name: nameOfPlace(place) } };
      }
      const near = stations.suggest(place.text, STATIONS_OFFERED);
      return {
        kind: "choose",
        text: place.text,
        choices: [
          ...near.map(({ crs, name }) => ({
            kind: "end" as const,
            end: { place: { kind: "station" as const, crs, name }, name },
            detail: `Station, ${crs}`,
          })),
          { kind: "search", text: place.text },
        ],
        acknowledgements: undefined,
      };
    },

    async search(text) {
      const { places: found, acknowledgements } = await places.find(text);
      const only = onlyMatch(found, text);
      if (only) {
        return { kind: "found", end: endOfPlace(only) };
      }
      if (found.length === 0) {
        const station = stations.find(text);
        if (station) {
          return { kind: "found", end: endOfStation(station) };
        }
        throw new UserError(
          `I can't find “${quoteText(text)}” among stations, stops and towns. Try another spelling, or a postcode.`,
        );
      }
      return {
        kind: "choose",
        text,
        choices: found
          .slice(0, PLACES_OFFERED)
          .map((one) => ({ kind: "end", end: endOfPlace(one), detail: one.locality })),
        acknowledgements,
      };
    },
  };
}

/** Stations are known; a postcode or a stop that is well formed may still not exist. */
function explained(error: unknown, { from, to }: JourneyQuestion): unknown {
  const doubtful = [from, to].filter(({ place }) => place.kind !== "station");
  if (!(error instanceof ServiceError) || !UNKNOWN.has(error.kind) || doubtful.length === 0) {
    return error;
  }
  const names = doubtful.map(({ name }) => quoteText(name)).join(" or ");
  return new UserError(
    `The planner does not know ${names}. Check it, or try a station or another postcode nearby.`,
  );
}

const UNKNOWN: ReadonlySet<ServiceErrorKind> = new Set(["not-found", "rejected"]);

function endOfStation({ crs, name }: { crs: string; name: string }): JourneyEnd {
  return { place: { kind: "station", crs, name }, name };
}

/** Refuses what needs no planner to be told apart; a departure that an old button remembers becomes now. */
function checkedQuestion(question: JourneyQuestion, now: Temporal.Instant): JourneyQuestion {
  if (keyOfPlace(question.from.place) === keyOfPlace(question.to.place)) {
    throw new UserError(
      `You are at ${quoteText(question.from.name)} already: both ends are the same. Pick another place to go to.`,
    );
  }
  const minute = startOfMinute(now);
  if (Temporal.Instant.compare(question.at, minute) >= 0) {
    return question;
  }
  if (question.arriveBy) {
    throw new UserError("That time has passed. Ask `/journey` again with a later one.");
  }
  return { ...question, at: minute };
}

/** Ways, and the time that they were asked for. */
interface Planned {
  readonly at: Temporal.Instant;
  readonly plan: TransportJourneys;
}

function keyPrefixOf({ from, to, arriveBy }: JourneyQuestion): string {
  return `journey ${keyOfPlace(from.place)} ${keyOfPlace(to.place)} ${arriveBy ? "by" : "at"} `;
}
