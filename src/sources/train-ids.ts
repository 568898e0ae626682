// Names of trains, each of which belongs to the source that gave it.
import type { SourceName } from "./transport-data.ts";

/** Before the service's own id in those of rail data. */
export const RAIL_DATA_PREFIX = "ldb:";

/** The only source that can be asked about this train. */
export function sourceOfTrain(trainUid: string): SourceName {
  return trainUid.startsWith(RAIL_DATA_PREFIX) ? "rail-data" : "transport";
}

/** What the names of one train on the boards of several stations have in common: rail data adds the station to a number. */
export function commonTrainId(trainUid: string): string {
  return sourceOfTrain(trainUid) === "rail-data" ? trainUid.slice(0, RAIL_DATA_PREFIX.length + 7) : trainUid;
}
