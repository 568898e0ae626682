// Postcodes and their post towns. Positions are coarse, but a postcode is near its own town.
import { hash } from "../railway/chance.ts";
import { stationByCrs, type RailStation } from "../railway/stations.ts";
import { movedBy, nearestOf, type Position } from "./position.ts";
import areas from "./postcode-areas.json" with { type: "json" };

/** Districts of a postcode area that are around one station. */
export interface PostTown {
  /** e.g. `YO`. */
  readonly area: string;
  readonly station: RailStation;
  /** e.g. 24 for YO24. */
  readonly districts: readonly number[];
}

const LONDON: ReadonlySet<string> = new Set("BR CR E EC EN HA IG KT N NW RM SE SM SW TW UB W WC".split(" "));
/** The areas whose districts may end in a letter, e.g. EC1A; all are in inner London. */
const LETTERED: ReadonlySet<string> = new Set("E EC N NW SE SW W WC".split(" "));
/** The second half never contains C, I, K, M, O or V. */
const FULL_POSTCODE = /^([A-Z]{1,2})(\d{1,2})([A-Z]?)(\d)([ABD-HJLNP-UW-Z]{2})$/;

/** Parsed from e.g. `YRK 1,7-8; SCA 11-13`: stations with their districts; the area's own town comes first. */
const towns: readonly PostTown[] = Object.entries(areas).flatMap(([area, text]) =>
  text.split("; ").flatMap((part) => {
    const [crs = "", numbers = ""] = part.split(" ");
    const station = stationByCrs(crs);
    return station ? [{ area, station, districts: parseNumbers(numbers) }] : [];
  }),
);

/** The position of a postcode, with or without its space; `undefined` if Great Britain has no such postcode. */
export function locatePostcode(text: string): Position | undefined {
  const packed = text.toUpperCase().replaceAll(/[\s+]/g, "");
  const [, area = "", digits, letter, sector] = FULL_POSTCODE.exec(packed) ?? [];
  // Prefers other towns to the area's own, which may list the same district.
  const town = towns.findLast((each) => each.area === area && each.districts.includes(Number(digits)));
  if (!town || (letter !== "" && !LETTERED.has(area))) {
    return undefined;
  }
  return movedBy(centreOf(town, Number(digits)), 120 + (hash(packed) % 500), Number(sector) * 36);
}

export function postTownNear(position: Position): PostTown {
  const nearest = nearestOf(position, towns, ({ station }) => station);
  if (!nearest) {
    throw new Error("There are no postcode areas");
  }
  return nearest;
}

export function isInLondon({ area }: PostTown): boolean {
  return LONDON.has(area);
}

export function townName(town: PostTown): string {
  return isInLondon(town) ? "London" : placeNameOf(town.station.name);
}

/** A station's name without the words that only distinguish stations, e.g. Poppleton, Leeds, Waterloo. */
export function placeNameOf(stationName: string): string {
  return stationName
    .replace(/ \(.*\)$/, "")
    .replace(/^London (?!Road|Fields)/, "")
    .replace(
      / (Central|Parkway|Town|North|South|East|West|Junction|International|General|High Level|Low Level|Victoria|Piccadilly|Queen Street|Lime Street|New Street|Temple Meads|St Davids|Spa|City|Harbour|Waverley)$/,
      "",
    );
}

/** The centre of a district. Districts later in the list are further from the station. */
function centreOf({ area, station, districts }: PostTown, number: number): Position {
  const metres = 300 + Math.min(districts.indexOf(number), 12) * 90;
  return movedBy(station, metres, hash(area, number) % 360);
}

/** `1,7-8` becomes 1, 7 and 8. */
function parseNumbers(text: string): readonly number[] {
  return text.split(",").flatMap((part) => {
    const [from = 0, to = from] = part.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_each, at) => from + at);
  });
}
