// Pictures laid of pieces of one colour each: stained glass, and a mosaic of stones.
import {
  chance,
  colourAt,
  type Colour,
  type Filter,
  mixColours,
  paintEach,
  placeIn,
  type Raster,
  saturate,
  scaleOf,
  smoothStep,
} from "./raster.ts";

interface Pieces {
  /** Of a piece, in pixels of a picture of 1,000. */
  readonly size: number;
  /** How far a piece's middle may stray: 0 for a grid, 1 for anywhere in its cell. */
  readonly stray: number;
  /** Half the width of what is between pieces, as a share of their size. */
  readonly joint: number;
  readonly jointColour: Colour;
  readonly saturation: number;
  /** How much one piece differs from its neighbours in brightness. */
  readonly variety: number;
  /** How much brighter a piece is at its upper left than at its lower right. */
  readonly bevel: number;
}

/** Large pieces with lead between them; the light comes from behind. */
export const layStainedGlass: Filter = (picture) =>
  lay(picture, {
    size: 34,
    stray: 0.8,
    joint: 0.055,
    jointColour: [24, 22, 26],
    saturation: 1.9,
    variety: 34,
    bevel: 10,
  });

/** Small stones in rows that are not quite straight. */
export const layMosaic: Filter = (picture) =>
  lay(picture, {
    size: 13,
    stray: 0.24,
    joint: 0.065,
    jointColour: [112, 104, 96],
    saturation: 1.45,
    variety: 34,
    bevel: 40,
  });

const neighbours = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column) => [column, row] as const));

function lay(picture: Raster, pieces: Pieces): Raster {
  const { size, stray, joint, jointColour, saturation, variety, bevel } = pieces;
  const cell = Math.max(5, size * scaleOf(picture));
  const columns = Math.ceil(picture.width / cell) + 4;
  const middle = (column: number, row: number): readonly [number, number] => [
    (column + 0.5 + (chance(column, row, 21) - 0.5) * stray) * cell,
    (row + 0.5 + (chance(column, row, 22) - 0.5) * stray) * cell,
  ];
  const colours = new Map<number, Colour>();
  const colourOf = (column: number, row: number): Colour => {
    const key = (row + 2) * columns + column + 2;
    const known = colours.get(key);
    if (known) {
      return known;
    }
    const [x, y] = middle(column, row);
    const tone = (chance(column, row, 23) - 0.5) * variety;
    const [red, green, blue] = saturate(meanAround(picture, x, y, cell * 0.35), saturation);
    const colour = [red + tone, green + tone, blue + tone] as const;
    colours.set(key, colour);
    return colour;
  };
  return paintEach(picture, (_, x, y) => {
    const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)];
    const around = neighbours.map(([c, r]) => middle(column + c, row + r));
    let own = 0;
    let nearest = Infinity;
    for (const [at, [mx, my]] of around.entries()) {
      const distance = (x - mx) ** 2 + (y - my) ** 2;
      if (distance < nearest) {
        nearest = distance;
        own = at;
      }
    }
    const [ownX, ownY] = around[own] ?? [x, y];
    let border = Infinity;
    for (const [at, [mx, my]] of around.entries()) {
      if (at !== own) {
        // How far it is to the line half-way between the two middles.
        const between = Math.hypot(mx - ownX, my - ownY);
        border = Math.min(border, ((x - mx) ** 2 + (y - my) ** 2 - nearest) / (2 * between));
      }
    }
    const [c, r] = neighbours[own] ?? [0, 0];
    const [red, green, blue] = colourOf(column + c, row + r);
    const shine = ((ownX - x + ownY - y) / cell) * bevel;
    const inside = smoothStep(joint * 0.7, joint * 1.6, border / cell);
    return mixColours(jointColour, [red + shine, green + shine, blue + shine], inside);
  });
}

/** Of a handful of places, which is enough for a small piece. */
function meanAround(picture: Raster, x: number, y: number, reach: number): Colour {
  const sum: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (let dy = -1; dy <= 1; dy += 1) {
    for (let dx = -1; dx <= 1; dx += 1) {
      const colour = colourAt(picture, placeIn(picture, x + dx * reach, y + dy * reach));
      sum.forEach((value, at) => (sum[at] = value + (colour[at] ?? 0)));
      count += 1;
    }
  }
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}
