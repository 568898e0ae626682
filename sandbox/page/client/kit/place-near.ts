// Where something that opens goes, so that all of it can be seen. Pure.

/** The place that something opens from, in pixels of the window; a point has no size. */
export interface Spot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Between the spot and what opens, and to the window's edges. */
const GAP = 6;

/** Below the spot (`side` "above": above it) where there is room, else on the other side; never outside the window. */
export function placeNear(
  spot: Spot,
  size: Size,
  room: Size,
  side: "above" | "below" = "below",
): { readonly left: number; readonly top: number } {
  const below = spot.top + spot.height + GAP;
  const above = spot.top - size.height - GAP;
  const fitsBelow = below + size.height <= room.height - GAP;
  const isAbove = side === "above" ? above >= GAP || !fitsBelow : !fitsBelow && above >= GAP;
  return {
    left: clamp(spot.left, GAP, room.width - size.width - GAP),
    top: clamp(isAbove ? above : below, GAP, room.height - size.height - GAP),
  };
}

/** Too large for the window, it begins at the window's edge. */
function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
