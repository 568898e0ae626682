import { type Reply, card } from "../core/reply.ts";
import type { ServiceErrorKind } from "../core/errors.ts";
import type { BudgetState, PlannedService } from "../plan/budget.ts";
import { CREDITS } from "../sources/source-words.ts";
import type { SourceName } from "../sources/transport-data.ts";
import { formatDuration, relativeTime } from "../time/words.ts";
import { plural } from "../core/text.ts";
import { HOUR_MS } from "../time/wall-clock.ts";

export interface AboutFacts {
  readonly version: string;
  readonly upForMs: number;
  readonly latencyMs: number | undefined;
  readonly guildCount: number;
  /** `undefined` if the database cannot be used right now. */
  readonly plans: readonly PlanStatus[] | undefined;
}

export interface PlanStatus {
  readonly service: PlannedService;
  readonly state: BudgetState;
  /** The operator's wording of the service's credit, as Markdown; `undefined` for the default in `source-words.ts`. */
  readonly credit?: string | undefined;
  /** The last failure since the start; `undefined` if there was none. */
  readonly lastFailure?: { readonly kind: ServiceErrorKind; readonly atMs: number } | undefined;
}

export function aboutView({ version, upForMs, latencyMs, guildCount, plans }: AboutFacts): Reply {
  const latency = latencyMs === undefined ? "not measured yet" : `${Math.round(latencyMs)} ms`;
  const text = [
    `### Signalbox ${version}`,
    "Britain's trains and buses, restyled pictures and published videos, for your server. `/help` shows what I can do here.",
    "",
    `**Uptime** ${formatDuration(upForMs)}`,
    `**Latency** ${latency}`,
    `**Servers** ${guildCount}`,
    ...(plans?.flatMap((plan) => ["", ...planLines(plan)]) ?? ["**Database** unavailable right now"]),
  ].join("\n");
  const sources = [
    ...(plans ?? []).flatMap(({ service, credit }) =>
      service === "style"
        ? []
        : [`-# ${SOURCES[service].covers} ${credit ?? CREDITS[service]}${SOURCES[service].more ?? ""}`],
    ),
    "-# Stations: davwheat/uk-railway-stations, made with Trainline EU's station data, under the ODbL 1.0.",
    "-# Signalbox is free software under the MIT licence.",
  ].join("\n");
  return card([text, { type: "separator" }, sources]);
}

/** `more`: an acknowledgement that the terms require only once, not under every answer. */
const SOURCES: Readonly<Record<SourceName, { readonly covers: string; readonly more?: string }>> = {
  transport: { covers: "Trains, buses, places and journeys," },
  "rail-data": { covers: "Live trains:" },
  tfl: {
    covers: "London:",
    more: ". Contains OS data © Crown copyright and database rights 2016 and Geomni UK Map data © and database rights 2019.",
  },
};

const FAILURES: Partial<Record<ServiceErrorKind, string>> = {
  unavailable: "I couldn't reach it",
  timeout: "it took too long to answer",
  "rate-limited": "it was busy",
  "budget-spent": "the plan was used up",
  unauthorised: "it refused the key",
  "not-permitted": "it didn't let me do that",
  "unexpected-answer": "it sent an answer I don't understand",
};

export function planLines({ service, state, lastFailure }: PlanStatus): readonly string[] {
  return [
    ...budgetLines(service, state),
    ...(lastFailure
      ? [`**Last problem** ${FAILURES[lastFailure.kind] ?? "it failed"}, ${relativeTime(lastFailure.atMs)}`]
      : []),
  ];
}

/** The names of each plan: as a heading, as in “your plan for trains”, and as in “3 calls for trains and buses”. */
export const PLAN_WORDS: Readonly<
  Record<PlannedService, { readonly heading: string; readonly plan: string; readonly calls: string }>
> = {
  transport: { heading: "Train data", plan: "trains", calls: "for trains and buses" },
  "rail-data": { heading: "National Rail", plan: "National Rail data", calls: "for National Rail data" },
  tfl: { heading: "London", plan: "London", calls: "for London" },
  style: { heading: "Pictures", plan: "pictures", calls: "for pictures" },
};

/** If less than a tenth of the plan is left, people want to know when there will be more. */
const SHORT_SHARE = 10;

/** Two or three lines of Markdown. */
function budgetLines(
  service: PlannedService,
  { limit, windowMs, used, left, share, nextFreeAt, closedUntil }: BudgetState,
): readonly string[] {
  const yours = share === undefined || share >= left ? "" : `, of which you can use ${number(share)} now`;
  const isShort = left * SHORT_SHARE < limit;
  const kept = limit - used - left;
  const lines = [
    `**${PLAN_WORDS[service].heading}** ${number(used)} of ${plural(limit, "request")} in the last ${spanWords(windowMs)}`,
    `**Left** ${number(left)}${yours}${kept > 0 && closedUntil === undefined ? `. Another ${number(kept)} are reserved for boards and watches.` : ""}`,
  ];
  if (closedUntil !== undefined) {
    return [...lines, `The plan is used up for now. I'll ask again ${relative(closedUntil)}.`];
  }
  return nextFreeAt === undefined || !isShort
    ? lines
    : [...lines, `**Next request available** ${relative(nextFreeAt)}`];
}

function spanWords(windowMs: number): string {
  if (windowMs <= HOUR_MS) {
    return windowMs === HOUR_MS ? "hour" : "minute";
  }
  const hours = windowMs / HOUR_MS;
  return hours > 24 ? `${hours / 24} days` : "24 hours";
}

function number(count: number): string {
  return count.toLocaleString("en-GB");
}

/** Discord shows it as e.g. "in 5 minutes" and keeps it up to date. */
function relative(instant: Temporal.Instant): string {
  return `<t:${Math.ceil(instant.epochMilliseconds / 1_000)}:R>`;
}
