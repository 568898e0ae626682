// Every style of the stand-in by its id.
import { inkComic } from "./comic.ts";
import { printDuotone } from "./duotone.ts";
import { engrave } from "./engraving.ts";
import { printHalftone } from "./halftone.ts";
import { paintOil } from "./oil.ts";
import { drawPencil } from "./pencil.ts";
import { dotPoints } from "./pointillism.ts";
import type { Filter } from "./raster.ts";
import { layMosaic, layStainedGlass } from "./tiles.ts";
import { paintWatercolour } from "./watercolour.ts";

/** Local filters, none of them a neural model; in the order in which they are shown. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  oil: paintOil,
  watercolour: paintWatercolour,
  pointillism: dotPoints,
  pencil: drawPencil,
  engraving: engrave,
  comic: inkComic,
  halftone: printHalftone,
  duotone: printDuotone,
  mosaic: layMosaic,
  stained_glass: layStainedGlass,
};
