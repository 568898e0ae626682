// The light in a picture: how bright it is, how it is blurred, where it has edges and which way they run.
import { colourAt, lightness, type Plane, type Raster } from "./raster.ts";

/** How bright each pixel looks, 0 to 1, stretched so that the darkest and the brightest hundredth are black and white. */
export function stretchedLight(picture: Raster): Plane {
  const plane = light(picture);
  const sorted = plane.data.filter((_, index) => index % 17 === 0).toSorted();
  const low = sorted[Math.floor(sorted.length * 0.01)] ?? 0;
  const high = sorted[Math.floor(sorted.length * 0.99)] ?? 1;
  const span = Math.max(0.05, high - low);
  return { ...plane, data: plane.data.map((value) => Math.min(1, Math.max(0, (value - low) / span))) };
}

/** How bright each pixel looks, 0 to 1. */
export function light(picture: Raster): Plane {
  const { width, height } = picture;
  const data = new Float32Array(width * height);
  for (let index = 0; index < data.length; index += 1) {
    data[index] = lightness(colourAt(picture, index));
  }
  return { width, height, data };
}

/** Blurred by two passes of a box each way, which is close enough to a Gauss. */
export function blur(plane: Plane, radius: number): Plane {
  const size = Math.max(1, Math.round(radius));
  return boxBlur(boxBlur(plane, size), size);
}

function boxBlur({ width, height, data }: Plane, radius: number): Plane {
  const across = slide(data, { lines: height, length: width, step: 1, lineStep: width }, radius);
  return {
    width,
    height,
    data: slide(across, { lines: width, length: height, step: width, lineStep: 1 }, radius),
  };
}

function slide(
  data: Float32Array,
  {
    lines,
    length,
    step,
    lineStep,
  }: { readonly lines: number; readonly length: number; readonly step: number; readonly lineStep: number },
  radius: number,
): Float32Array {
  const result = new Float32Array(data.length);
  const span = 2 * radius + 1;
  for (let line = 0; line < lines; line += 1) {
    const start = line * lineStep;
    const valueAt = (at: number): number => data[start + Math.min(length - 1, Math.max(0, at)) * step] ?? 0;
    let sum = 0;
    for (let at = -radius; at <= radius; at += 1) {
      sum += valueAt(at);
    }
    for (let at = 0; at < length; at += 1) {
      result[start + at * step] = sum / span;
      sum += valueAt(at + radius + 1) - valueAt(at - radius);
    }
  }
  return result;
}

/** Where the light changes. */
export interface Edges {
  /** How strongly: 0 nowhere, about 1 between black and white. */
  readonly strength: Float32Array;
  /** Across the edge, in radians. */
  readonly direction: Float32Array;
}

/** How strongly the colour changes at each pixel: also between two colours that are equally bright. */
export function findColourEdges(picture: Raster, radius: number): Float32Array {
  const { width, height } = picture;
  const channels = [0, 1, 2].map((channel) => {
    const data = new Float32Array(width * height);
    for (let index = 0; index < data.length; index += 1) {
      data[index] = (picture.data[index * 3 + channel] ?? 0) / 255;
    }
    return findEdges(blur({ width, height, data }, radius)).strength;
  });
  const [red, green, blue] = channels;
  return (red ?? new Float32Array()).map((value, index) =>
    Math.max(value, green?.[index] ?? 0, blue?.[index] ?? 0),
  );
}

/** Sobel's edges of a plane. */
export function findEdges({ width, height, data }: Plane): Edges {
  const strength = new Float32Array(data.length);
  const direction = new Float32Array(data.length);
  for (let y = 0; y < height; y += 1) {
    const [above, row, below] = [Math.max(0, y - 1), y, Math.min(height - 1, y + 1)].map(
      (line) => line * width,
    );
    for (let x = 0; x < width; x += 1) {
      const left = Math.max(0, x - 1);
      const right = Math.min(width - 1, x + 1);
      const at = (line: number | undefined, column: number): number => data[(line ?? 0) + column] ?? 0;
      const dx =
        at(above, right) +
        2 * at(row, right) +
        at(below, right) -
        at(above, left) -
        2 * at(row, left) -
        at(below, left);
      const dy =
        at(below, left) +
        2 * at(below, x) +
        at(below, right) -
        at(above, left) -
        2 * at(above, x) -
        at(above, right);
      const index = y * width + x;
      strength[index] = Math.hypot(dx, dy) / 4;
      direction[index] = Math.atan2(dy, dx);
    }
  }
  return { strength, direction };
}
