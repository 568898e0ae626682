// Whether a point can be in Great Britain: the service knows nothing outside it, so asking would be wasted.

/** A point in degrees, WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * A coarse outline with a margin of sea, from Scilly to Shetland and St Kilda, that leaves out Ireland, France and
 * Belgium: longitude and latitude, anticlockwise from the south-west. Ours, by hand.
 */
const OUTLINE: readonly (readonly [number, number])[] = [
  [-6.6, 49.75],
  [-4.9, 49.8],
  [-1, 50.45],
  [1.35, 50.85],
  [1.6, 51.15],
  [1.95, 52.5],
  [2, 53.2],
  [0.2, 55],
  [-0.4, 61],
  [-2.6, 61],
  [-9, 58.4],
  [-9, 57.5],
  [-7.9, 56.5],
  [-6.75, 55.5],
  [-6, 55.35],
  [-5.4, 54.85],
  [-5.35, 54.5],
  [-5.5, 53.5],
  [-5.7, 51.6],
  [-6.6, 50.3],
];

/** True within the outline: a few points at sea are let through, but no town elsewhere. */
export function isInGreatBritain({ latitude, longitude }: Point): boolean {
  let isInside = false;
  for (const [index, [x, y]] of OUTLINE.entries()) {
    const [nextX, nextY] = OUTLINE[(index + 1) % OUTLINE.length] ?? [x, y];
    const crosses = y > latitude !== nextY > latitude;
    if (crosses && longitude < ((nextX - x) * (latitude - y)) / (nextY - y) + x) {
      isInside = !isInside;
    }
  }
  return isInside;
}
