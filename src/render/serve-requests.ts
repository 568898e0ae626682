// The main loop of the picture process: answers one request after the other until the bot closes the pipe.
import type { Readable, Writable } from "node:stream";
import type { OverlayOptions } from "sharp";
import { createRawCanvas, encodeCanvas, encodePicture } from "./encode-picture.ts";
import { type Frame, createFrameReader, writeFrame } from "./picture-frames.ts";
import type { BlendRequest, PictureResponse, PictureRequest, SheetRequest } from "./picture-process.ts";
import {
  type PictureSize,
  type PreparedPicture,
  PictureError,
  fitBox,
  fitPixels,
  pixelsOf,
} from "./pictures.ts";
import { type OpenPicture, openPicture, orDamaged } from "./open-picture.ts";

export async function serveRequests(requests: Readable, responses: Writable): Promise<void> {
  const read = createFrameReader(requests);
  const serveNext = async (): Promise<boolean> => {
    const frame = await read();
    if (frame !== undefined) {
      writeFrame(responses, ...(await respond(frame)));
    }
    return frame !== undefined;
  };
  while (await serveNext()) {
    // V8 does not count the memory of pictures, so without this many would pile up before it collects garbage.
    globalThis.gc?.();
  }
}

async function respond(frame: Frame): Promise<[PictureResponse, readonly Uint8Array[]]> {
  try {
    const { bytes, ...facts } = await work(frame);
    return [{ type: "picture", ...facts }, [bytes]];
  } catch (error) {
    if (error instanceof PictureError) {
      return [{ type: "problem", problem: error.problem, detail: describe(error.cause) }, []];
    }
    return [{ type: "bug", detail: describe(error) ?? "" }, []];
  }
}

function work({ message, pictures }: Frame): Promise<PreparedPicture> {
  // Only the bot sends requests, and only of this type.
  const request = message as PictureRequest;
  const [first = NOTHING, second = NOTHING, ...rest] = pictures;
  switch (request.do) {
    case "encode":
      return encodePicture(first, request);
    case "blend":
      return blendPictures(first, second, request);
    case "sheet":
      return laySheet(first, [second, ...rest], request);
  }
}

const NOTHING = new Uint8Array();

/** The message for the bot's log; cut, because a decoder may write a warning for each row. */
function describe(error: unknown): string | undefined {
  return error instanceof Error ? error.message.slice(0, 500) : undefined;
}

/** The size limit of a blend, because both pictures are in memory decoded. */
const BLEND_PIXELS = 16_000_000;
const CHANNELS = 4;
const UNLIMITED = { maxBytes: Number.MAX_SAFE_INTEGER, transparentAs: ["png"] } as const;

/** Blends two pictures; the result has the size of `over`. Throws PictureError. */
async function blendPictures(
  base: Uint8Array,
  over: Uint8Array,
  { opacity, keepsAlpha }: BlendRequest,
): Promise<PreparedPicture> {
  const above = await openPicture(over);
  const size = fitPixels(above, BLEND_PIXELS);
  const aboveRgba = await decodeTo(above, size);
  const below = await openPicture(base, aboveRgba.byteLength);
  const belowRgba = await decodeTo(below, size);
  mix(belowRgba, aboveRgba, opacity, keepsAlpha);
  const blended = await encodeCanvas(createRawCanvas(size, belowRgba), UNLIMITED);
  return {
    ...blended,
    wasAnimated: below.isAnimated || above.isAnimated,
    wasReduced: pixelsOf(blended) < pixelsOf(above),
  };
}

/** Puts each picture whole into the middle of its cell. */
async function laySheet(
  sheet: Uint8Array,
  pictures: readonly Uint8Array[],
  { cells }: SheetRequest,
): Promise<PreparedPicture> {
  const below = await openPicture(sheet);
  const laid: OverlayOptions[] = [];
  for (const [index, { left, top, width, height }] of cells.entries()) {
    const picture = await openPicture(pictures[index] ?? NOTHING);
    const size = fitBox(picture, { width, height });
    const input = await decodeTo(picture, size);
    laid.push({
      input,
      raw: { ...size, channels: CHANNELS },
      left: left + Math.floor((width - size.width) / 2),
      top: top + Math.floor((height - size.height) / 2),
    });
  }
  const size = { width: below.width, height: below.height };
  const drawn = below.decode().ensureAlpha().composite(laid).raw().toBuffer();
  const made = await encodeCanvas(createRawCanvas(size, await orDamaged(drawn)), UNLIMITED);
  return { ...made, wasAnimated: false, wasReduced: false };
}

/** Decodes to exactly this size. If the shape differs, the edges are cut off, as a service has most likely done too. */
function decodeTo(picture: OpenPicture, { width, height }: PictureSize): Promise<Buffer> {
  return orDamaged(picture.decode().resize({ width, height, fit: "cover" }).ensureAlpha().raw().toBuffer());
}

/** Mixes `over` into `base`. Colours are weighted by their alpha, so that transparent edges do not turn black. */
function mix(base: Buffer, over: Buffer, opacity: number, keepsAlpha: boolean): void {
  for (let at = 0; at < base.length; at += CHANNELS) {
    const baseCovers = (base[at + 3] ?? 0) * (1 - opacity);
    const overCovers = (over[at + 3] ?? 0) * opacity;
    const covers = baseCovers + overCovers;
    const share = covers === 0 ? 0 : overCovers / covers;
    for (let channel = at; channel < at + 3; channel += 1) {
      const below = base[channel] ?? 0;
      base[channel] = Math.round(below + ((over[channel] ?? 0) - below) * share);
    }
    base[at + 3] = keepsAlpha ? (base[at + 3] ?? 0) : Math.round(covers);
  }
}
