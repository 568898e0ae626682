// Opens a train that somebody saw on a board.
import { Temporal } from "temporal-polyfill";
import type { TransportClient } from "../../clients/transport/client.ts";
import type { TransportTrain } from "../../clients/transport/transport-train.ts";
import type { Clock } from "../../core/clock.ts";
import { ServiceError, UserError } from "../../core/errors.ts";
import { UK_TIME_ZONE } from "../../core/uk-time.ts";
import { type Answer, type Answers, staleOf } from "../cache/answers.ts";
import { operatorName } from "../departures/operator-filter.ts";
import { locateTrain } from "./locate-train.ts";
import type { Trains, TrainSighting } from "./trains.ts";

/** What the service stands on. */
export interface TrainsDependencies {
  readonly transport: Pick<TransportClient, "board" | "train">;
  readonly answers: Pick<Answers, "ask">;
  readonly clock: Clock;
}

/** Makes the service. A train costs one request; one more where the board does not say its id, or its day. */
export function createTrains({ transport, answers, clock }: TrainsDependencies): Trains {
  async function identify(sighting: TrainSighting): Promise<Pick<TrainSighting, "trainUid" | "startDate">> {
    if (sighting.trainUid !== undefined) {
      return sighting;
    }
    const { crs, kind, aimedAt, place } = sighting;
    const found = await unlessNotFound(
      answers.ask(`sighting ${crs} ${kind} ${aimedAt.toString()}`, () =>
        transport.board({ crs, kind, from: aimedAt, windowMinutes: 10, limit: LOOK_ALIKES, live: false }),
      ),
    );
    const row = found?.value.rows.find((one) => one.aimedAt.equals(aimedAt) && one.place.startsWith(place));
    return { trainUid: row?.trainUid, startDate: row?.startDate };
  }

  async function ask(trainUid: string, startDate: Temporal.PlainDate): Promise<Answer<TransportTrain>> {
    return answers.ask(`train ${trainUid} ${startDate.toString()}`, () =>
      transport.train({ trainUid, startDate }),
    );
  }

  async function askFor({ trainUid, startDate }: Identified, sighting: TrainSighting) {
    try {
      return await (startDate === undefined
        ? askByDay(trainUid, sighting)
        : ask(trainUid, Temporal.PlainDate.from(startDate)));
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "not-found") {
        throw new UserError("The service knows nothing more of that train. Refresh its board and try again.");
      }
      throw error;
    }
  }

  /** A train of the small hours may have started the evening before. */
  async function askByDay(trainUid: string, sighting: TrainSighting): Promise<Answer<TransportTrain>> {
    const day = sighting.aimedAt.toZonedDateTimeISO(UK_TIME_ZONE).toPlainDate();
    const sameDay = await unlessNotFound(ask(trainUid, day));
    if (sameDay && !callsAtAnotherTime(sameDay.value, sighting)) {
      return sameDay;
    }
    const dayBefore = ask(trainUid, day.subtract({ days: 1 }));
    return sameDay ? ((await unlessNotFound(dayBefore)) ?? sameDay) : dayBefore;
  }

  return {
    async open(sighting) {
      const { trainUid, startDate } = await identify(sighting);
      if (trainUid === undefined) {
        throw new UserError(
          "The service does not say where that train calls. Its board shows all that is known of it.",
        );
      }
      const answer = await askFor({ trainUid, startDate }, sighting);
      const { value } = answer;
      const now = Temporal.Instant.fromEpochMilliseconds(clock.now());
      return {
        mode: value.mode,
        origin: value.origin ?? "",
        destination: value.destination ?? "",
        operator: operatorName(value),
        ...locateTrain(value.stops, now),
        dataAt: value.dataAt,
        stale: staleOf(answer),
      };
    },
  };
}

async function unlessNotFound<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === "not-found") {
      return undefined;
    }
    throw error;
  }
}

/** A train that runs every night is there at the same time of another day as well. */
function callsAtAnotherTime({ stops }: TransportTrain, { crs, aimedAt }: TrainSighting): boolean {
  const calls = stops.filter((stop) => stop.crs === crs);
  return (
    calls.length > 0 &&
    !calls.some(
      ({ aimedArrivalAt, aimedDepartureAt }) =>
        (aimedArrivalAt?.equals(aimedAt) ?? false) || (aimedDepartureAt?.equals(aimedAt) ?? false),
    )
  );
}

interface Identified {
  readonly trainUid: string;
  readonly startDate: string | undefined;
}

/** More trains leave no station within ten minutes. */
const LOOK_ALIKES = 100;
