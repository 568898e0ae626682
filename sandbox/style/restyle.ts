import sharp from "sharp";
import { blend, FILTERS, openPixels, type Pixels, readPixels } from "./filters.ts";

/** What to make of a picture. */
export interface RestyleOrder {
  readonly bytes: Uint8Array;
  /** One of FILTERS. */
  readonly style: string;
  /** 0 for the original, 1 for the whole effect. */
  readonly strength: number;
  readonly mix: { readonly style: string; readonly share: number } | undefined;
}

/** A JPEG. The same order always gives the same bytes. */
export async function restyle({ bytes, style, strength, mix }: RestyleOrder): Promise<Uint8Array> {
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
    throw new RangeError(`no filter is called ${style}`);
  }
  return apply(picture);
}
