import { type Stations, stationLabel } from "./stations.ts";

interface Given {
  readonly text: string;
  readonly services: { readonly stations: Stations };
}

type AutocompleteRequest = Given & { readonly recent: readonly string[] };
interface TypedStation extends Pick<Given, "services"> {
  /** The texts of the command's other options. */
  readonly typed: Readonly<Record<string, string>>;
}

function createOption(placesOf: (stations: Stations) => Pick<Stations["live"], "find" | "suggest">) {
  return {
    type: "string",
    maxLength: 60,
    autocomplete: ({ text, recent, services }: AutocompleteRequest) =>
      placesOf(services.stations)
        .suggest(text, 25, recent)
        .map((station) => ({ name: stationLabel(station), value: station.crs })),
    recall: {
      kind: "station",
      valueOf: ({ text, services }: Given) => placesOf(services.stations).find(text)?.crs,
    },
  } as const;
}

/** The lines of the London stop that is typed as `station`; `undefined` for any other place. */
export function linesOfTypedStation({ typed, services }: TypedStation): readonly string[] | undefined {
  return services.stations.live.find(typed["station"] ?? "")?.lines;
}

export const stationOption = createOption((stations) => stations);

/** A London stop's board cannot be filtered by a station on the way, so nothing is suggested there. */
export const viaStationOption = {
  ...stationOption,
  autocomplete: (asked: AutocompleteRequest & TypedStation) =>
    linesOfTypedStation(asked) === undefined ? stationOption.autocomplete(asked) : [],
} as const;

export const liveStationOption = createOption(({ live }) => live);

const required = {
  description: "A station's name or three-letter code, e.g. York or YRK",
  required: true,
} as const;

export const requiredStation = { ...stationOption, ...required } as const;
export const requiredLiveStation = { ...liveStationOption, ...required } as const;
