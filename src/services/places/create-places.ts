// Searches places through the store of answers, and finds out where a place lies.
import type { TransportClient } from "../../clients/transport/client.ts";
import type {
  Place,
  PlaceKind,
  PlacesPage,
  PlacesQuestion,
} from "../../clients/transport/transport-place.ts";
import { UserError } from "../../core/errors.ts";
import { quoteText } from "../../core/quote-text.ts";
import type { Answer, Answers } from "../cache/answers.ts";
import type { Stations } from "../stations/stations.ts";
import { isInGreatBritain, type Point } from "./great-britain.ts";
import { createKnownStops } from "./known-stops.ts";
import { onlyMatch } from "./only-match.ts";
import { formatLonLat } from "./format-lon-lat.ts";
import { byDistance, createPlaceList } from "./place-list.ts";
import type { Places } from "./places.ts";

/** Makes the service. A search costs at most one request, and so does the place it is near. */
export function createPlaces({
  transport,
  answers,
  stations,
}: {
  transport: Pick<TransportClient, "places">;
  answers: Answers;
  stations: Pick<Stations, "byCrs">;
}): Places {
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
    return { ...value, places: distinctPlaces(value.places) };
  };

  return {
    async search(search) {
      const { text, near, kind, start } = search;
      const { page } = start;
      return createPlaceList(
        search,
        await (near ? around(near, kind, { text, page }) : ask({ text, kinds: kind && [kind], page })),
      );
    },

    async nearest(near, kind) {
      const { value } = await around(near, kind, {});
      return { places: byDistance(value.places, near), acknowledgements: value.acknowledgements };
    },

    suggestStops: (text, limit) => knownStops.suggest(text, limit),

    find: (text, kind) => matches(text, kind && [kind]),

    async locate(ref) {
      switch (ref.kind) {
        case "station": {
          const station = stations.byCrs(ref.crs);
          if (!station) {
            throw new UserError(`I don't know where ${ref.name} is. Try a postcode instead.`);
          }
          return station;
        }
        case "point":
          return { ...ref, name: "that point" };
        case "stop":
          throw new UserError(
            "I can't tell where a stop lies from its code alone. Write its name, a postcode, or latitude and longitude.",
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
