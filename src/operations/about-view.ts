import { type Reply, card } from "../core/reply.ts";
import type { ServiceErrorKind } from "../core/errors.ts";
import type { BudgetState, PlannedService } from "../plan/budget.ts";
import { budgetLines } from "../plan/budget-words.ts";
import { CREDITS } from "../sources/source-words.ts";
import type { SourceName } from "../sources/transport-data.ts";
import { formatDuration, relativeTime } from "../time/words.ts";

export interface AboutFacts {
  readonly version: string;
  readonly upForMs: number;
  readonly latencyMs: number | undefined;
  readonly guildCount: number;
  readonly plans: readonly PlanStatus[];
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
    ...plans.flatMap((plan) => ["", ...planLines(plan)]),
  ].join("\n");
  const sources = [
    ...plans.flatMap(({ service, credit }) =>
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
