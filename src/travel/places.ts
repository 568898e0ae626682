import type { Place, PlaceKind, PlacePoint, PlacesPage, PlacesQuestion } from "../sources/transport-data.ts";
import { type Answer, type Answers, stalenessOf } from "../sources/answers.ts";
import { distanceMetres, formatLonLat, isInGreatBritain, type PlaceRef } from "./parse-place.ts";
import type { TransportClient } from "../sources/transport-api/transport-client.ts";
import { UserError } from "../core/errors.ts";
import { sliceFrom } from "../core/pages.ts";
import { quoteText } from "../core/text.ts";
import type { Stations } from "../rail/stations.ts";
import { normaliseWords, plainWords } from "../core/search-text.ts";
import { plainStopName } from "../sources/tfl/london-stops.ts";

export type { Place, PlaceKind } from "../sources/transport-data.ts";

/** Five fill a phone's screen, and the service's pages of 25 are a multiple of it. */
const PLACES_SHOWN = 5;

/** e.g. `York`, `YO24 1AB`. */
export interface NamedPoint extends PlacePoint {
  readonly name: string;
}

/** The service's page, from 1, and how many of its places to skip. */
export interface PlacesStart {
  readonly page: number;
  readonly skip: number;
}

/** At least one of `text` and `near` is given. */
export interface PlacesSearch extends PlacesStart {
  readonly text?: string | undefined;
  readonly near?: NamedPoint | undefined;
  readonly kind?: PlaceKind | undefined;
}

/** Several places that a name may mean, or that are near a place of that name. */
export interface PlaceChoices {
  readonly text: string;
  readonly isNear?: boolean;
  /** Two to 25. */
  readonly choices: readonly Place[];
  readonly acknowledgements: string | undefined;
}

/** The places in an answer, and the sources that the service's terms want named beside them. */
export interface FoundPlaces {
  readonly places: readonly Place[];
  readonly acknowledgements: string | undefined;
}

export type Places = ReturnType<typeof createPlaces>;

/** Costs at most one request, and one more to find the place that a search is near. Throws as the client. */
export function createPlaces(deps: {
  readonly transport: Pick<TransportClient, "places">;
  readonly answers: Answers;
  readonly stations: Pick<Stations, "find">;
}) {
  const { transport, answers, stations } = deps;
  const ask = ({ text, near, kind, page }: Omit<PlacesSearch, "skip">): Promise<Answer<PlacesPage>> => {
    const point = near && { latitude: rounded(near.latitude), longitude: rounded(near.longitude) };
    const question = { text, near: point, kinds: kind && [kind], page };
    return answers.ask(keyOf(question), () => transport.places(question));
  };

  /** The bus stops in earlier answers, most recent first. */
  const knownStops = () =>
    answers
      .peekAll<PlacesPage>(KEY_PREFIX)
      .toSorted((a, b) => a.ageMs - b.ageMs)
      .flatMap(({ value }) => value.places)
      .filter(({ kind, atco }) => kind === "bus-stop" && atco !== undefined);

  /** Finds the places that a name may mean, of one kind or any, best first, at most 25; empty if there are none. */
  const find = async (text: string, kind?: PlaceKind): Promise<FoundPlaces> => {
    const { value } = await ask({ text, kind, page: 1 });
    const distinct = new Map(value.places.map((place) => [`${place.name} ${formatLonLat(place)}`, place]));
    return { ...value, places: bestFirst([...distinct.values()], text) };
  };

  return {
    search: async (search: PlacesSearch): Promise<PlaceList> => createPlaceList(search, await ask(search)),

    /** Nearest first, at most 25. */
    async nearest(near: NamedPoint, kind: PlaceKind): Promise<FoundPlaces> {
      const { value } = await ask({ near, kind, page: 1 });
      return { places: byDistance(value.places, near), acknowledgements: value.acknowledgements };
    },

    /** From earlier answers, best first and then most recent. Empty for fewer than three letters. */
    suggestStops(text: string, limit: number): readonly Place[] {
      const typed = normaliseWords(text);
      if (typed.join("").length < MIN_LETTERS) {
        return [];
      }
      const fitting = knownStops().filter((place) => {
        const { all } = wordsOf(place);
        return typed.every((one) => all.some((word) => word.startsWith(one)));
      });
      const stops = [...Map.groupBy(fitting, ({ atco }) => atco).values()].flatMap(([stop]) => stop ?? []);
      return bestFirst(stops, text).slice(0, limit);
    },

    /** The bus stop with this code in an earlier answer. Sends nothing. */
    knownStop: (code: string): Place | undefined => knownStops().find(({ atco }) => atco === code),

    find,

    /** Stations and points need no request. Throws a UserError if nothing has that name. */
    async locate(ref: PlaceRef): Promise<NamedPoint | PlaceChoices> {
      switch (ref.kind) {
        case "station": {
          const station = stations.find(ref.crs);
          if (!station) {
            throw new UserError(`I don't know where ${ref.name} is. Try a postcode instead.`);
          }
          return station;
        }
        case "point":
          return { ...ref, name: "that point" };
        case "stop":
          throw new UserError(
            "I can't tell where a stop is from its code alone. Write its name, a postcode, or latitude and longitude.",
          );
        case "postcode": {
          const { places } = await find(ref.postcode);
          const found = places.find(isOfPostcode(ref.postcode)) ?? places.find(isInGreatBritain);
          if (!found) {
            throw new UserError(
              `I can't find the postcode ${ref.postcode}. Check it, or write the name of a place nearby.`,
            );
          }
          return { ...pointOf(found), name: ref.postcode };
        }
        case "text": {
          const { places: choices, acknowledgements } = await find(ref.text);
          const only = onlyMatch(choices, ref.text);
          if (only) {
            return { ...pointOf(only), name: only.name };
          }
          if (choices.length === 0) {
            throw new UserError(
              `I can't find a place called “${quoteText(ref.text)}”. Try another spelling, or a postcode.`,
            );
          }
          return { text: ref.text, choices, acknowledgements };
        }
      }
    },
  };
}

/** Rounds to about ten metres: that makes no difference to what is near, but lets more people share one answer. */
function rounded(degrees: number): number {
  return Number(degrees.toFixed(4));
}

const MIN_LETTERS = 3;
const KEY_PREFIX = "places ";

function keyOf({ text, near, kinds, page }: PlacesQuestion): string {
  return KEY_PREFIX + JSON.stringify([text?.toLowerCase(), near && formatLonLat(near), kinds, page]);
}

function isOfPostcode(postcode: string): (place: Place) => boolean {
  const squashed = postcode.replace(" ", "");
  return ({ kind, name }) => kind === "postcode" && name.replace(/\s+/g, "").toUpperCase() === squashed;
}

function pointOf({ latitude, longitude }: PlacePoint): PlacePoint {
  return { latitude, longitude };
}

/**
 * The only place with exactly this name, otherwise the only station of it, such as “Bank Underground
 * Station”, otherwise the only place there is; `undefined` if the person has to choose.
 */
export function onlyMatch(places: readonly Place[], text: string): Place | undefined {
  const wanted = plainWords(text);
  const isWanted = (name: string) => plainWords(name) === wanted;
  const exact = places.filter(({ name }) => isWanted(name));
  const stations = places.filter(({ name, kind }) => kind !== "bus-stop" && isWanted(plainStopName(name)));
  const meant = [exact, stations, places].find(({ length }) => length > 0) ?? [];
  return meant.length === 1 ? meant[0] : undefined;
}

export type PlaceList = ReturnType<typeof createPlaceList>;

/** The part of the service's page that a search shows, and where the parts before and after begin. */
function createPlaceList(search: PlacesSearch, answer: Answer<PlacesPage>) {
  const { value } = answer;
  const { near, page } = search;
  const ordered = near ? byDistance(value.places, near) : bestFirst(value.places, search.text ?? "");
  const withinMiles = near && radiusAround(ordered);
  const all = ordered.filter(
    ({ distanceMetres: far = 0 }) => !withinMiles || far <= withinMiles * MILE_METRES,
  );
  const { start: skip, shown, before, after } = sliceFrom(all, search.skip, PLACES_SHOWN);
  const pageBefore = page > 1 ? { page: page - 1, skip: LAST_SKIP } : undefined;
  const pageAfter = value.hasMore && all.length === ordered.length ? { page: page + 1, skip: 0 } : undefined;
  return {
    search: { ...search, skip },
    places: shown,
    /** The radius around the point; `undefined` if there is no point. */
    withinMiles,
    previous: before === undefined ? pageBefore : { page, skip: before },
    next: after === undefined ? pageAfter : { page, skip: after },
    dataAt: value.dataAt,
    stale: stalenessOf(answer),
    acknowledgements: value.acknowledgements,
  };
}

export const MILE_METRES = 1_609.344;
/** The second radius applies if nothing lies within the first. */
const [NEAR_MILES, FARTHEST_MILES] = [3, 15];

function radiusAround(nearestFirst: readonly Place[]): number {
  const [{ distanceMetres: nearest = 0 } = {}] = nearestFirst;
  return nearest <= NEAR_MILES * MILE_METRES ? NEAR_MILES : FARTHEST_MILES;
}

/**
 * Places of exactly this name come first, then those whose name and town make up the text, then those with
 * all its words in their name, then those in a town of this name.
 */
function bestFirst(places: readonly Place[], text: string): readonly Place[] {
  const typed = normaliseWords(text);
  const rankOf = (place: Place): number => {
    const { name: words, town } = wordsOf(place);
    if (words.join(" ") === typed.join(" ")) {
      return 0;
    }
    const rest = typed.filter((word) => !town.includes(word));
    if (rest.length > 0 && rest.length < typed.length && rest.every((word) => words.includes(word))) {
      return 1;
    }
    return typed.every((word) => words.includes(word)) ? 2 : rest.length === 0 ? 3 : 4;
  };
  return places.toSorted((a, b) => rankOf(a) - rankOf(b));
}

interface PlaceWords {
  /** The words of its name and locality. */
  readonly all: readonly string[];
  readonly name: readonly string[];
  readonly town: readonly string[];
}

const PLACE_WORDS = new WeakMap<Place, PlaceWords>();

/** The words are kept for each place, because autocomplete goes through thousands of places at every keystroke. */
function wordsOf(place: Place): PlaceWords {
  const { name, locality = "" } = place;
  const words = PLACE_WORDS.get(place) ?? {
    all: normaliseWords(`${name} ${locality}`),
    name: normaliseWords(name),
    town: normaliseWords(locality.split(",").at(-1) ?? ""),
  };
  PLACE_WORDS.set(place, words);
  return words;
}

/** More than any page has, so the last part of the page is shown. */
const LAST_SKIP = 95;

/** Distances that the service gave are used unchanged. */
function byDistance(places: readonly Place[], near: PlacePoint): readonly Place[] {
  return places
    .map((place) => ({ ...place, distanceMetres: place.distanceMetres ?? distanceMetres(near, place) }))
    .toSorted((a, b) => a.distanceMetres - b.distanceMetres);
}
