// Points as short texts.
import type { Point } from "./great-britain.ts";

/** Longitude first, as the service wants it; five digits are a metre. */
export function formatLonLat({ latitude, longitude }: Point): string {
  return `${round(longitude)},${round(latitude)}`;
}

function round(degrees: number): string {
  return String(Number(degrees.toFixed(5)));
}
