// The status of tubes, trams, boats and buses. Chance decides it every three hours, and for buses every week.
import { localNetwork, type LocalLine, type LocalMode } from "../map/local-lines.ts";
import { hash } from "../railway/chance.ts";
import { addDays, dayOfWeek, formatUkDate, formatUkTime, ukMoment } from "../railway/uk-time.ts";
import type { StatusRow } from "./train-status.ts";

/** A disruption of a town's buses. */
export interface Situation {
  readonly line: LocalLine;
  readonly isPlanned: boolean;
  readonly reason: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly summary: string;
  readonly description: string;
}

const PERIOD_HOURS = 3;
/** One bus line in this many is disrupted in a week. */
const ONE_DISRUPTED_IN = 90;

/** Nothing is closed, because journeys may use every line and must agree with this. */
const TROUBLES: Readonly<Record<Exclude<LocalMode, "bus">, readonly [string, string]>> = {
  tube: [
    "Severe delays",
    "Severe delays because of an earlier faulty train. Tickets are valid on local buses.",
  ],
  tram: ["Minor delays", "Trams are held up by a car on the tracks."],
  boat: ["Liable to disruption", "Sailings may be cancelled at short notice because of the wind."],
};

/** One row for each tube line, each tram and boat system, and each bus disruption. */
export function localStatus(nowMs: number, seed: number): readonly StatusRow[] {
  const rows = new Map<string, StatusRow>();
  const period = `${formatUkDate(nowMs)} ${Math.floor(Number(formatUkTime(nowMs).slice(0, 2)) / PERIOD_HOURS)}`;
  for (const { mode, name: line, operatorName } of localNetwork().lines) {
    if (mode !== "bus") {
      const name = mode === "tube" ? line : operatorName;
      const isTroubled = hash(seed, mode, name, period, "status") % 7 === 0;
      const [status, description] = isTroubled ? TROUBLES[mode] : (["Good service", ""] as const);
      rows.set(`${mode} ${name}`, { mode, name, status, description });
    }
  }
  const buses = situationsOn(formatUkDate(nowMs), seed).map(({ line, isPlanned, summary, description }) => ({
    mode: "bus",
    name: line.operatorName,
    status: isPlanned ? "Planned disruption" : "Delays",
    description: `${summary}. ${description}`,
  }));
  return [...rows.values(), ...buses];
}

export function situationsOn(date: string, seed: number): readonly Situation[] {
  const monday = addDays(date, 1 - dayOfWeek(date));
  return localNetwork().lines.flatMap((line) => {
    const roll = hash(seed, line.id, monday, "situation");
    if (line.mode !== "bus" || roll % ONE_DISRUPTED_IN > 0) {
      return [];
    }
    const { name: street = "High Street", locality = "" } = line.stops[1] ?? {};
    const fromMs = ukMoment(monday, 9 * 60 + 30);
    const toMs = ukMoment(addDays(monday, 7), 16 * 60);
    const isPlanned = (roll >>> 8) % 3 > 0;
    return [{ line, isPlanned, fromMs, toMs, ...situationTexts(isPlanned, line.name, street, locality) }];
  });
}

function situationTexts(isPlanned: boolean, line: string, street: string, place: string) {
  return isPlanned
    ? {
        reason: "roadworks",
        summary: `Roadworks at ${street}, ${place}`,
        description: `Route ${line} is diverted while the road is resurfaced near ${street}. Please use stops on either side; journeys may take up to 10 minutes longer.`,
      }
    : {
        reason: "incident",
        summary: `Delays on route ${line}: ${place}`,
        description: `A burst water main near ${street} holds up traffic. Expect delays of up to 20 minutes on route ${line}.`,
      };
}
