// A list of places as a reply: each with what can be done from there, and buttons through a long list.
import { formatComponentId } from "../core/component-id.ts";
import { buttonTo, type ActionButton, type Part, type Reply, card, escapeMarkdown } from "../core/reply.ts";
import type { Place, PlaceList, PlacesStart } from "./places.ts";
import { DEFAULT_ROWS, boardArgs } from "../rail/board-args.ts";
import type { Stations } from "../rail/stations.ts";
import { oneLine } from "../core/text.ts";
import { busTarget, placesTarget } from "./places-args.ts";
import { PLACE_KIND_WORDS, placeDetails, placeName } from "./which-place-view.ts";
import { sourceLines } from "../sources/source-words.ts";

/** Shows one page of a list. Only a page after the first may be empty. `stations`: all places that have live boards. */
export function placesView(list: PlaceList, stations: Pick<Stations["live"], "byCrs">): Reply {
  const offered = new Set<string>();
  const known = list.places.map((place) => ({ place, board: boardCode(place, stations) }));
  const rows = known.map(({ place, board }) => placeBlock(place, board, offered));
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
 * The code of the place's live board; `undefined` if there is none. The national register has two codes for a London stop:
 * `9400ZZLUEUS` for a part of it, and `940GZZLUEUS` for the whole station, which is the code of its boards.
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

function placeBlock(place: Place, board: string | undefined, offered: Set<string>): Part {
  const { sign } = PLACE_KIND_WORDS[place.kind];
  const text = `${sign} **${escapeMarkdown(placeName(place))}**\n-# ${escapeMarkdown(placeDetails(place))}`;
  const accessory = placeButton(place, board);
  const id = accessory && formatComponentId(accessory.target);
  // Two components of one message may not have the same id.
  if (!accessory || id === undefined || offered.has(id)) {
    return text;
  }
  offered.add(id);
  return { type: "section", texts: [text], accessory };
}

function placeButton(place: Place, board: string | undefined): ActionButton | undefined {
  if (board !== undefined) {
    const args = boardArgs.encode({ station: board, rows: DEFAULT_ROWS, look: "picture" });
    return buttonTo("Departures", { command: "departures", action: "refresh", args });
  }
  if (place.kind === "bus-stop" && place.atco !== undefined) {
    return buttonTo("Buses", busTarget("show", { atco: place.atco, skip: 0, look: "picture" }));
  }
  const near = { latitude: place.latitude, longitude: place.longitude, name: place.name };
  const target = placesTarget("near", { near, page: 1, skip: 0 });
  return target && buttonTo("Near here", target);
}

function pageButton(label: string, { search }: PlaceList, start: PlacesStart | undefined) {
  const target = start && placesTarget("page", { ...search, ...start });
  return target && buttonTo(label, target);
}
