import { type ComponentTarget, formatComponentId } from "../core/component-id.ts";
import { UserError } from "../core/errors.ts";
import {
  type ActionButton,
  CHOICES_LIMIT,
  type Part,
  type Reply,
  type SelectChoice,
  buttonTo,
  card,
  escapeMarkdown,
  menu,
  privateCard,
} from "../core/reply.ts";
import { joinDots, listOr, oneLine, quoteText } from "../core/text.ts";
import { DEFAULT_ROWS, boardArgs } from "../rail/board-args.ts";
import type { Stations } from "../rail/stations.ts";
import { sourceLines, sourceNames } from "../sources/source-words.ts";
import { type ChoosingArgs, formatChoosingArgs, formatEnd } from "./journey-args.ts";
import type { EndChoice, EndChoices } from "./journeys.ts";
import { busTarget, placesTarget } from "./places-args.ts";
import {
  MILE_METRES,
  type Place,
  type PlaceChoices,
  type PlaceKind,
  type PlaceList,
  type PlacesStart,
} from "./places.ts";

/** Only a page after the first may be empty. `stations`: all places that have live boards. */
export function placesView(list: PlaceList, stations: Pick<Stations["live"], "byCrs">): Reply {
  const usedIds = new Set<string>();
  const known = list.places.map((place) => ({ place, board: boardCode(place, stations) }));
  const rows = known.map(({ place, board }) => placeBlock(place, board, usedIds));
  const stops = known.filter(({ place }) => isTubeTramOrFerry(place));
  const unknown = stops.filter(({ board }) => board === undefined);
  return card([
    `### ${escapeMarkdown(placesTitle(list))}${list.withinMiles === undefined ? "" : `\n-# Within ${list.withinMiles} miles`}`,
    ...(rows.length > 0 ? rows : ["That's all."]),
    unknown.length > 0 &&
      `I know where ${unknown.length < stops.length ? "the other" : "these"} tubes, trams and ferries stop, but not when they leave.`,
    [pageButton("Back", list, list.previous), pageButton("More", list, list.next)],
    sourceLines(list),
  ]);
}

function isTubeTramOrFerry({ kind }: Place): boolean {
  return kind === "tube-station" || kind === "tram-stop" || kind === "ferry";
}

/**
 * `undefined` if there is none. The national register has two codes for a London stop: `9400ZZLUEUS` for a
 * part of it, and `940GZZLUEUS` for the whole station, which is the code of its boards.
 */
function boardCode(place: Place, stations: Pick<Stations["live"], "byCrs">): string | undefined {
  if (place.kind === "train-station") {
    return place.crs;
  }
  const code = place.atco?.replace(/^(9\d\d)0/, "$1G") ?? "";
  return isTubeTramOrFerry(place) ? (place.crs ?? stations.byCrs(code)?.crs) : undefined;
}

/** e.g. `Bus stops near YO24 1AB`, `Places called “Mill”`. */
export function placesTitle({ search: { text, near, kind } }: Pick<PlaceList, "search">): string {
  const what = kind === undefined ? "Places" : PLACE_KIND_WORDS[kind].many;
  return [
    text === undefined && kind === undefined ? "Stations, stops and places" : what,
    text === undefined ? undefined : `called “${oneLine(text, 60)}”`,
    near && `near ${oneLine(near.name, 60)}`,
  ]
    .filter(Boolean)
    .join(" ");
}

function placeBlock(place: Place, board: string | undefined, usedIds: Set<string>): Part {
  const { sign } = PLACE_KIND_WORDS[place.kind];
  const text = `${sign} **${escapeMarkdown(placeName(place))}**\n-# ${escapeMarkdown(placeDetails(place))}`;
  const accessory = placeButton(place, board);
  const id = accessory && formatComponentId(accessory.target);
  // Two components of one message may not have the same id.
  if (!accessory || id === undefined || usedIds.has(id)) {
    return text;
  }
  usedIds.add(id);
  return { type: "section", texts: [text], accessory };
}

function placeButton(place: Place, board: string | undefined): ActionButton | undefined {
  if (board !== undefined) {
    const args = boardArgs.encode({ station: board, rows: DEFAULT_ROWS, format: "picture" });
    return buttonTo("Departures", { command: "departures", action: "refresh", args });
  }
  if (place.kind === "bus-stop" && place.atco !== undefined) {
    return buttonTo("Buses", busTarget("show", { atco: place.atco, skip: 0, format: "picture" }));
  }
  const near = { latitude: place.latitude, longitude: place.longitude, name: place.name };
  const target = placesTarget("near", { near, page: 1, skip: 0 });
  return target && buttonTo("Near here", target);
}

function pageButton(label: string, { search }: PlaceList, start: PlacesStart | undefined) {
  const target = start && placesTarget("page", { ...search, ...start });
  return target && buttonTo(label, target);
}

const LABEL_LIMIT = 100;

/** `target` answers with a message of its own. `valueOf` writes a place; those without one are left out. */
export function whichPlaceView(
  { text, isNear, choices, acknowledgements }: PlaceChoices,
  target: ComponentTarget,
  valueOf: (place: Place) => string | undefined,
): Reply {
  const name = escapeMarkdown(oneLine(text, 60));
  const found = isNear === true ? `Several stops are near ${name}.` : `Several places fit “${name}”.`;
  const add = isNear === true ? "type its name or code" : "add the town, e.g. Mill Lane York";
  const hint = choices.length < CHOICES_LIMIT ? "" : ` If yours isn't listed, ${add}.`;
  const question = `### Which one do you mean?\n${found}${hint}`;
  return privateCard([
    question,
    menu(target, "Pick one…", menuChoices(choices, valueOf)),
    sourceNames(acknowledgements),
  ]);
}

/** Values must differ, so a place that comes twice is offered once. */
function menuChoices(
  places: readonly Place[],
  valueOf: (place: Place) => string | undefined,
): readonly SelectChoice[] {
  const byValue = Map.groupBy(places, valueOf);
  return [...byValue]
    .flatMap(([value, [place]]) =>
      value === undefined || place === undefined
        ? []
        : {
            label: oneLine(`${PLACE_KIND_WORDS[place.kind].sign} ${placeName(place)}`, LABEL_LIMIT),
            value,
            description: oneLine(placeDetails(place), LABEL_LIMIT),
          },
    )
    .slice(0, CHOICES_LIMIT);
}

/** The emoji tells kinds apart at a glance. */
export const PLACE_KIND_WORDS: Readonly<
  Record<PlaceKind, { readonly one: string; readonly many: string; readonly sign: string }>
> = {
  "train-station": { one: "Train station", many: "Train stations", sign: "🚆" },
  "bus-stop": { one: "Bus stop", many: "Bus stops", sign: "🚌" },
  "tube-station": { one: "Tube or metro station", many: "Tube and metro stations", sign: "🚇" },
  "tram-stop": { one: "Tram stop", many: "Tram stops", sign: "🚊" },
  ferry: { one: "Ferry terminal", many: "Ferry terminals", sign: "⛴️" },
  settlement: { one: "Town or village", many: "Towns and villages", sign: "🏘️" },
  postcode: { one: "Postcode", many: "Postcodes", sign: "📮" },
  other: { one: "Place", many: "Other places", sign: "📍" },
};

const NAME_LIMIT = 70;
const LOCALITY_LIMIT = 60;

/** A place's name on one line, with its code if it has one that people use, e.g. `York (YRK)`. */
function placeName({ name, crs }: Place): string {
  return `${oneLine(name, NAME_LIMIT)}${crs === undefined ? "" : ` (${crs})`}`;
}

/** e.g. `Bus stop · 240 m · Bishopthorpe, York`. */
function placeDetails({ kind, distanceMetres, locality }: Place): string {
  return joinDots(
    PLACE_KIND_WORDS[kind].one,
    distanceMetres === undefined ? undefined : formatDistance(distanceMetres),
    locality && oneLine(locality, LOCALITY_LIMIT),
  );
}

/** e.g. `240 m`, `0.8 miles`, `26 miles`. */
export function formatDistance(metres: number): string {
  if (metres < 995) {
    return `${Math.max(10, Math.round(metres / 10) * 10)} m`;
  }
  const miles = metres / MILE_METRES;
  return `${miles < 9.95 ? miles.toFixed(1) : Math.round(miles)} miles`;
}

/** How many characters a name may take in a choice's value, besides the place itself. */
const VALUE_NAME_LIMIT = 60;
/** Marks a text to search for; no place's value begins with it. */
const SEARCH_MARK = "?";

/** Throws a UserError with the same choices in words if the rest of the question does not fit in an id. */
export function placeChoiceView(
  { text, choices, canSearch, acknowledgements }: EndChoices,
  args: ChoosingArgs,
): Reply {
  const remembered = formatChoosingArgs(args);
  const list = listOr(choices.slice(0, 3).map((choice) => quoteText(choiceLabel(choice))));
  const found = `“${quoteText(text)}” may be ${list}.`;
  if (!remembered) {
    throw new UserError(`${found} Pick one from the list as you type.`);
  }
  // Values must differ, but several places may have the code of one station.
  const byValue = new Map(choices.map(formatChoice).map((choice) => [choice.value, choice]));
  return privateCard([
    `### Which one do you mean?\n${found}`,
    menu(
      { command: "journey", action: "choose", args: remembered },
      args.side === "from" ? "Where from…" : "Where to…",
      [...byValue.values(), ...(canSearch ? [searchChoice(text)] : [])],
    ),
    !canSearch && sourceNames(acknowledgements),
  ]);
}

function searchChoice(text: string): SelectChoice {
  return {
    label: `Somewhere else called ${oneLine(text, 40)}`,
    value: `${SEARCH_MARK}${text}`,
    description: "Search stops, towns and places",
  };
}

function formatChoice(choice: EndChoice): SelectChoice {
  const { end, detail } = choice;
  const label = choiceLabel(choice);
  return {
    label,
    value: formatEnd(end, VALUE_NAME_LIMIT),
    ...(detail !== undefined && { description: detail }),
  };
}

function choiceLabel({ end }: EndChoice): string {
  return end.place.kind === "station" ? `${end.name} (${end.place.crs})` : end.name;
}

/** A place as written for ids, or a name to search for. */
export function parsePlaceChoice(value: string): { readonly text: string; readonly isSearch: boolean } {
  const isSearch = value.startsWith(SEARCH_MARK);
  return { text: isSearch ? value.slice(SEARCH_MARK.length) : value, isSearch };
}
