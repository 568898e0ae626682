// What the styles look like: previews that the service has made once, from a picture of the bot's own.
import type { Picture } from "../../render/pictures.ts";
import type { Style } from "./catalogue.ts";

/** A style and what it looks like. */
export interface GalleryEntry {
  readonly style: Style;
  /** `undefined` where the service could not make it now. */
  readonly preview: Picture | undefined;
}

/** A part of the catalogue. Styles of a group stand together. */
export interface GalleryPage {
  /** From 0. */
  readonly number: number;
  readonly pages: number;
  /** At most ten; none without a catalogue. */
  readonly entries: readonly GalleryEntry[];
}

/** How many of a page's previews are there. */
export type GalleryProgress = (done: number, all: number) => void;

export interface StyleGallery {
  /** Shows a page, the last one for a number beyond it; makes what is missing. Throws where the database is away. */
  page(number: number, onProgress: GalleryProgress): Promise<GalleryPage>;
}
