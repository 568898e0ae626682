// The dot-matrix screen that boards and journeys are drawn on. A phone shows 1,000 pixels about 360 points wide. The
// main lines have dots 4 pixels apart, so that their capitals are still 10 points high there.
import { type DotScreen, drawScreen } from "./dot-screen.ts";

export const SCREEN_WIDTH = 1_000;

/** The edges of the text, in pixels from the left. */
export const LEFT = 32;
export const RIGHT = SCREEN_WIDTH - LEFT;

/** Pitches, i.e. distances between dots, in pixels. */
export const TITLE = 6;
export const MAIN = 4;
export const SMALL = 3;
/** The pitches to try for a title: it gets the largest that fits. */
export const TITLE_PITCHES = [TITLE, 5, MAIN, SMALL] as const;

const BACKGROUND = 0x0b0906;
export const AMBER = 0xffb52e;
export const DIM = 0xb5842f;
export const LATE = 0xff7426;
export const CANCELLED = 0xff4438;

/** The state that a text's colour expresses. The words say it too, because colour alone is not accessible. */
export type Mood = "plain" | "quiet" | "late" | "cancelled";

export const MOOD_COLOURS: Readonly<Record<Mood, number>> = {
  plain: AMBER,
  quiet: DIM,
  late: LATE,
  cancelled: CANCELLED,
};

/** Returns a PNG, {@link SCREEN_WIDTH} pixels wide. */
export const drawStationScreen = (height: number, draw: (screen: DotScreen) => void): Promise<Uint8Array> =>
  drawScreen({ width: SCREEN_WIDTH, height, background: BACKGROUND }, draw);
