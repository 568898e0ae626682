// The screen that boards and journeys are drawn on. Discord shows 1,000 pixels about 360 points wide on a phone: the main
// lines have dots 4 pixels apart, which leaves their capitals 10 points high there.
import { type DotScreen, drawScreen } from "./dot-screen.ts";

export const SCREEN_WIDTH = 1_000;

/** Where text begins and ends, in pixels from the left. */
export const LEFT = 32;
export const RIGHT = SCREEN_WIDTH - LEFT;

/** Distances of dots, in pixels. */
export const TITLE = 6;
export const MAIN = 4;
export const SMALL = 3;
/** A title is as large as it can be. */
export const TITLE_PITCHES = [TITLE, 5, MAIN, SMALL] as const;

const BACKGROUND = 0x0b0906;
export const AMBER = 0xffb52e;
export const DIM = 0xb5842f;
export const LATE = 0xff7426;
export const CANCELLED = 0xff4438;

/** How loud something is said. The words say it too: colour is never alone. */
export type Mood = "plain" | "quiet" | "late" | "cancelled";

/** The colour of text in each mood. */
export const MOOD_COLOURS: Readonly<Record<Mood, number>> = {
  plain: AMBER,
  quiet: DIM,
  late: LATE,
  cancelled: CANCELLED,
};

/** Gives a PNG, {@link SCREEN_WIDTH} pixels wide. */
export const drawStationScreen = (height: number, draw: (screen: DotScreen) => void): Promise<Uint8Array> =>
  drawScreen({ width: SCREEN_WIDTH, height, background: BACKGROUND }, draw);
