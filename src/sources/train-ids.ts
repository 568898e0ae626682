// The ids of trains. Each belongs to the source that gave it.
import type { SourceName } from "./transport-data.ts";

/** The prefix of rail data's ids; the service's own id follows. */
export const RAIL_DATA_PREFIX = "ldb:";

/** The only source that can be asked about this train. */
export function sourceOfTrain(trainUid: string): SourceName {
  return trainUid.startsWith(RAIL_DATA_PREFIX) ? "rail-data" : "transport";
}

/** The part of an id that is the same on every station's board: rail data adds the station to a number. */
export function commonTrainId(trainUid: string): string {
  return sourceOfTrain(trainUid) === "rail-data" ? trainUid.slice(0, RAIL_DATA_PREFIX.length + 7) : trainUid;
}
