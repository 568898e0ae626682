// Reads the fields that a row of a board and the details of a train have in common. Any field may be missing or malformed.
import { z } from "zod";
import { looseFlag, looseList, looseNumber, looseTexts } from "../read-values.ts";
import { anchorUkTime } from "../../time/uk-time.ts";

export const serviceFields = {
  ...looseTexts("operator", "operatorCode", "serviceType", "platform", "cancelReason", "delayReason"),
  ...looseTexts("std", "etd", "sta", "eta"),
  isCancelled: looseFlag,
  length: looseNumber,
  formation: z.object({ coaches: looseList }).optional().catch(undefined),
};

type Service = Partial<z.infer<z.ZodObject<typeof serviceFields>>>;

/** The number of coaches. `length` may be 0, meaning unknown, even if the coaches are listed one by one. */
export function readCoaches({
  length,
  formation,
}: Pick<Service, "length" | "formation">): number | undefined {
  const count = length === undefined || length < 1 ? formation?.coaches?.length : Math.floor(length);
  return count === undefined || count < 1 || count > MAX_COACHES ? undefined : count;
}

/** The longest trains in Britain are the sleepers, with 16 coaches. */
const MAX_COACHES = 30;

/**
 * Reads the estimate beside an aimed time: `On time`, `HH:MM`, `Delayed`, `Cancelled` or any other word. Returns the
 * expected time or, if there is none, the word in capitals as the status, as other sources have it, e.g. `CANCELLED`.
 */
export function readEstimate(
  text: string | undefined,
  aimedAt: Temporal.Instant,
  { isCancelled, isLive = true }: { readonly isCancelled: boolean | undefined; readonly isLive?: boolean },
) {
  const word = text?.toUpperCase();
  if (isCancelled === true || word === "CANCELLED") {
    return { status: "CANCELLED", expectedAt: undefined };
  }
  if (word === "ON TIME") {
    return { status: undefined, expectedAt: isLive ? aimedAt : undefined };
  }
  // An asterisk marks an uncertain time.
  const expectedAt = text === undefined ? undefined : anchorUkTime(text.replace(/\*$/, ""), aimedAt);
  return { status: expectedAt ? undefined : word, expectedAt };
}
