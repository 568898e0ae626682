// Sizes and colours of charts. Discord shows 1,000 pixels about 360 points wide on a phone: letters are as large as on
// boards. The background is the charts' own, so that they are the same in Discord's dark and light.

/** Size of every chart in pixels. */
export const CHART_WIDTH = 1_000;
export const CHART_HEIGHT = 520;

/** Where anything begins and ends, in pixels from the left. */
export const LEFT = 32;
export const RIGHT = CHART_WIDTH - LEFT;
/** Where the lines' highest and lowest values stand, in pixels from the top. */
export const PLOT_TOP = 148;
export const PLOT_BOTTOM = 452;

/** Distances of dots, in pixels. */
export const TITLE = 5;
export const MAIN = 4;
export const SMALL = 3;

export const BACKGROUND = 0x1e1f22;
export const GRID = 0x34363c;
/** The line from which counts are counted. */
export const BASE = 0x5c5f66;
export const BRIGHT = 0xf2f3f5;
export const DIM = 0xa3a8b1;
/** Of the first, second and third line; told apart also by those who see red and green alike. */
export const LINES = [0x7aa2ff, 0xffb52e, 0x4fd6a5] as const;

/** A colour as canvas wants it; `opacity` is 0 to 1. */
export function cssColour(colour: number, opacity = 1): string {
  return `rgb(${colour >> 16} ${(colour >> 8) & 255} ${colour & 255} / ${opacity})`;
}
