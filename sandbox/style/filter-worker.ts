// Restyles pictures beside the sandbox's own thread, which has a whole Discord to keep going.
import { parentPort } from "node:worker_threads";
import sharp from "sharp";
import { FILTERS } from "./filters/filters.ts";
import type { Raster } from "./filters/raster.ts";
import type { FilterAnswer, FilterOrder } from "./restyler.ts";

/** Larger pictures are made smaller first: the bot does so too, by what the catalogue says. */
const MAX_SIDE = 2048;
const MAX_PIXELS = 60_000_000;

parentPort?.on("message", (order: FilterOrder) => {
  void restyle(order)
    .then(
      (bytes): FilterAnswer => ({ id: order.id, bytes }),
      (error: unknown): FilterAnswer => ({ id: order.id, problem: String(error) }),
    )
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    .then((answer) => parentPort?.postMessage(answer));
});

async function restyle({ bytes, style, strength, mix }: FilterOrder): Promise<Uint8Array> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const original: Raster = { width, height, data: new Uint8ClampedArray(data) };
  let result = filter(style, original);
  if (mix !== undefined) {
    result = blend(result, filter(mix.style, original), mix.share);
  }
  const { data: pixels } = blend(original, result, strength);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

function filter(style: string, picture: Raster): Raster {
  const apply = FILTERS[style];
  if (!apply) {
    throw new RangeError(`no filter is called ${style}`);
  }
  return apply(picture);
}

function blend(under: Raster, over: Raster, share: number): Raster {
  return share === 1
    ? over
    : { ...under, data: under.data.map((value, at) => value + ((over.data[at] ?? 0) - value) * share) };
}
