// Sizes and colours of board pictures. Discord shows 1,000 pixels about 360 points wide on a phone: the main
// lines have dots 4 pixels apart, which leaves their capitals 10 points high there.
import type { Mood } from "./board-picture-model.ts";

/** Width of every board in pixels. */
export const BOARD_PICTURE_WIDTH = 1_000;

/** Where text begins and ends, in pixels from the left. */
export const LEFT = 32;
export const RIGHT = BOARD_PICTURE_WIDTH - LEFT;
/** The column of places; its width holds whole numbers of large and of small dots. */
export const PLACE = { left: 172, width: 468 } as const;
/** The column of platforms: three letters of large dots. */
export const PLATFORM = { left: 660, width: 68 } as const;

/** Distances of dots, in pixels. */
export const TITLE = 6;
export const MAIN = 4;
export const SMALL = 3;

/** Of a line of large dots: its capitals, and all of it. */
export const CAP_HEIGHT = 28;
export const PANEL_HEIGHT = 36;

export const BACKGROUND = 0x0b0906;
export const UNLIT = 0x231c10;
export const AMBER = 0xffb52e;
export const DIM = 0xb5842f;
/** Colours of what is expected. */
export const COLOURS: Readonly<Record<Mood, number>> = {
  plain: AMBER,
  quiet: DIM,
  late: 0xff7426,
  cancelled: 0xff4438,
};

/** Where something of this width starts to stand in the middle, on the grid of the large dots. */
export function middle(left: number, room: number, width: number): number {
  return left + MAIN * Math.round((room - width) / 2 / MAIN);
}
