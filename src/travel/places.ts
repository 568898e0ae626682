// Stations, stops and settlements: by name, or near a place.
import { LRUCache } from "lru-cache";
import type { Place, PlaceKind, PlacesPage, PlacesQuestion } from "../sources/transport-data.ts";
import { type Answer, type Answers, staleOf } from "../sources/answers.ts";
import { type Point, distanceMetres, formatLonLat, isInGreatBritain } from "./coordinates.ts";
import type { PlaceRef } from "./parse-place.ts";
import type { TransportClient } from "../sources/transport-api/transport-client.ts";
import { UserError } from "../core/errors.ts";
import { quoteText } from "../core/text.ts";
import type { Stations } from "../rail/stations.ts";
import { normaliseWords } from "../core/search-text.ts";

export type { Place, PlaceKind } from "../sources/transport-data.ts";

/** How many places a list shows at once: five to a screen of a phone, and the service's pages of 25 divide by it. */
const PLACES_SHOWN = 5;

/** A point that people know by a name, e.g. `York`, `YO24 1AB`. */
export interface NamedPoint extends Point {
  readonly name: string;
}

/** Where in a long list to begin: a page of the service from 1, and how many of its places to skip. */
export interface PlacesStart {
  readonly page: number;
  readonly skip: number;
}

/** What a person wants to see. At least one of `text` and `near` is given. */
export interface PlacesSearch {
  readonly text: string | undefined;
  readonly near: NamedPoint | undefined;
  readonly kind: PlaceKind | undefined;
  readonly start: PlacesStart;
}

/** Several places that a name may mean. */
export interface PlaceChoices {
  readonly text: string;
  /** Two to 25. */
  readonly choices: readonly Place[];
  readonly acknowledgements: string | undefined;
}

/** Places that an answer names, and whom the service's terms ask to be named beside them. */
export interface FoundPlaces {
  readonly places: readonly Place[];
  readonly acknowledgements: string | undefined;
}

export type Places = ReturnType<typeof createPlaces>;

/**
 * Asks the transport service, once for all who want to know the same, and throws as its client does. A search costs at
 * most one request, and so does the place it is near.
 */
export function createPlaces({
  transport,
  answers,
  stations,
}: {
  transport: Pick<TransportClient, "places">;
  answers: Answers;
  stations: Pick<Stations, "find">;
}) {
  const knownStops = createKnownStops();
  const ask = async (question: PlacesQuestion): Promise<Answer<PlacesPage>> => {
    const answer = await answers.ask(keyOf(question), () => transport.places(question));
    knownStops.remember(answer.value.places);
    return answer;
  };

  const around = (near: Point, kind: PlaceKind | undefined, more: Partial<PlacesQuestion>) =>
    ask({
      near: { latitude: rounded(near.latitude), longitude: rounded(near.longitude) },
      kinds: kind && [kind],
      page: 1,
      ...more,
    });

  const matches = async (text: string, kinds?: PlacesQuestion["kinds"]) => {
    const { value } = await ask({ text, kinds, page: 1 });
    return { ...value, places: bestFirst(distinctPlaces(value.places), text) };
  };

  return {
    async search(search: PlacesSearch): Promise<PlaceList> {
      const { text, near, kind, start } = search;
      const { page } = start;
      return createPlaceList(
        search,
        await (near ? around(near, kind, { text, page }) : ask({ text, kinds: kind && [kind], page })),
      );
    },

    /** The places of one kind around a point, nearest first, at most 25. */
    async nearest(near: NamedPoint, kind: PlaceKind): Promise<FoundPlaces> {
      const { value } = await around(near, kind, {});
      return { places: byDistance(value.places, near), acknowledgements: value.acknowledgements };
    },

    /** Bus stops that came along in earlier answers, for completion: asks nobody. */
    suggestStops: (text: string, limit: number) => knownStops.suggest(text, limit),

    /** The places a name may mean, of one kind or of any, best first, at most 25; empty where there are none. */
    find: (text: string, kind?: PlaceKind): Promise<FoundPlaces> => matches(text, kind && [kind]),

    /**
     * Where a place lies. Stations and points are known without asking. Gives choices where a name may mean several, and
     * throws a UserError where nothing is called that.
     */
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
          const { places } = await matches(ref.postcode);
          const found = places.find(isOfPostcode(ref.postcode)) ?? places.find(isInGreatBritain);
          if (!found) {
            throw new UserError(
              `I can't find the postcode ${ref.postcode}. Check it, or write the name of a place nearby.`,
            );
          }
          return { ...pointOf(found), name: ref.postcode };
        }
        case "text": {
          const { places: choices, acknowledgements } = await matches(ref.text);
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

/** Some hundred metres either way make no difference to what is near, but to how many share one answer they do. */
function rounded(degrees: number): number {
  return Number(degrees.toFixed(4));
}

function keyOf({ text, near, kinds, page }: PlacesQuestion): string {
  return JSON.stringify(["places", text?.toLowerCase(), near && formatLonLat(near), kinds, page]);
}

function distinctPlaces(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [`${place.name} ${formatLonLat(place)}`, place])).values()];
}

function isOfPostcode(postcode: string): (place: Place) => boolean {
  const squashed = postcode.replace(" ", "");
  return ({ kind, name }) => kind === "postcode" && name.replace(/\s+/g, "").toUpperCase() === squashed;
}

function pointOf({ latitude, longitude }: Point): Point {
  return { latitude, longitude };
}

/** A town has a few hundred. */
const MOST_STOPS = 2_000;
const FEWEST_LETTERS = 3;

/**
 * Bus stops that came along in answers, so that they can be offered while somebody types: the service itself may not be
 * asked for every letter. Gone after a restart.
 */
export function createKnownStops(mostStops = MOST_STOPS) {
  const known = new LRUCache<string, { readonly place: Place; readonly words: readonly string[] }>({
    max: mostStops,
  });
  return {
    remember(places: readonly Place[]): void {
      for (const place of places) {
        if (place.kind === "bus-stop" && place.atco !== undefined) {
          known.set(place.atco, { place, words: normaliseWords(`${place.name} ${place.locality ?? ""}`) });
        }
      }
    },

    /** Stops whose words begin as those of the text do, the best and then the latest first; none for fewer than three letters. */
    suggest(text: string, limit: number): readonly Place[] {
      const typed = normaliseWords(text);
      if (typed.join("").length < FEWEST_LETTERS) {
        return [];
      }
      const fitting = [...known.values()]
        .filter(({ words }) => typed.every((one) => words.some((word) => word.startsWith(one))))
        .map(({ place }) => place);
      return bestFirst(fitting, text).slice(0, limit);
    },
  };
}

/** The only place there is, or the only one of exactly this name; `undefined` where a person has to choose. */
export function onlyMatch(places: readonly Place[], text: string): Place | undefined {
  const wanted = normaliseWords(text).join(" ");
  const exact = places.filter(({ name }) => normaliseWords(name).join(" ") === wanted);
  const meant = exact.length > 0 ? exact : places;
  return meant.length === 1 ? meant[0] : undefined;
}

export type PlaceList = ReturnType<typeof createPlaceList>;

/** The part of a page of the service that a search shows, nearest first where it has a point, and where to go on from it. */
function createPlaceList(search: PlacesSearch, answer: Answer<PlacesPage>) {
  const { value } = answer;
  const { near, start } = search;
  const ordered = near ? byDistance(value.places, near) : bestFirst(value.places, search.text ?? "");
  const withinMiles = near && radiusAround(ordered);
  const all = ordered.filter(({ distanceMetres: far = 0 }) => !withinMiles || far <= withinMiles * MILE);
  const lastSkip = Math.max(0, Math.ceil(all.length / PLACES_SHOWN) - 1) * PLACES_SHOWN;
  const skip = Math.min(start.skip, lastSkip);
  const hasMoreHere = skip + PLACES_SHOWN < all.length;
  return {
    search: { ...search, start: { page: start.page, skip } },
    places: all.slice(skip, skip + PLACES_SHOWN),
    /** How far around the point they lie, where there is one. */
    withinMiles,
    previous:
      skip > 0
        ? { page: start.page, skip: skip - PLACES_SHOWN }
        : start.page > 1
          ? { page: start.page - 1, skip: LAST_SKIP }
          : undefined,
    next: hasMoreHere
      ? { page: start.page, skip: skip + PLACES_SHOWN }
      : value.hasMore && all.length === ordered.length
        ? { page: start.page + 1, skip: 0 }
        : undefined,
    dataAt: value.dataAt,
    stale: staleOf(answer),
    acknowledgements: value.acknowledgements,
  };
}

/** In metres. */
export const MILE = 1_609.344;
/** What is near; the second where nothing is. */
const [NEAR_MILES, FARTHEST_MILES] = [3, 15];

function radiusAround(nearestFirst: readonly Place[]): number {
  const [{ distanceMetres: nearest = 0 } = {}] = nearestFirst;
  return nearest <= NEAR_MILES * MILE ? NEAR_MILES : FARTHEST_MILES;
}

/**
 * Places of exactly this name, then those whose name and town it says, then those with all its words in the name, then
 * what lies in a town of this name; those alike stay in the service's order.
 */
function bestFirst(places: readonly Place[], text: string): readonly Place[] {
  const typed = normaliseWords(text);
  const rankOf = ({ name, locality = "" }: Place): number => {
    const words = normaliseWords(name);
    const town = normaliseWords(locality.split(",").at(-1) ?? "");
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

/** More than any page holds, so the last part of it is shown. */
const LAST_SKIP = 95;

/** Nearest first; distances that the service gave are kept. */
function byDistance(places: readonly Place[], near: Point): readonly Place[] {
  return places
    .map((place) => ({ ...place, distanceMetres: place.distanceMetres ?? distanceMetres(near, place) }))
    .toSorted((a, b) => a.distanceMetres - b.distanceMetres);
}
