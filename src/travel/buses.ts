import type { BusDeparture, TransportBusStop } from "../sources/transport-data.ts";
import { type Answers, type Staleness, stalenessOf } from "../sources/answers.ts";
import type { PlaceRef } from "./parse-place.ts";
import { type FoundPlaces, type PlaceChoices, type Places, onlyMatch } from "./places.ts";
import { isLondonStop } from "../sources/tfl/tfl-client.ts";
import type { TransportClient } from "../sources/transport-api/transport-client.ts";
import { type Clock, currentInstant } from "../core/clock.ts";
import { ServiceError, UserError, isShareSpent, recover } from "../core/errors.ts";
import { quoteText } from "../core/text.ts";
import { isBefore, startOfMinute } from "../time/uk-time.ts";

export type { BusDeparture } from "../sources/transport-data.ts";

/** Buses that are still to come, by the time they are due. */
export interface BusBoard extends TransportBusStop {
  /** The current minute, from which the time until a bus comes is counted. */
  readonly now: Temporal.Instant;
  readonly stale: Staleness | undefined;
}

/** Enough for a busy stop's next hour; a page of them is shown at a time. */
const LIMIT = 40;

type BusSource = Pick<TransportClient, "busStop">;

/** Asks TfL about London's stops; otherwise, or if that fails, the transport service. Throws as they do. */
export function createBuses(deps: {
  readonly transport: BusSource;
  /** `undefined` if it is not set up. */
  readonly london: BusSource | undefined;
  readonly answers: Answers;
  readonly places: Places;
  readonly clock: Clock;
}) {
  const { transport, london, answers, places, clock } = deps;

  async function askStop(atco: string): Promise<TransportBusStop> {
    const question = { atco, limit: LIMIT };
    if (london && isLondonBusStop(atco)) {
      try {
        return await london.busStop(question);
      } catch (error) {
        if (!(error instanceof ServiceError) || isShareSpent(error)) {
          throw error;
        }
      }
    }
    return recover(transport.busStop(question), ["not-found"], () => {
      throw new UserError(
        `I don't know a bus stop with the code ${atco}. Type its name instead, or use \`/places\`.`,
      );
    });
  }

  return {
    /** Throws a UserError if there is no such stop. */
    async stop(atco: string): Promise<BusBoard> {
      const answer = await answers.ask(`bus-stop:${atco}`, () => askStop(atco));
      const now = startOfMinute(currentInstant(clock));
      const departures = answer.value.departures.filter((departure) => !isGone(departure, now));
      if (departures.length === 0 && answer.failure !== undefined) {
        // All its buses have left, so it does not say which come next.
        throw answer.failure;
      }
      // Transport for London's answer names the stop only if a bus is due.
      const known = answer.value.name === undefined ? places.knownStop(atco) : undefined;
      return {
        ...answer.value,
        ...(known && { name: known.name, locality: known.locality }),
        departures,
        now,
        stale: stalenessOf(answer),
      };
    },

    /** Finds a stop by code, by name, or near a place. Throws a UserError if there is none. */
    async findStop(ref: PlaceRef): Promise<{ readonly atco: string } | PlaceChoices> {
      if (ref.kind === "stop") {
        return { atco: ref.atcocode };
      }
      if (ref.kind === "text") {
        const stops = withCodes(await places.find(ref.text, "bus-stop"));
        const only = onlyMatch(stops.places, ref.text);
        return only?.atco === undefined
          ? choicesOf({ text: ref.text, isNear: false }, stops)
          : { atco: only.atco };
      }
      const near = await places.locate(ref);
      if ("choices" in near) {
        return near;
      }
      const stops = withCodes(await places.nearest(near, "bus-stop"));
      return choicesOf({ text: near.name, isNear: true }, stops);
    },
  };
}

/** ATCO codes in area 490 are London's bus stops. */
const isLondonBusStop = (atco: string): boolean => atco.startsWith("490") && isLondonStop(atco);

/** A bus has left a minute after its expected time, or two minutes after its aimed time without one. */
function isGone({ aimedAt, expectedAt }: BusDeparture, now: Temporal.Instant): boolean {
  const until = expectedAt ?? aimedAt?.add({ minutes: 1 });
  return until !== undefined && isBefore(until, now);
}

function withCodes({ places, ...rest }: FoundPlaces): FoundPlaces {
  return {
    ...rest,
    places: places.filter(({ kind, atco }) => kind === "bus-stop" && atco !== undefined),
  };
}

function choicesOf(
  { text, isNear }: { readonly text: string; readonly isNear: boolean },
  { places: choices, acknowledgements }: FoundPlaces,
): PlaceChoices {
  if (choices.length === 0) {
    const where = isNear ? `near ${text}` : `called “${quoteText(text)}”`;
    throw new UserError(
      `I can't find a bus stop ${where}. Try another spelling, a postcode, or \`/places\`.`,
    );
  }
  return { text, isNear, choices, acknowledgements };
}
