import type { TransportRoute } from "../sources/transport-data.ts";
import { type Answers, type Staleness, stalenessOf } from "../sources/answers.ts";
import { type Place, type Places, onlyMatch } from "./places.ts";
import type { TransportClient } from "../sources/transport-api/transport-client.ts";
import { type Clock, currentInstant } from "../core/clock.ts";
import { type ServiceError, UserError, recover } from "../core/errors.ts";
import { quoteText } from "../core/text.ts";
import { UK_TIME_ZONE, byTime, isBefore, minutesBetween, startOfMinute } from "../time/uk-time.ts";
import { minute as minuteArg } from "../core/component-id.ts";
import type { DetailedRoute, createFindRouteDetails } from "./route-details.ts";
import { formatEnd } from "./journey-args.ts";
import { type PlaceRef, parsePlace } from "./parse-place.ts";
import { isOfOtherNetwork } from "../rail/other-networks.ts";
import type { Stations } from "../rail/stations.ts";

export type { TransportRoute as Route } from "../sources/transport-data.ts";

/** The planner understands it without a search. */
type KnownPlace = Exclude<PlaceRef, { readonly kind: "text" }>;

export interface JourneyEnd {
  readonly place: KnownPlace;
  /** e.g. `York`, `YO24 1AB`. */
  readonly name: string;
}

export interface JourneyQuestion {
  readonly from: JourneyEnd;
  readonly to: JourneyEnd;
  /** To the minute. */
  readonly at: Temporal.Instant;
  /** `at` is the latest arrival and not the earliest departure. */
  readonly arriveBy: boolean;
}

export interface JourneyPlan {
  readonly question: JourneyQuestion;
  /** By departure, without those that have left; empty if there is no route. */
  readonly routes: readonly TransportRoute[];
  /** The route to show in full, with the details that could be found; `undefined` if there is no route. */
  readonly shown: DetailedRoute | undefined;
  /** Set if it is too late to arrive by this time; the routes are then the next ones. */
  readonly missed: Temporal.Instant | undefined;
  readonly dataAt: Temporal.Instant;
  /** Set if the answer is older than it should be, because the service could not be asked again. */
  readonly stale: Staleness | undefined;
  /** The sources that the answer wants named besides the service itself. */
  readonly acknowledgements: string | undefined;
}

/** A station of our own list, or a place that the service knows. */
export interface EndChoice {
  readonly end: JourneyEnd;
  readonly detail: string | undefined;
}

export interface EndChoices {
  readonly kind: "choose";
  readonly text: string;
  readonly choices: readonly EndChoice[];
  /** The service has not been asked yet: the choices, if any, are stations of our own list. */
  readonly canSearch: boolean;
  /** The sources to name beside choices that come from the service. */
  readonly acknowledgements: string | undefined;
}

export type FoundEnd = { readonly kind: "found"; readonly end: JourneyEnd } | EndChoices;

export function endOfPlace({ crs, atco, name, latitude, longitude }: Place): JourneyEnd {
  if (crs !== undefined) {
    return endOfStation({ crs, name });
  }
  return atco === undefined
    ? { place: { kind: "point", latitude, longitude }, name }
    : { place: { kind: "stop", atcocode: atco }, name };
}

/** Nobody compares more routes than this on a phone. */
const MAX_ROUTES = 6;

/** A menu allows 25 choices, but fewer are quicker to read. The search follows as the last one. */
const STATIONS_OFFERED = 9;
const PLACES_OFFERED = 25;

/** A plan costs one request, plus a few for the route that it shows in full. Each search for a name costs one. */
export function createJourneys(deps: {
  readonly transport: Pick<TransportClient, "journeys">;
  readonly findRouteDetails: ReturnType<typeof createFindRouteDetails>;
  readonly answers: Pick<Answers, "ask">;
  readonly places: Pick<Places, "find">;
  readonly stations: Pick<Stations, "find" | "suggest" | "live">;
  readonly clock: Clock;
}) {
  const { transport, answers, places, findRouteDetails, stations, clock } = deps;

  async function findRoutes(question: JourneyQuestion, now: Temporal.Instant) {
    const { from, to, at, arriveBy } = question;
    const key = `journey ${keyOfPlace(from)} ${keyOfPlace(to)} ${arriveBy ? "by" : "at"} ${at.toString()}`;
    const asking = answers.ask(key, () =>
      transport.journeys({ from: from.place, to: to.place, at, arriveBy }),
    );
    const answer = await recover(asking, ["not-found", "rejected"], (error) => {
      throw explainError(error, question);
    });
    const { value } = answer;
    const inTime = value.routes
      .filter(
        ({ departsAt, arrivesAt }) => !isBefore(departsAt, now) && !(arriveBy && isBefore(at, arrivesAt)),
      )
      .toSorted(byTime(({ departsAt }) => departsAt));
    const routes = distinctRoutes(inTime);
    return {
      question,
      routes: arriveBy ? routes.slice(-MAX_ROUTES) : routes.slice(0, MAX_ROUTES),
      missed: undefined,
      dataAt: value.dataAt,
      stale: stalenessOf(answer),
      acknowledgements: value.acknowledgements,
    };
  }

  /** Whether the text names a known stop or station: then no similarly named railway station is meant. */
  const isFoundByService = (text: string): boolean =>
    isOfOtherNetwork(text) || stations.live.find(text) !== undefined;

  const stationsLike = (text: string) =>
    stations
      .suggest(text, STATIONS_OFFERED)
      .map((station) => ({ end: endOfStation(station), detail: `Station, ${station.crs}` }));

  /** If every route that arrives in time has left, finds the next ones instead. */
  async function findRemainingRoutes(question: JourneyQuestion, now: Temporal.Instant) {
    const plan = await findRoutes(question, now);
    if (!question.arriveBy || plan.routes.length > 0) {
      return plan;
    }
    const soonest = await findRoutes({ ...question, at: now, arriveBy: false }, now);
    const inTime = soonest.routes.filter(({ arrivesAt }) => !isBefore(question.at, arrivesAt));
    return inTime.length > 0
      ? { ...soonest, question, routes: inTime }
      : { ...soonest, missed: soonest.routes.length > 0 ? question.at : undefined };
  }

  return {
    /**
     * The route in full is the one with this `key`, otherwise the first to arrive (for `arriveBy`, the last
     * to leave), if possible without a long wait at night. Throws a UserError if the question makes no sense,
     * and a ServiceError as the client does.
     */
    async plan(asked: JourneyQuestion, key?: string): Promise<JourneyPlan> {
      const now = startOfMinute(currentInstant(clock));
      const plan = await findRemainingRoutes(checkedQuestion(asked, now), now);
      const { routes, question } = plan;
      const withoutNightWait = routes.filter((route) => nightWaitMinutes(route) === undefined);
      const usable = withoutNightWait.length > 0 ? withoutNightWait : routes;
      const preferred = question.arriveBy ? usable.at(-1) : usable.toSorted(compareArrivals)[0];
      const shown = routes.find((route) => routeKey(route) === key) ?? preferred;
      return {
        ...plan,
        shown:
          shown && (await findRouteDetails(shown, { from: crsOf(question.from), to: crsOf(question.to) })),
      };
    },

    /** Sends no request. For an unknown name, offers similar stations and a search. Throws a UserError. */
    read(text: string): FoundEnd {
      const place = parsePlace(text, stations);
      if (place.kind !== "text") {
        return { kind: "found", end: { place, name: nameOfPlace(place) } };
      }
      const { text: name } = place;
      const choices = isFoundByService(name) ? [] : stationsLike(name);
      return { kind: "choose", text: name, choices, canSearch: true, acknowledgements: undefined };
    },

    /** Asks the service. Throws a UserError if nothing has that name. */
    async search(text: string): Promise<FoundEnd> {
      const { places: found, acknowledgements } = await places.find(text);
      const only = onlyMatch(found, text);
      if (only) {
        return { kind: "found", end: endOfPlace(only) };
      }
      // For other names, similar stations were already offered before the search.
      const similarStations = isFoundByService(text) ? stationsLike(text) : [];
      const choices =
        found.length === 0
          ? similarStations
          : found.slice(0, PLACES_OFFERED).map((one) => ({ end: endOfPlace(one), detail: one.locality }));
      if (choices.length === 0) {
        throw new UserError(
          `I can't find “${quoteText(text)}” among stations, stops and towns. Try another spelling, or a postcode.`,
        );
      }
      return { kind: "choose", text, choices, canSearch: false, acknowledgements };
    },
  };
}

/** Identifies a route within a plan, also after a restart. */
export function routeKey({ departsAt, arrivesAt }: TransportRoute): string {
  return `${minuteArg.write(departsAt)}-${minuteArg.write(arrivesAt)}`;
}

/** Routes that look the same to a person would appear twice in the menu. */
function distinctRoutes(routes: readonly TransportRoute[]): readonly TransportRoute[] {
  return [...new Map(routes.toReversed().map((route) => [routeKey(route), route])).values()].toReversed();
}

/** If two arrive together, the one that leaves later comes first. */
function compareArrivals(a: TransportRoute, b: TransportRoute): number {
  return (
    Temporal.Instant.compare(a.arrivesAt, b.arrivesAt) || Temporal.Instant.compare(b.departsAt, a.departsAt)
  );
}

const NIGHT_WAIT_MINUTES = 150;

/** The longest wait, in minutes, that crosses midnight or begins before 04:00; `undefined` if it is under 2½ hours. */
export function nightWaitMinutes({ legs }: TransportRoute): number | undefined {
  const waits = legs.slice(1).map((leg, index) => {
    const since = legs[index]?.arrivesAt ?? leg.departsAt;
    const isNight = hourOf(leg.departsAt) < hourOf(since) || hourOf(since) < 4;
    return isNight ? minutesBetween(since, leg.departsAt) : 0;
  });
  const longest = Math.max(0, ...waits);
  return longest >= NIGHT_WAIT_MINUTES ? longest : undefined;
}

function hourOf(at: Temporal.Instant): number {
  return at.toZonedDateTimeISO(UK_TIME_ZONE).hour;
}

function crsOf({ place }: JourneyEnd): string | undefined {
  return place.kind === "station" ? place.crs : undefined;
}

/** Explains why the planner found nothing: stations exist, but a well-formed postcode or stop may not. */
function explainError(error: ServiceError, { from, to }: JourneyQuestion): Error {
  const doubtful = [from, to].filter(({ place }) => place.kind !== "station");
  if (doubtful.length === 0) {
    return error;
  }
  const names = doubtful.map(({ name }) => quoteText(name)).join(" or ");
  return new UserError(
    `The planner doesn't know ${names}. Check it, or try a station or another postcode nearby.`,
  );
}

function endOfStation({ crs, name }: { crs: string; name: string }): JourneyEnd {
  return { place: { kind: "station", crs, name }, name };
}

/** A past departure, from an old button, becomes now. Throws a UserError if no planner could answer. */
function checkedQuestion(question: JourneyQuestion, minute: Temporal.Instant): JourneyQuestion {
  if (keyOfPlace(question.from) === keyOfPlace(question.to)) {
    throw new UserError(
      `That's ${quoteText(question.from.name)} to ${quoteText(question.from.name)}. Pick a different destination.`,
    );
  }
  if (!isBefore(question.at, minute)) {
    return question;
  }
  if (question.arriveBy) {
    throw new UserError("That time has passed. Ask `/journey` again with a later one.");
  }
  return { ...question, at: minute };
}

/** A key that does not depend on how the place is written. */
function keyOfPlace(end: JourneyEnd): string {
  return formatEnd(end, 0);
}

/** A place's name for people; for coordinates, the numbers. */
function nameOfPlace(place: KnownPlace): string {
  switch (place.kind) {
    case "station":
      return place.name;
    case "postcode":
      return place.postcode;
    case "point":
      return `${place.latitude}, ${place.longitude}`;
    case "stop":
      return `stop ${place.atcocode}`;
  }
}
