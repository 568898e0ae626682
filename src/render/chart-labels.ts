// Places for what stands beside the ends of lines: as near to each end as the others let it.

/** A middle for each of the wanted ones, `height` apart and all between `top` and `bottom`; in the same order. */
export function spreadLabels(
  wanted: readonly number[],
  { height, top, bottom }: { readonly height: number; readonly top: number; readonly bottom: number },
): readonly number[] {
  const order = wanted.map((y, index) => ({ y, index })).toSorted((a, b) => a.y - b.y);
  let highest = top + height / 2;
  for (const label of order) {
    label.y = Math.max(label.y, highest);
    highest = label.y + height;
  }
  let lowest = bottom - height / 2;
  for (const label of order.toReversed()) {
    label.y = Math.min(label.y, lowest);
    lowest = label.y - height;
  }
  return order.toSorted((a, b) => a.index - b.index).map(({ y }) => Math.round(y));
}
