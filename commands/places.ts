import { UserError } from "../src/core/errors.ts";
import { type Reply, escapeMarkdown } from "../src/core/reply.ts";
import { lowerFirst } from "../src/core/text.ts";
import { defineCommand, defineButton } from "../src/discord/define.ts";
import type { Context, Services } from "../src/discord/define/context.ts";
import { PLACE_TEXT_LIMIT, type PlaceRef, parsePlace } from "../src/travel/parse-place.ts";
import type { PlaceKind, PlacesSearch } from "../src/travel/places.ts";
import { PLACE_KIND_WORDS, whichPlaceView, placesTitle, placesView } from "../src/travel/places-view.ts";
import { formatNamedPoint, parseNamedPoint, placesArgs, placesTarget } from "../src/travel/places-args.ts";
import { stationOption } from "../src/rail/station-options.ts";

const NEEDS = ["places", "stations"] as const;

type PlacesServices = Pick<Services, (typeof NEEDS)[number]>;

const FIRST_PAGE = { page: 1, skip: 0 } as const;

const KINDS_OFFERED = [
  "train-station",
  "bus-stop",
  "tube-station",
  "tram-stop",
  "ferry",
  "settlement",
] as const satisfies readonly PlaceKind[];

async function showPlaces(services: PlacesServices, search: PlacesSearch): Promise<Reply> {
  const list = await services.places.search(search);
  if (list.places.length === 0 && search.page === 1) {
    const title = escapeMarkdown(placesTitle({ search }));
    const where = list.withinMiles === undefined ? "" : ` (within ${list.withinMiles} miles)`;
    throw new UserError(
      `I found no ${lowerFirst(title)}${where}. Try another spelling, another type or a place nearby.`,
    );
  }
  return placesView(list, services.stations.live);
}

/**
 * The text to search for. A name is used as it was typed, because other places may have it too; a station's code stands
 * for its name. `undefined` for anything else, which means what is near it.
 */
function wordsOf(query: PlaceRef, typed: string): string | undefined {
  const isCode = query.kind === "station" && /^[a-z]{3}$/i.test(typed);
  return isCode ? query.name : query.kind === "text" || query.kind === "station" ? typed : undefined;
}

/** Names of kinds. With a place in `near`, they say what to look for and are not part of a name. */
const KIND_NAMES: readonly (readonly [RegExp, PlaceKind])[] = [
  [/^(?:bus )?stops?$/i, "bus-stop"],
  [/^(?:(?:train|railway|rail) )?stations?$/i, "train-station"],
  [/^(?:tube|underground|metro)(?: stations?)?$/i, "tube-station"],
  [/^trams?(?: stops?)?$/i, "tram-stop"],
];

async function choosePlaces(
  services: PlacesServices,
  typed: string,
  near: PlaceRef | undefined,
  type: PlaceKind | undefined,
): Promise<Reply> {
  const query = parsePlace(typed, services.stations);
  const namedKind = near && KIND_NAMES.find(([words]) => words.test(typed.trim()))?.[1];
  const kind = type ?? namedKind;
  const text = namedKind !== undefined && namedKind === kind ? undefined : wordsOf(query, typed.trim());
  if (namedKind === undefined && text === undefined && near !== undefined) {
    throw new UserError(
      "Put what you're looking for in `query`, and where to look in `near`. To see everything near a postcode or coordinates, leave out `near`.",
    );
  }
  const around = near ?? (text === undefined ? query : undefined);
  const point = around && (await services.places.locate(around));
  if (!point || !("choices" in point)) {
    return showPlaces(services, { text, near: point, kind, ...FIRST_PAGE });
  }
  const target = placesTarget("which", { text, kind, ...FIRST_PAGE });
  if (!target) {
    throw new UserError("Several places are called that. Write a postcode instead, or a shorter query.");
  }
  return whichPlaceView(point, target, formatNamedPoint);
}

const show = defineButton(placesArgs, ({ services }: Context<(typeof NEEDS)[number]>, search) =>
  showPlaces(services, search),
);

export default defineCommand({
  description: "Find stations and stops by name, or near a place",
  needs: NEEDS,
  options: {
    query: {
      type: "string",
      description: "A name, e.g. Mill Lane, or a postcode or coordinates to see what's near, e.g. YO24 1AB",
      required: true,
      maxLength: PLACE_TEXT_LIMIT,
    },
    near: {
      type: "string",
      description: "Where to look: a station, place, postcode or coordinates, e.g. York or 53.96, -1.08",
      maxLength: PLACE_TEXT_LIMIT,
      autocomplete: stationOption.autocomplete,
      recall: stationOption.recall,
    },
    type: {
      type: "string",
      description: "Only places of this kind",
      choices: KINDS_OFFERED.map((value) => ({ name: PLACE_KIND_WORDS[value].many, value })),
    },
  },
  // Async, so that an error in what was typed becomes a rejection like any other.
  run: async ({ options: { query, near, type }, services }) =>
    choosePlaces(services, query, near === undefined ? undefined : parsePlace(near, services.stations), type),
  buttons: { page: show, near: show },
  selects: {
    which: {
      args: placesArgs,
      answers: "public",
      run: ({ args, chosen, services }) => {
        const near = parseNamedPoint(chosen[0] ?? "");
        if (!near) {
          throw new UserError("That menu is out of date. Please use `/places` again.");
        }
        return showPlaces(services, { ...args, near });
      },
    },
  },
});
