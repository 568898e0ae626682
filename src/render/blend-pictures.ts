// Lays one picture over another, inside the picture process.
import { type EncodedPicture, encodeCanvas } from "./encode-picture.ts";
import { type OpenPicture, openPicture, orDamaged } from "./open-picture.ts";
import { createRawCanvas } from "./picture-canvas.ts";
import type { BlendQuestion } from "./picture-questions.ts";
import { type PictureSize, fitPixels, pixelsOf } from "./picture-size.ts";

/** Both lie there decoded. */
const BLEND_PIXELS = 16_000_000;
const CHANNELS = 4;

/** Blends in the size of `over`. Throws PictureError. */
export async function blendPictures(
  base: Uint8Array,
  over: Uint8Array,
  { opacity }: BlendQuestion,
): Promise<EncodedPicture> {
  const above = await openPicture(over);
  const size = fitPixels(above, BLEND_PIXELS);
  const aboveRgba = await decodeTo(above, size);
  const below = await openPicture(base, aboveRgba.byteLength);
  const belowRgba = await decodeTo(below, size);
  mix(belowRgba, aboveRgba, opacity);
  const blended = await encodeCanvas(createRawCanvas(size, belowRgba), {
    maxBytes: Number.MAX_SAFE_INTEGER,
    transparentAs: ["png"],
  });
  return {
    ...blended,
    wasAnimated: below.isAnimated || above.isAnimated,
    wasReduced: pixelsOf(blended) < pixelsOf(above),
  };
}

/** A service that gives back another shape has most likely cut the edges off: so is this. */
function decodeTo(picture: OpenPicture, { width, height }: PictureSize): Promise<Buffer> {
  return orDamaged(picture.decode().resize({ width, height, fit: "cover" }).ensureAlpha().raw().toBuffer());
}

/** Mixes `over` into `base`; a colour counts as much as it covers, so that nothing fades to black at an edge. */
function mix(base: Buffer, over: Buffer, opacity: number): void {
  for (let at = 0; at < base.length; at += CHANNELS) {
    const baseCovers = (base[at + 3] ?? 0) * (1 - opacity);
    const overCovers = (over[at + 3] ?? 0) * opacity;
    const covers = baseCovers + overCovers;
    const share = covers === 0 ? 0 : overCovers / covers;
    for (let channel = at; channel < at + 3; channel += 1) {
      const below = base[channel] ?? 0;
      base[channel] = Math.round(below + ((over[channel] ?? 0) - below) * share);
    }
    base[at + 3] = Math.round(covers);
  }
}
