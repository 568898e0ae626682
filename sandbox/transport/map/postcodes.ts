// Postcodes and the towns that they are called after: coarse, but a postcode lies near its own town.
import { hash } from "../railway/chance.ts";
import { stationByCrs, type RailStation } from "../railway/stations.ts";
import { movedBy, nearestOf, type Position } from "./position.ts";
import areas from "./postcode-areas.json" with { type: "json" };

/** Where some districts of a postcode area are: around this station. */
export interface PostTown {
  /** e.g. `YO`. */
  readonly area: string;
  readonly station: RailStation;
  /** e.g. 24 of YO24. */
  readonly districts: readonly number[];
}

const LONDON: ReadonlySet<string> = new Set("BR CR E EC EN HA IG KT N NW RM SE SM SW TW UB W WC".split(" "));
/** Letters that follow the number of a district in inner London, as in EC1A. */
const LETTERED: ReadonlySet<string> = new Set("E EC N NW SE SW W WC".split(" "));
/** The second half has no C, I, K, M, O or V. */
const WHOLE = /^([A-Z]{1,2})(\d{1,2})([A-Z]?)(\d)([ABD-HJLNP-UW-Z]{2})$/;

/** Written as `YRK 1,7-8; SCA 11-13`: stations, the area's own town first, each with its districts. */
const towns: readonly PostTown[] = Object.entries(areas).flatMap(([area, text]) =>
  text.split("; ").flatMap((part) => {
    const [crs = "", numbers = ""] = part.split(" ");
    const station = stationByCrs(crs);
    return station ? [{ area, station, districts: parseNumbers(numbers) }] : [];
  }),
);

/** Where this postcode is, the space being optional; `undefined` for one that does not exist in Great Britain. */
export function locatePostcode(text: string): Position | undefined {
  const packed = text.toUpperCase().replaceAll(/[\s+]/g, "");
  const [, area = "", digits, letter, sector] = WHOLE.exec(packed) ?? [];
  // A town of the area before the area's own, which may have the district too.
  const town = towns.findLast((each) => each.area === area && each.districts.includes(Number(digits)));
  if (!town || (letter !== "" && !LETTERED.has(area))) {
    return undefined;
  }
  return movedBy(centreOf(town, Number(digits)), 120 + (hash(packed) % 500), Number(sector) * 36);
}

/** The town whose postcodes are used here. */
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

/** e.g. `York`. */
export function townName(town: PostTown): string {
  return isInLondon(town) ? "London" : placeNameOf(town.station.name);
}

/** A station's place: its name without what only tells stations apart, e.g. Poppleton, Leeds, Waterloo. */
export function placeNameOf(stationName: string): string {
  return stationName
    .replace(/ \(.*\)$/, "")
    .replace(/^London (?!Road|Fields)/, "")
    .replace(
      / (Central|Parkway|Town|North|South|East|West|Junction|International|General|High Level|Low Level|Victoria|Piccadilly|Queen Street|Lime Street|New Street|Temple Meads|St Davids|Spa|City|Harbour|Waverley)$/,
      "",
    );
}

/** The further down the list, the further from the station. */
function centreOf({ area, station, districts }: PostTown, number: number): Position {
  const metres = 300 + Math.min(districts.indexOf(number), 12) * 90;
  return movedBy(station, metres, hash(area, number) % 360);
}

/** `1,7-8` is 1, 7 and 8. */
function parseNumbers(text: string): readonly number[] {
  return text.split(",").flatMap((part) => {
    const [from = 0, to = from] = part.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_each, at) => from + at);
  });
}
