import { createRailDataClient } from "./rail-data/rail-data-client.ts";
import { createTflClient } from "./tfl/tfl-client.ts";
import { createTransportClient } from "./transport-api/transport-client.ts";
import type { Config } from "../core/config.ts";
import type { Platform } from "../core/ports.ts";
import type { Budget, Plan } from "../plan/budget.ts";
import type { Purpose } from "../plan/spending-table.ts";
import { FRESH_MS, createAnswers } from "./answers.ts";
import { createRouter } from "./router.ts";
import type { SourceName } from "./transport-data.ts";

/** Boards cover two hours, so half of a board that is an hour old still lies ahead. */
const STALE_MS = 60 * 60_000;
/** Stations and stops hardly ever move, and the terms allow answers to be stored for any time. */
const PLACES_FRESH_MS = 12 * 60 * 60_000;
const PLACES_STALE_MS = 30 * 24 * 60 * 60_000;

/** The plan of each source that is set up. */
export type SourcePlans = ReadonlyMap<SourceName, Plan>;

export type Sources = ReturnType<typeof composeSources>;

export function composeSources(
  deps: Pick<Platform, "http" | "clock" | "log" | "meter"> & {
    readonly config: Pick<Config, "transport" | "railData" | "tfl">;
    readonly plans: SourcePlans;
  },
) {
  const { config, plans, http, clock, log, meter } = deps;
  const { transport: settings, railData: railSettings, tfl: londonSettings } = config;
  const platform = { http, clock, log };
  /** Creates a client for people and one for boards, whose calls leave people their share of the plan. */
  function sourceOf<T>(
    name: SourceName,
    create: (asking: typeof platform & ReturnType<typeof planHooks>) => T,
    credit?: string,
  ) {
    const budget = plans.get(name)?.budget;
    const clientFor = (to: Budget, purpose: Purpose): T => create({ ...platform, ...planHooks(to, purpose) });
    return (
      budget && {
        name,
        credit,
        clients: { person: clientFor(budget, "person"), board: clientFor(budget, "board") },
      }
    );
  }
  const transport =
    settings && sourceOf("transport", (asking) => createTransportClient({ ...settings, ...asking }));
  const railData =
    railSettings &&
    sourceOf(
      "rail-data",
      (asking) => createRailDataClient({ settings: railSettings, ...asking }),
      railSettings.credit,
    );
  const tfl =
    londonSettings && sourceOf("tfl", (asking) => createTflClient({ ...londonSettings, ...asking }));
  const sources = [tfl, railData, transport].filter((source) => source !== undefined);
  const router = createRouter({ sources, clock, log });
  /** Clients for the state of a source's network, which no other source can answer for. */
  function networkOf(source: (typeof sources)[number] | undefined) {
    const client = ({ clients, ...known }: (typeof sources)[number], purpose: Purpose) => ({
      network: () => router.askOnly(known, "disruptions", () => clients[purpose].network()),
    });
    return source && { person: client(source, "person"), board: client(source, "board") };
  }
  const answersOf = (cache: string, freshMs: number, staleMs: number) =>
    createAnswers({
      clock,
      freshMs,
      staleMs,
      onOutcome: (outcome) => meter.count("cache_answers_total", { cache, outcome }),
    });
  return {
    ...router,
    plans,
    /** Whether any source has boards of railway stations. */
    hasRailway: (transport ?? railData) !== undefined,
    person: router.clientFor("person"),
    board: router.clientFor("board"),
    /** The operator's wording of a source's credit, as Markdown; `undefined` for the default in `source-words.ts`. */
    creditOf: (name: SourceName) => sources.find((source) => source.name === name)?.credit,
    /** The transport service for people, e.g. for journeys, which no other source has; `undefined` if it is not set up. */
    transport: transport?.clients.person,
    /** By source; `undefined` if it is not set up for this. Rail data: what the train operators report. */
    networks: {
      transport: networkOf(transport),
      "rail-data": railSettings?.disruptions && networkOf(railData),
      tfl: networkOf(tfl),
    },
    /** Transport for London, for lines and bus stops; `undefined` if it is not set up. */
    london: tfl?.clients,
    /** Shared by people and boards, so that each benefits from the other's questions. */
    answers: answersOf("trains", FRESH_MS, STALE_MS),
    placeAnswers: answersOf("places", PLACES_FRESH_MS, PLACES_STALE_MS),
  };
}

/** The hooks with which a client counts its attempts against a plan, and reports that the service calls it used up. */
export function planHooks(budget: Budget, purpose: Purpose) {
  return {
    spend: () => budget.take(purpose),
    onPlanUsedUp: (askedMs: number | undefined) => budget.closeFor(askedMs),
  };
}
