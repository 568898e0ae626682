// What a row of a board and a train's details have in common, and how the railway writes it. What is absent is left out
// there, and any other field may be missing or odd as well.
import { z } from "zod";
import type { Temporal } from "temporal-polyfill";
import { looseList, looseNumber, looseText } from "../read-values.ts";
import { anchorUkTime } from "../../time/uk-time.ts";
import { readReason } from "./read-texts.ts";

/** A word that says yes or no. */
export const looseFlag = z.boolean().optional().catch(undefined);

export const serviceFields = {
  operator: looseText,
  operatorCode: looseText,
  serviceType: looseText,
  platform: looseText,
  isCancelled: looseFlag,
  cancelReason: looseText,
  delayReason: looseText,
  length: looseNumber,
  formation: z.object({ coaches: looseList }).optional().catch(undefined),
  std: looseText,
  etd: looseText,
  sta: looseText,
  eta: looseText,
};

type Service = Partial<z.infer<z.ZodObject<typeof serviceFields>>>;

/** `length` is 0 where nobody knows; the coaches may be known one by one all the same. */
export function readCoaches({
  length,
  formation,
}: Pick<Service, "length" | "formation">): number | undefined {
  const count = length === undefined || length < 1 ? formation?.coaches?.length : Math.floor(length);
  return count === undefined || count < 1 || count > MOST_COACHES ? undefined : count;
}

/** No train of the country is longer than a sleeper's 16. */
const MOST_COACHES = 30;

/** A row has one of the two mostly; of a cancelled train the reason for that counts. */
export function readReasonOf({ cancelReason, delayReason }: Pick<Service, "cancelReason" | "delayReason">) {
  return readReason(cancelReason, delayReason);
}

/** `CANCELLED` and `DELAYED` as other sources write them, or the expected time; the two exclude each other. */
export interface Estimate {
  readonly status: string | undefined;
  readonly expectedAt: Temporal.Instant | undefined;
}

/** Reads `On time`, `HH:MM`, `Delayed`, `Cancelled` or any other word beside the time that was planned. */
export function readEstimate(
  text: string | undefined,
  aimedAt: Temporal.Instant,
  { isCancelled, isLive = true }: { readonly isCancelled: boolean | undefined; readonly isLive?: boolean },
): Estimate {
  const word = text?.toUpperCase();
  if (isCancelled === true || word === "CANCELLED") {
    return { status: "CANCELLED", expectedAt: undefined };
  }
  if (word === "ON TIME") {
    return { status: undefined, expectedAt: isLive ? aimedAt : undefined };
  }
  // Some have an asterisk, for a time that is uncertain.
  const expectedAt = text === undefined ? undefined : anchorUkTime(text.replace(/\*$/, ""), aimedAt);
  return { status: expectedAt ? undefined : word, expectedAt };
}
