// The stand-in's styles: plain image operations, no neural models.
import sharp, { type Matrix3x3, type Sharp } from "sharp";

/** Three bytes for each pixel (red, green, blue), row by row. */
interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The same picture always gives the same result. */
type Filter = (picture: Pixels) => Promise<Pixels>;

/** The weights of red, green and blue in a colour's perceived brightness. */
const LIGHTNESS: [number, number, number] = [0.299, 0.587, 0.114];
const GREY: Matrix3x3 = [LIGHTNESS, LIGHTNESS, LIGHTNESS];
const OUTLINE = { width: 3, height: 3, kernel: [-1, -1, -1, -1, 8, -1, -1, -1, -1] };
const RELIEF = { width: 3, height: 3, kernel: [-1, -1, 0, -1, 1, 1, 0, 1, 1] };

/** The styles by id, in the catalogue's order. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  oil: async (picture) => {
    const strokes = await change(picture, (image) => image.median(brush(picture, 11)));
    return change(strokes, (image) => image.modulate({ saturation: 1.4 }).convolve(RELIEF));
  },

  async watercolour(picture) {
    const washes = await change(picture, (image) =>
      image.median(brush(picture, 9)).modulate({ saturation: 1.5 }),
    );
    const pale = await change(washes, (image) => image.linear(0.66, 84));
    return cover(pale, await outline(washes, 3), "multiply");
  },

  /** Dodges the picture with its own blurred negative, so that only sharp edges remain. */
  async pencil(picture) {
    const grey = await change(picture, (image) => image.recomb(GREY).normalise());
    const soft = await change(grey, (image) => image.negate().blur(8 * scaleOf(picture)));
    const lines = await cover(grey, soft, "colour-dodge");
    return change(lines, (image) => image.linear(1.5, -130));
  },

  async comic(picture) {
    const flat = await change(picture, (image) =>
      image.median(brush(picture, 5)).modulate({ saturation: 1.7 }),
    );
    const few = { ...flat, data: flat.data.map((value) => Math.floor(value / 52) * 52 + 32) };
    return cover(few, await outline(flat, 6), "multiply");
  },

  /** Each colour has dots at its own angle. */
  async halftone(picture) {
    const size = 8 * scaleOf(picture);
    // The dot is black at its centre and fades to middle grey.
    const dot = `<radialGradient id="ramp" r="0.7"><stop stop-color="#000"/><stop offset="1" stop-color="#808080"/></radialGradient>
      <rect width="${size}" height="${size}" fill="url(#ramp)"/>`;
    const screens = await Promise.all(
      [15, 75, 0].map((angle) => screen(picture, pattern(picture, size, angle, dot))),
    );
    const data = picture.data.map((_, at) => screens[at % 3]?.data[at] ?? 0);
    return change({ ...picture, data }, (image) => image.linear([0.8, 0.78, 0.7], [40, 36, 34]));
  },

  async duotone(picture) {
    const grey = await change(picture, (image) => image.recomb(GREY).normalise());
    return change(grey, (image) => image.linear([0.85, 0.82, 0.39], [38, 24, 92]));
  },

  async mosaic(picture) {
    const size = 13 * scaleOf(picture);
    const joint = `<path fill="none" stroke="#706860" stroke-width="${size / 5}" d="M0 0H${size}V${size}H0z"/>`;
    return cover(await inPieces(picture, size), pattern(picture, size, 0, joint), "over");
  },

  async stained_glass(picture) {
    const size = 34 * scaleOf(picture);
    const lead = `<path fill="none" stroke="#18161a" stroke-width="${size / 5}" d="M0 0H${size}V${size}H0z"/>`;
    const glass = await change(picture, (image) => image.blur(size / 4).modulate({ saturation: 2.2 }));
    return cover(glass, pattern(picture, size, 45, lead), "over");
  },
};

export interface RestyleRequest {
  readonly bytes: Uint8Array;
  /** A key of FILTERS. */
  readonly style: string;
  /** From 0 for the original to 1 for the whole effect. */
  readonly strength: number;
  readonly mix: { readonly style: string; readonly share: number } | undefined;
}

/** Returns a JPEG. The same request always gives the same bytes. */
export async function restyle({ bytes, style, strength, mix }: RestyleRequest): Promise<Uint8Array> {
  const original = await readPixels(sharp(bytes).autoOrient());
  let result = await filter(style, original);
  if (mix !== undefined) {
    result = await blend(result, await filter(mix.style, original), mix.share);
  }
  return openPixels(await blend(original, result, strength))
    .jpeg({ quality: 90 })
    .toBuffer();
}

async function filter(style: string, picture: Pixels): Promise<Pixels> {
  const apply = FILTERS[style];
  if (!apply) {
    throw new RangeError(`there is no filter ${style}`);
  }
  return apply(picture);
}

function openPixels({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Mixes two pictures of the same size. `share` is from 0 for the lower picture to 1 for the upper one. */
async function blend(under: Pixels, over: Pixels, share: number): Promise<Pixels> {
  const data = under.data.map((value, at) => value + ((over.data[at] ?? 0) - value) * share);
  return share === 1 ? over : { ...under, data };
}

function change(picture: Pixels, how: (image: Sharp) => Sharp): Promise<Pixels> {
  return readPixels(how(openPixels(picture)));
}

function cover(
  picture: Pixels,
  over: Pixels | Buffer,
  mode: "over" | "multiply" | "colour-dodge" | "add",
): Promise<Pixels> {
  const layer = Buffer.isBuffer(over)
    ? { input: over }
    : {
        input: Buffer.from(over.data),
        raw: { width: over.width, height: over.height, channels: 3 as const },
      };
  return change(picture, (image) => image.composite([{ ...layer, blend: mode }]));
}

function outline(picture: Pixels, strength: number): Promise<Pixels> {
  return change(picture, (image) => image.recomb(GREY).convolve(OUTLINE)).then((edges) =>
    change(edges, (image) => image.linear(-strength, 255 + 20 * strength)),
  );
}

/** Prints a picture as a pattern of black to middle grey: the darker an area is, the more of the pattern shows there. */
async function screen(picture: Pixels, over: Buffer): Promise<Pixels> {
  const half = await change(picture, (image) => image.linear(0.5, 0));
  const sum = await cover(half, over, "add");
  return change(sum, (image) => image.threshold(128, { greyscale: false }));
}

async function inPieces(picture: Pixels, size: number): Promise<Pixels> {
  const { width, height } = picture;
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const small = await change(picture, (image) =>
    image.resize(columns, rows, { fit: "fill" }).modulate({ saturation: 1.5 }),
  );
  const large = await change(small, (image) =>
    image.resize(Math.ceil(columns * size), Math.ceil(rows * size), { kernel: "nearest", fit: "fill" }),
  );
  return change(large, (image) => image.extract({ left: 0, top: 0, width, height }));
}

/** An SVG that repeats a drawing of `size` pixels over the whole picture, at an angle in degrees. */
function pattern({ width, height }: Pixels, size: number, angle: number, drawing: string): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <pattern id="tile" width="${size}" height="${size}" patternUnits="userSpaceOnUse" patternTransform="rotate(${angle})">
      ${drawing}
    </pattern>
    <rect width="100%" height="100%" fill="url(#tile)"/>
  </svg>`);
}

/** Scales lengths to the picture's size: 1 if its longer side has 1,000 pixels. */
function scaleOf({ width, height }: Pixels): number {
  return Math.max(0.5, Math.max(width, height) / 1000);
}

/** The width of a median filter's window, in pixels; always odd. A window larger than the picture is refused. */
function brush(picture: Pixels, size: number): number {
  const shorter = Math.min(picture.width, picture.height);
  return Math.min(2 * Math.round((size * scaleOf(picture)) / 2) + 1, shorter - 1 + (shorter % 2));
}
