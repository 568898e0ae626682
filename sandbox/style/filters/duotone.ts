// Duotone: two inks and the grain of a cheap press.
import { stretchedLight } from "./planes.ts";
import { chance, type Filter, mixColours, paintEach, smoothStep } from "./raster.ts";

const SHADOW = [38, 24, 92] as const;
const MIDDLE = [236, 72, 98] as const;
const LIGHT = [255, 232, 190] as const;

export const printDuotone: Filter = (picture) => {
  const plane = stretchedLight(picture);
  return paintEach(picture, (index, x, y) => {
    const grain = (chance(x, y, 9) - 0.5) * 0.09;
    const tone = smoothStep(-0.05, 1.05, (plane.data[index] ?? 0) + grain);
    return tone < 0.5 ? mixColours(SHADOW, MIDDLE, tone * 2) : mixColours(MIDDLE, LIGHT, tone * 2 - 1);
  });
};
