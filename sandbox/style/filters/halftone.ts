// A newspaper of the time before screens: dots of four inks, each in its own angle.
import { blur } from "./planes.ts";
import { colourAt, type Filter, paintEach, type Plane, type Raster, scaleOf, smoothStep } from "./raster.ts";

const PAPER = [244, 236, 216] as const;
/** What an ink lets through of red, green and blue, and the angle of its dots in degrees. */
const INKS = [
  { lets: [0.1, 0.62, 0.85], angle: 15 },
  { lets: [0.88, 0.14, 0.48], angle: 75 },
  { lets: [0.99, 0.87, 0.12], angle: 0 },
  { lets: [0.14, 0.13, 0.15], angle: 45 },
] as const;

export const printHalftone: Filter = (picture) => {
  const scale = scaleOf(picture);
  const cell = Math.max(5, 7.5 * scale);
  const amounts = separate(picture).map((plane) => blur(plane, cell / 4));
  return paintEach(picture, (index, x, y) => {
    let [red, green, blue]: [number, number, number] = [...PAPER];
    for (const [number, { lets, angle }] of INKS.entries()) {
      const amount = amounts[number]?.data[index] ?? 0;
      const radians = (angle * Math.PI) / 180;
      const u = (x * Math.cos(radians) + y * Math.sin(radians)) / cell;
      const v = (y * Math.cos(radians) - x * Math.sin(radians)) / cell;
      const distance = Math.hypot(u - Math.round(u), v - Math.round(v));
      const ink = smoothStep(0.09, -0.09, distance - 0.72 * Math.sqrt(amount));
      red *= 1 - ink * (1 - lets[0]);
      green *= 1 - ink * (1 - lets[1]);
      blue *= 1 - ink * (1 - lets[2]);
    }
    return [red, green, blue];
  });
};

/** How much of cyan, magenta, yellow and black each pixel needs, 0 to 1. */
function separate(picture: Raster): readonly Plane[] {
  const { width, height } = picture;
  const planes = INKS.map(() => ({ width, height, data: new Float32Array(width * height) }));
  for (let index = 0; index < width * height; index += 1) {
    const [red, green, blue] = colourAt(picture, index);
    const black = 1 - Math.max(red, green, blue) / 255;
    const left = Math.max(0.001, 1 - black);
    const shares = [red, green, blue].map((value) => (1 - value / 255 - black) / left);
    for (const [number, plane] of planes.entries()) {
      plane.data[index] =
        number === 3 ? black ** 2.6 : Math.max(0, shares[number] ?? 0) * 0.85 + black * 0.18;
    }
  }
  return planes;
}
