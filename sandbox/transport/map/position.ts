/** Degrees in WGS 84. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

export const DEGREE_KM = 111.2;

/** Kilometres as the crow flies; accurate enough within Great Britain. */
export function kmBetween(a: Position, b: Position): number {
  const north = (b.latitude - a.latitude) * DEGREE_KM;
  const east = (b.longitude - a.longitude) * DEGREE_KM * narrowing((a.latitude + b.latitude) / 2);
  return Math.hypot(north, east);
}

export function metresBetween(a: Position, b: Position): number {
  return Math.round(kmBetween(a, b) * 1_000);
}

/** In degrees from north. */
export function bearing(from: Position, to: Position): number {
  const north = to.latitude - from.latitude;
  const east = (to.longitude - from.longitude) * narrowing(from.latitude);
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}

/** The nearest item; `undefined` if there are none. Faster than calculating each distance. */
export function nearestOf<Item>(
  to: Position,
  items: readonly Item[],
  positionOf: (item: Item) => Position,
): Item | undefined {
  const narrow = narrowing(to.latitude);
  let best: Item | undefined;
  let bestSquare = Infinity;
  for (const item of items) {
    const { latitude, longitude } = positionOf(item);
    const north = latitude - to.latitude;
    const east = (longitude - to.longitude) * narrow;
    const square = north * north + east * east;
    if (square < bestSquare) {
      best = item;
      bestSquare = square;
    }
  }
  return best;
}

/** The position at a distance and a bearing (degrees from north), rounded to five decimals, about a metre. */
export function movedBy(from: Position, metres: number, bearingDegrees: number): Position {
  const radians = (bearingDegrees * Math.PI) / 180;
  const degrees = metres / 1_000 / DEGREE_KM;
  return {
    latitude: rounded(from.latitude + degrees * Math.cos(radians)),
    longitude: rounded(from.longitude + (degrees * Math.sin(radians)) / narrowing(from.latitude)),
  };
}

/** Roughly: a box without Ireland and the coast of France. */
export function isInGreatBritain({ latitude, longitude }: Position): boolean {
  const inBox = latitude >= 49.85 && latitude <= 60.9 && longitude >= -8.7 && longitude <= 1.8;
  const inIreland = latitude < 55.45 && longitude < -5.43 && latitude > 51.2;
  const inFrance = latitude < 51.05 && longitude > 1.45;
  return inBox && !inIreland && !inFrance;
}

/** The distance of meridians at a latitude, as a share of that at the equator. */
function narrowing(latitude: number): number {
  return Math.cos((latitude * Math.PI) / 180);
}

function rounded(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000;
}
