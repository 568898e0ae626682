// Reads how the train operators say that they run, from the product Disruptions Experience. Its answers are known only from
// other people's programs (as of November 2026), so any field may be missing.
import type { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { isGoodState } from "../good-state.ts";
import { looseText } from "../read-values.ts";
import type { NetworkEntry, TransportNetwork } from "../transport-data.ts";
import { unexpectedAnswer } from "./ask.ts";
import { listOf } from "./read-board.ts";
import { readReason } from "./read-texts.ts";

/** Reads an answer. Throws ServiceError `unexpected-answer` if no operator has a name and a status. */
export function readNetwork(answer: unknown, now: Temporal.Instant): TransportNetwork {
  const given = listOf(answer);
  const entries = given.flatMap((each) => readIndicator(each) ?? []);
  if (entries.length === 0) {
    throw unexpectedAnswer("no operator has both a name and a status");
  }
  return { basis: "status", dataAt: now, entries };
}

function readIndicator(given: unknown): NetworkEntry | undefined {
  const { data } = indicatorSchema.safeParse(given);
  const name = data?.tocName ?? data?.tocCode;
  if (!data || name === undefined) {
    return undefined;
  }
  const described = readReason(data.tocStatusDescription);
  // An operator may word its status itself.
  const state = data.tocStatus?.toLowerCase() === "custom" ? described : data.tocStatus;
  if (state === undefined) {
    return undefined;
  }
  const details = listOf(data.tocServiceGroup).map(
    (group) => groupSchema.safeParse(group).data?.customDetail,
  );
  const said = [
    described,
    readReason(data.tocAdditionalInfo),
    ...details.map((detail) => readReason(detail)),
  ];
  const description = [...new Set(said.filter((text) => text !== undefined && text !== state))].join(" ");
  return {
    mode: "train",
    name,
    state,
    description: description || undefined,
    isDisrupted: !isGoodState(state),
    from: undefined,
    until: undefined,
  };
}

const indicatorSchema = z.object({
  tocCode: looseText,
  tocName: looseText,
  tocStatus: looseText,
  tocStatusDescription: looseText,
  tocAdditionalInfo: looseText,
  tocServiceGroup: z.unknown().optional(),
});

const groupSchema = z.object({ customDetail: looseText });
