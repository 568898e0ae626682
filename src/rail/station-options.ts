// Options of commands that take a station.
import type { Stations } from "./stations.ts";

interface Completing {
  readonly text: string;
  readonly recent: readonly string[];
  readonly services: { readonly stations: Pick<Stations, "suggest"> };
}

interface Chosen {
  readonly text: string;
  readonly services: { readonly stations: Pick<Stations, "find"> };
}

/** An option that takes a station by name, code or alias. */
export const stationOption = {
  type: "string",
  maxLength: 60,
  autocomplete: ({ text, recent, services }: Completing) =>
    services.stations
      .suggest(text, 25, recent)
      .map(({ crs, name }) => ({ name: `${name} (${crs})`, value: crs })),
  recall: {
    kind: "station",
    valueOf: ({ text, services }: Chosen) => services.stations.find(text)?.crs,
  },
} as const;

export const requiredStation = {
  ...stationOption,
  description: "A station's name or three-letter code, e.g. York or YRK",
  required: true,
} as const;
