import type { TransportDialect, TransportRequest } from "./ask.ts";
import type { TransportTrainQuestion } from "./transport-train.ts";

/** Writes the question for one train's calling points in a dialect's terms; the specification leaves its path open. */
export function formatTrainRequest(
  { trainUid, startDate }: TransportTrainQuestion,
  dialect: TransportDialect,
): TransportRequest {
  if (!TRAIN_UID.test(trainUid)) {
    throw new RangeError("a train's id has letters and digits only");
  }
  const date = startDate.toString();
  return {
    path:
      dialect === "public"
        ? `/v3/uk/train/service_timetables/${trainUid}:${date}.json`
        : `/v3/uk/train/service/train_uid:${trainUid}/${date}/timetable.json`,
    query: { live: "true" },
  };
}

/** A letter, or a space on paper, and five digits; read generously. */
const TRAIN_UID = /^[A-Za-z0-9]{2,12}$/;
