// How tubes, trams, boats and buses do just now.
import { situationsOn } from "../bus/situations.ts";
import { localNetwork } from "../local/local-network.ts";
import type { LocalLine, LocalMode } from "../local/local-line.ts";
import { hash } from "../railway/chance.ts";
import { formatUkDate, formatUkTime } from "../railway/uk-time.ts";
import type { StatusRow } from "./status-row.ts";

/** Every how many hours luck turns. */
const SPELL_HOURS = 3;

/** Nothing is closed: journeys may use every line, and have to agree. */
const TROUBLES: Readonly<Record<"tube" | "tram" | "boat", readonly (readonly [string, string])[]>> = {
  tube: [
    ["Minor delays", "Minor delays while we fix a signal failure."],
    ["Severe delays", "Severe delays because of an earlier faulty train. Tickets are valid on local buses."],
    ["Minor delays", "Minor delays because trains are cancelled."],
    ["Minor delays", "Minor delays while emergency services help a customer."],
  ],
  tram: [
    ["Minor delays", "Trams are held up by a car on the tracks."],
    ["Minor delays", "Trams run less often because of a fault at a junction."],
  ],
  boat: [
    ["Liable to disruption", "Sailings may be cancelled at short notice because of the wind."],
    ["Liable to disruption", "Sailings may be late because of the tide."],
  ],
};

/** Tubes by line, trams and boats by system, buses where something disturbs them. */
export function localStatus(nowMs: number, seed: number): readonly StatusRow[] {
  const spell = `${formatUkDate(nowMs)} ${Math.floor(Number(formatUkTime(nowMs).slice(0, 2)) / SPELL_HOURS)}`;
  return [
    ...named("tube", (line) => line.name, spell, seed),
    ...named("tram", (line) => line.operatorName, spell, seed),
    ...named("boat", (line) => `${line.operatorName}: ${line.name}`, spell, seed),
    ...situationsOn(formatUkDate(nowMs), seed)
      .filter(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs)
      .map(({ area, summary, description, isPlanned }) => ({
        mode: "bus",
        name: area.operatorName,
        status: isPlanned ? "Planned disruption" : "Delays",
        description: `${summary}. ${description}`,
      })),
  ];
}

function named(
  mode: Exclude<LocalMode, "bus">,
  nameOf: (line: LocalLine) => string,
  spell: string,
  seed: number,
): readonly StatusRow[] {
  const names = new Set(
    localNetwork()
      .lines.filter((line) => line.mode === mode)
      .map(nameOf),
  );
  return [...names].map((name) => {
    const luck = hash(seed, mode, name, spell, "status");
    const [status, description] =
      (luck % 7 === 0 ? TROUBLES[mode][(luck >>> 8) % TROUBLES[mode].length] : undefined) ?? [];
    return { mode, name, status: status ?? "Good service", description: description ?? "" };
  });
}
