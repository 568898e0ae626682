// Reads the states of the train operators' services, from the product Disruptions Experience. Its answers are known only from
// other people's programs (as of November 2026), so any field may be missing.
import { z } from "zod";
import { unexpectedAnswer } from "../ask.ts";
import { isGoodState, looseTexts } from "../read-values.ts";
import type { NetworkEntry, TransportNetwork } from "../transport-data.ts";
import { listOf } from "./read-board.ts";
import { readReason } from "./read-texts.ts";

/** Reads an answer. Throws a ServiceError `unexpected-answer` if no operator has a name and a status. */
export function readNetwork(answer: unknown, now: Temporal.Instant): TransportNetwork {
  const given = listOf(answer);
  const entries = given.flatMap(readIndicator);
  if (entries.length === 0) {
    throw unexpectedAnswer("rail-data", "no operator has both a name and a status");
  }
  return { basis: "status", dataAt: now, entries };
}

/** An operator's report: an entry for each incident that it names, or one entry if there is at most one. */
function readIndicator(given: unknown): readonly NetworkEntry[] {
  const { data } = indicatorSchema.safeParse(given);
  const name = data?.tocName ?? data?.tocCode;
  if (!data || name === undefined) {
    return [];
  }
  const described = readReason(data.tocStatusDescription);
  // With the status "custom", the description has the operator's own words for it.
  const state = data.tocStatus?.toLowerCase() === "custom" ? described : data.tocStatus;
  if (state === undefined) {
    return [];
  }
  const isDisrupted = !isGoodState(state);
  const groups = listOf(data.tocServiceGroup).flatMap((group) => {
    const { currentDisruption, customDetail } = groupSchema.safeParse(group).data ?? {};
    return [{ incident: currentDisruption, detail: readReason(customDetail) }];
  });
  const general = [described, readReason(data.tocAdditionalInfo)];
  const entryOf = (incident: string | undefined, texts: readonly (string | undefined)[]): NetworkEntry => {
    const said = new Set(texts.filter((text) => text !== undefined && text !== state));
    return {
      ...(incident !== undefined && { incident }),
      mode: "train",
      name,
      state,
      description: [...said].join(" ") || undefined,
      isDisrupted,
      from: undefined,
      until: undefined,
    };
  };
  const incidents = isDisrupted ? groups.filter(({ incident }) => incident !== undefined) : [];
  return incidents.length <= 1
    ? [entryOf(incidents[0]?.incident, [...general, ...groups.map(({ detail }) => detail)])]
    : // The text about the operator as a whole appears only with incidents that have none of their own.
      incidents.map(({ incident, detail }) => entryOf(incident, detail === undefined ? general : [detail]));
}

const indicatorSchema = z.object({
  ...looseTexts("tocCode", "tocName", "tocStatus", "tocStatusDescription", "tocAdditionalInfo"),
  tocServiceGroup: z.unknown().optional(),
});

const groupSchema = z.object(looseTexts("currentDisruption", "customDetail"));
