// Reads coordinates as people write and copy them.
import { UserError } from "../../core/errors.ts";
import { isInGreatBritain, type Point } from "./great-britain.ts";

/**
 * A point from e.g. `53.958,-1.093`, `53.958 -1.093`, `53.958N 1.093W`, `53.958° N, 1.093° W`. In Great Britain a
 * latitude is never a longitude, so a pair in the other order is understood too. `undefined` for a text that is no
 * pair of numbers; throws a UserError for a point outside Great Britain.
 */
export function parseCoordinates(
  text: string,
  order: "latitude first" | "longitude first",
): Point | undefined {
  const [, first, firstSide, second, secondSide] = PAIR.exec(text.trim()) ?? [];
  if (first === undefined || second === undefined) {
    return undefined;
  }
  const sides = `${firstSide ?? ""}${secondSide ?? ""}`.toUpperCase();
  const values = [signed(first, firstSide), signed(second, secondSide)] as const;
  const isSwapped = sides === "" ? order === "longitude first" : /^[EW]/.test(sides) || /[NS]$/.test(sides);
  const point = toPoint(isSwapped ? [values[1], values[0]] : values);
  const other: Point = { latitude: point.longitude, longitude: point.latitude };
  const meant = [point, ...(sides === "" ? [other] : [])].find(isInGreatBritain);
  if (!meant) {
    throw new UserError(
      "That point is outside Great Britain, and I only know trains and buses there. Latitude goes first, e.g. 53.958,-1.093.",
    );
  }
  return meant;
}

const NUMBER = String.raw`([-+−]?\d{1,3}(?:\.\d{1,15})?)\s*°?\s*`;
const PAIR = new RegExp(`^${NUMBER}([NSEW])?(?:\\s*[,;/]\\s*|\\s+|(?<=[NSEW°]))${NUMBER}([NSEW])?$`, "i");

function signed(number: string, side: string | undefined): number {
  const value = Number(number.replace("−", "-").replace("+", ""));
  return side !== undefined && /[SW]/i.test(side) ? -Math.abs(value) : value;
}

function toPoint([latitude, longitude]: readonly [number, number]): Point {
  return { latitude, longitude };
}
