// Finds Great Britain's railway stations and London's stops offline, by code, name or alias, even with typing mistakes.
import { UserError } from "../core/errors.ts";
import { listOr, quoteText } from "../core/text.ts";
import { londonStops } from "../sources/tfl/london-stops.ts";
import { WELL_KNOWN, type StationEntry, createLondonIndex, createStationIndex } from "./station-index.ts";
import { isLondonCode } from "./london.ts";
import { type Networks, placeRefusal, stationRefusal } from "./other-networks.ts";
import { normaliseWords, plainWords, typingDistance } from "../core/search-text.ts";
import { unambiguousMatch, searchStations } from "./search-stations.ts";

/** A place that has live boards. */
export interface Station {
  /** Unique, in upper case: a railway station's three letters, e.g. `YRK`, or a London stop's id, as `940GZZLUOXC`. */
  readonly crs: string;
  /** A London stop's name includes its modes, e.g. `Oxford Circus (Tube)`. */
  readonly name: string;
  /** The parts of a London stop's name, e.g. `Oxford Circus` and `Tube`; absent for a railway station. */
  readonly stop?: { readonly name: string; readonly modes: string };
  /** The ids of a London stop's lines; absent for a railway station. */
  readonly lines?: readonly string[] | undefined;
}

export interface RailStation extends Station {
  readonly latitude: number;
  readonly longitude: number;
}

/** The label of a place in lists, e.g. `York (YRK)`. A London stop's code is not shown. */
export function stationLabel({ crs, name }: Station): string {
  return isLondonCode(crs) ? name : `${name} (${crs})`;
}

export type Stations = ReturnType<typeof readStations>;

/** Reads the program's own lists at the first search (some 40 ms, 3 MB), so that they do not delay the start. */
export function createStations({
  hasLondon = false,
  hasRailway = true,
  hasPlaces = true,
}: Partial<Networks> = {}): Stations {
  let stations: Stations | undefined;
  const read = (): Stations => (stations ??= readStations({ hasLondon, hasRailway, hasPlaces }));
  return {
    byCrs: (crs) => read().byCrs(crs),
    find: (text) => read().find(text),
    resolve: (text) => read().resolve(text),
    suggest: (text, limit, recent) => read().suggest(text, limit, recent),
    get live() {
      return read().live;
    },
  };
}

/** Finds railway stations, for timetables, journeys and watched trains; `live` also finds London's stops. */
function readStations(networks: Networks) {
  const railIndex = networks.hasRailway ? createStationIndex() : [];
  const railNames = exactNames(railIndex);
  // People leave out the last word of names in the list such as "Heathrow Terminal 5 Rail".
  const spoken = Array.from(railNames, ([name, station]) => [name.replace(/ rail$/, ""), station] as const);
  const railway = createStationSearch(railIndex, new Map([...spoken, ...railNames]), (text) =>
    stationRefusal(text, networks),
  );
  const live = networks.hasLondon ? createLiveSearch(railIndex, railNames, networks) : railway;
  return {
    ...railway,
    /** The place with this code, also a London stop; case does not matter. `undefined` if there is none. */
    byCrs: (code: string): Station | undefined => live.byCrs(code),
    live,
  };
}

function createLiveSearch(
  railIndex: readonly StationEntry[],
  railNames: ReadonlyMap<string, Station>,
  networks: Networks,
): StationSearch<Station> {
  // If several stops share a name, e.g. Bank, people mean the tube station.
  const tubeFirst = londonStops.toSorted(
    (a, b) => Number(b.modes.includes("tube")) - Number(a.modes.includes("tube")),
  );
  const londonIndex = createLondonIndex(tubeFirst);
  // A railway station's names and aliases, e.g. "Victoria" and "Stratford", never mean a London stop.
  const aliases = londonIndex.flatMap(({ station, aliases: own }) =>
    own.map((alias) => [squash(alias), station] as const),
  );
  const names = new Map<string, Station>([...aliases, ...exactNames(londonIndex), ...railNames]);
  return createStationSearch([...railIndex, ...londonIndex], names, (text) =>
    searchStations(londonIndex, text, 1).length > 0 ? undefined : placeRefusal(text, networks),
  );
}

type StationSearch<S extends Station> = ReturnType<typeof createStationSearch<S>>;

/** `refuse` returns the error for a text that cannot mean a place in the index. */
function createStationSearch<S extends Station>(
  index: readonly StationEntry<S>[],
  byName: ReadonlyMap<string, S>,
  refuse: (text: string) => UserError | undefined,
) {
  const byCode = new Map(index.map(({ station }) => [station.crs, station]));
  const wellKnown = WELL_KNOWN.flatMap((crs) => byCode.get(crs) ?? []);

  const byCrs = (crs: string): S | undefined =>
    crs.length <= LONGEST_CODE ? byCode.get(crs.toUpperCase()) : undefined;
  const exact = (text: string): S | undefined =>
    byCrs(text.trim()) ?? byName.get(plainWords(text)) ?? byName.get(squash(text));

  /** A label that the autocomplete shows, typed as text, e.g. "York (YRK)". */
  const chosen = (text: string): S | undefined => {
    const [, name, crs] = /^(.+)\(\s*([a-z]{3})\s*\)\s*$/i.exec(text.slice(0, LONGEST_CHOICE)) ?? [];
    const station = byCrs(crs ?? "");
    return station && exact(name ?? "") === station ? station : undefined;
  };

  const find = (text: string): S | undefined => exact(text) ?? chosen(text);

  return {
    byCrs,
    /** The station with exactly this code, name or alias; `undefined` if there is none. */
    find,
    /**
     * As `find`, but also finds the only station that a misspelt text can mean. Throws a UserError for another network's
     * stop, else {@link UnknownStationError}.
     */
    resolve(text: string): S {
      const known = find(text);
      const refusal = known === undefined ? refuse(text) : undefined;
      const station = known ?? (refusal ? undefined : unambiguousMatch(index, text));
      if (!station) {
        throw refusal ?? unknownStation(text, nearestStations(index, text, 3));
      }
      return station;
    },
    /** Best first; for an empty text, well-known stations. Codes in `recent` come first among equals. */
    suggest(text: string, limit: number, recent: readonly string[] = []): readonly S[] {
      if (text.trim() === "") {
        const own = recent.flatMap((crs) => byCrs(crs) ?? []);
        const usual = wellKnown.length > 0 ? wellKnown : index.map(({ station }) => station);
        return [...new Set([...own, ...usual])].slice(0, limit);
      }
      const station = chosen(text);
      const found = searchStations(index, text, limit, recent);
      return station ? [station, ...found.filter((other) => other !== station)].slice(0, limit) : found;
    },
  };
}

const LONGEST_CODE = 12;
const LONGEST_CHOICE = 60;

function squash(text: string): string {
  return normaliseWords(text).join("");
}

/**
 * Stations by names and aliases in plain form, with and without spaces. The form with spaces wins, because "How Wood"
 * and "Howwood" are two stations. A name always wins over another station's alias.
 */
function exactNames<S extends Station>(index: readonly StationEntry<S>[]): ReadonlyMap<string, S> {
  const spaced = index.map(({ station, words }) => [words.join(" "), station] as const);
  const keysOf = (wanted: "name" | "alias") =>
    index.flatMap(({ station, keys }) =>
      keys.filter(({ kind }) => kind === wanted).map(({ text }) => [text, station] as const),
    );
  // Of two stations with the same text, the first one gets it.
  return new Map([...spaced, ...keysOf("name"), ...keysOf("alias")].toReversed());
}

/** Thrown if it is not certain which station is meant. */
export class UnknownStationError extends UserError {
  readonly question: string;
  /** Up to three that may be meant, best first. */
  readonly near: readonly Station[];

  constructor(question: string, near: readonly Station[]) {
    const names = near.map(stationLabel);
    const next =
      near.length === 0
        ? "Check the spelling, or type its three-letter code, e.g. YRK."
        : `Did you mean ${listOr(names)}? Pick one from the list as you type.`;
    super(`${question} ${next}`);
    this.question = question;
    this.near = near;
  }
}

function unknownStation(text: string, near: readonly Station[]): UserError {
  const quote = quoteText(text);
  if (quote === "") {
    return new UserError("Which station? Type its name or three-letter code, e.g. York or YRK.");
  }
  return new UnknownStationError(`I don't know a station called “${quote}”.`, near);
}

/** Takes some milliseconds, because it compares whole names: for an error, not for every keystroke. */
function nearestStations(index: readonly StationEntry[], text: string, count: number): readonly Station[] {
  const nearest = new Set(searchStations(index, text, count));
  const typed = normaliseWords(text).join("");
  if (nearest.size < count && typed.length > SHORTEST_NAME) {
    byDistance(index, typed).forEach((station) => nearest.add(station));
  }
  return [...nearest].slice(0, count);
}

/** For texts of up to three letters, no similar names are compared, because they may be codes. */
const SHORTEST_NAME = 3;

/** At least two thirds of the text must be right; otherwise a similar name is a coincidence. */
function byDistance(index: readonly StationEntry[], typed: string): readonly Station[] {
  const limit = Math.max(1, Math.floor(typed.length / 3));
  return index
    .map(({ station, words, rank }) => ({
      station,
      rank: rank ?? Infinity,
      distance: typingDistance(typed, words.join(""), limit).whole,
    }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance || (a.rank < b.rank ? -1 : 1))
    .map(({ station }) => station);
}
