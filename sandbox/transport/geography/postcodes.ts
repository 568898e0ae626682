// Postcodes: where one lies, roughly, and what the postcode of a place could be.
import { hash } from "../railway/chance.ts";
import { AREAS, areaNear } from "./areas.ts";
import { metresBetween, movedBy } from "./position.ts";
import type { Position } from "./position.ts";

/** The second half has no C, I, K, M, O or V. */
const INWARD = /^(\d)([ABD-HJLNP-UW-Z]{2})$/;
/** Only districts of inner London are divided by a letter, e.g. EC1A. */
const LETTERED: ReadonlySet<string> = new Set(["E", "EC", "N", "NW", "SE", "SW", "W", "WC"]);
const INWARD_LETTERS = "ABDEFGHJLNPQRSTUWXYZ";

/** Where this postcode is, the space being optional; `undefined` for one that does not exist in Great Britain. */
export function locatePostcode(text: string): Position | undefined {
  const packed = text.toUpperCase().replaceAll(/[\s+]/g, "");
  const [, letters = "", digits, letter = "", inward] =
    /^([A-Z]{1,2})(\d{1,2})([A-Z]?)(\d[A-Z]{2})$/.exec(packed) ?? [];
  const district = AREAS.get(letters)?.districts.get(Number(digits));
  const [, sector, unit] = INWARD.exec(inward ?? "") ?? [];
  if (!district || sector === undefined || (letter !== "" && !LETTERED.has(letters))) {
    return undefined;
  }
  return movedBy(
    district.centre,
    120 + (hash(packed, unit ?? "") % 500),
    Number(sector) * 36 + (hash(packed) % 30),
  );
}

/** A postcode that lies about here, for descriptions. */
export function postcodeNear(position: Position): string {
  const area = areaNear(position);
  let number = 1;
  let bestMetres = Infinity;
  for (const [each, { centre }] of area.districts) {
    const metres = metresBetween(centre, position);
    if (metres < bestMetres) {
      number = each;
      bestMetres = metres;
    }
  }
  const luck = hash("postcode", position.latitude, position.longitude);
  const letter = (shift: number) => INWARD_LETTERS[(luck >>> shift) % INWARD_LETTERS.length] ?? "A";
  // The districts of inner London have a letter more.
  const inner = area.code.length === 2 && area.code.endsWith("C") ? "A" : "";
  return `${area.code}${number}${inner} ${luck % 9 || 9}${letter(8)}${letter(16)}`;
}
