// Turns TfL's line statuses into NetworkEntries: only current ones, the worst first, without repeated reasons.
import { z } from "zod";
import { upperFirst } from "../../core/text.ts";
import { isBefore } from "../../time/uk-time.ts";
import { unexpectedAnswer } from "../ask.ts";
import { looseFlag, looseList, looseNumber, looseTexts, readInstant } from "../read-values.ts";
import type { NetworkEntry, NetworkMode, TransportNetwork } from "../transport-data.ts";
import { lineName } from "./london-stops.ts";

/** TfL's severity numbers from worst to best. The numbers themselves are not in that order. */
const WORST_FIRST = [1, 16, 2, 20, 4, 3, 5, 11, 6, 8, 7, 9, 15, 14, 12, 17, 0, 13, 19, 18, 10];
const PLANNED_CLOSURE = 4;
const NO_ISSUES = 18;
const GOOD_SERVICE = 10;

const MODES: Readonly<Record<string, NetworkMode>> = {
  tube: "tube",
  dlr: "tube",
  "elizabeth-line": "train",
  overground: "train",
  tram: "tram",
  bus: "bus",
  "river-bus": "ferry",
};

const lineSchema = z.object({
  ...looseTexts("id", "name", "modeName"),
  lineStatuses: looseList,
});

const periodSchema = z
  .object({ ...looseTexts("fromDate", "toDate"), isNow: looseFlag })
  .catch({ fromDate: undefined, toDate: undefined, isNow: undefined });

const statusSchema = z.object({
  statusSeverity: looseNumber,
  ...looseTexts("statusSeverityDescription", "reason"),
  validityPeriods: z.array(periodSchema).optional().catch(undefined),
  disruption: z.object(looseTexts("category", "description")).optional().catch(undefined),
});

type LineStatus = z.infer<typeof statusSchema>;
type Period = z.infer<typeof periodSchema>;

/** Reads an answer. Throws a ServiceError `unexpected-answer` if no line has a name. */
export function readLineStatus(answer: readonly unknown[], now: Temporal.Instant): TransportNetwork {
  const entries = answer.flatMap((given) => {
    const { data: line } = lineSchema.safeParse(given);
    const name = line?.name ?? line?.id;
    return !line || name === undefined ? [] : entriesOf(name, line, now);
  });
  if (answer.length > 0 && entries.length === 0) {
    throw unexpectedAnswer("tfl", "no line has a name");
  }
  return { basis: "status", dataAt: now, entries };
}

function entriesOf(
  name: string,
  { id, modeName = "", lineStatuses = [] }: z.infer<typeof lineSchema>,
  now: Temporal.Instant,
): readonly NetworkEntry[] {
  const current = lineStatuses
    .flatMap((given) => statusSchema.safeParse(given).data ?? [])
    .flatMap((status) => {
      const period = periodNow(status, now);
      return period === undefined ? [] : { ...status, period, reason: reasonOf(status, name) };
    })
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  // A line often has two statuses for one incident.
  const distinct = [...Map.groupBy(current, ({ reason }) => reason).values()].flatMap(
    ([worst]) => worst ?? [],
  );
  const line = {
    line: id,
    mode: MODES[modeName] ?? "other",
    name: name === "Tram" ? "London Trams" : lineName(name, modeName),
  };
  if (distinct.length === 0) {
    const state = lineStatuses.length === 0 ? "Not reported" : "Nothing reported now";
    return [
      { ...line, state, description: undefined, isDisrupted: false, from: undefined, until: undefined },
    ];
  }
  return distinct.map((status) => ({
    ...line,
    // “Severe Delays” becomes “Severe delays”, to match the bot's other texts.
    state: status.statusSeverityDescription && upperFirst(status.statusSeverityDescription.toLowerCase()),
    description: status.reason,
    isDisrupted: !isGood(status),
    ...spanOf(status, status.period),
  }));
}

function isGood({ statusSeverity, statusSeverityDescription: words = "Good Service" }: LineStatus): boolean {
  return statusSeverity === undefined
    ? /^(?:good service|no issues)$/i.test(words)
    : statusSeverity === GOOD_SERVICE || statusSeverity === NO_ISSUES;
}

/** Unknown severities rank just above information. */
function rankOf({ statusSeverity = Number.NaN }: LineStatus): number {
  const rank = WORST_FIRST.indexOf(statusSeverity);
  return rank === -1 ? WORST_FIRST.indexOf(0) - 0.5 : rank;
}

/**
 * The status's current period; `undefined` if the status is only announced, e.g. a closure in the coming days. Good service
 * has no periods, so the result is empty. For unplanned trouble, the times are guesses, so TfL's own flag counts as well.
 */
function periodNow(status: LineStatus, now: Temporal.Instant): Partial<Period> | undefined {
  const { validityPeriods = [] } = status;
  const isCurrent = ({ fromDate, toDate, isNow }: Period): boolean => {
    const from = readInstant(fromDate);
    const until = readInstant(toDate);
    if ((isNow === true && !isPlanned(status)) || (from === undefined && until === undefined)) {
      return isNow !== false;
    }
    return !(from && isBefore(now, from)) && !(until && isBefore(until, now));
  };
  return validityPeriods.length === 0 ? {} : validityPeriods.find(isCurrent);
}

function isPlanned({ statusSeverity, disruption }: LineStatus): boolean {
  return statusSeverity === PLANNED_CLOSURE || disruption?.category === "PlannedWork";
}

/** The beginning and end of planned work. For other trouble, they are unknown: TfL gives the end of traffic or a guess. */
function spanOf(status: LineStatus, { fromDate, toDate }: Partial<Period>) {
  return isPlanned(status)
    ? { from: readInstant(fromDate), until: readInstant(toDate) }
    : { from: undefined, until: undefined };
}

/** A status's reason, without a line's name in front of it, as in `Bakerloo Line: Severe delays…`. */
function reasonOf({ reason, disruption }: LineStatus, name: string): string | undefined {
  const text = reason ?? disruption?.description;
  const [start = "", ...rest] = text?.split(":") ?? [];
  const isNamed = rest.length > 0 && bareName(start) === bareName(name);
  return text && (isNamed ? upperFirst(rest.join(":").trim()) : text);
}

function bareName(name: string): string {
  return name
    .toLowerCase()
    .replace("&", "and")
    .trim()
    .replace(/ line$/, "");
}
