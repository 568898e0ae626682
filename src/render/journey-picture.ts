// Draws a journey as a vertical line of stations, with the rides between them in the colour of their kind.
import {
  type DotScreen,
  AMBER,
  CANCELLED,
  DIM,
  LATE,
  LEFT,
  MAIN,
  MOOD_COLOURS,
  type Mood,
  RIGHT,
  SMALL,
  TITLE_PITCHES,
  drawStationScreen,
} from "./dot-screen.ts";
import { cutToWidth, dotWidth, drawableText, fitText } from "./dot-text.ts";

/** The model of the picture: finished texts, which are cut if they do not fit. */
export interface JourneyPictureModel {
  /** e.g. `York to Leeds`. */
  readonly title: string;
  /** e.g. `34 min · direct · £12.40`. */
  readonly summary: string;
  /** e.g. `Sat 21 Nov`. */
  readonly day: string;
  readonly lines: readonly JourneyPictureLine[];
}

export type JourneyPictureLine =
  | {
      readonly kind: "stop";
      /** e.g. `17:31`. */
      readonly time: string;
      /** Short weekday if it changes here, e.g. `Sun`. */
      readonly day: string | undefined;
      /** Empty if the source does not name it. */
      readonly place: string;
      readonly platform: string | undefined;
      /** e.g. `5 min late, 17:36`. */
      readonly remark: string | undefined;
      readonly mood: Mood;
    }
  | {
      readonly kind: "ride";
      /** e.g. `towards Edinburgh`. */
      readonly title: string;
      /** e.g. `LNER · 1 h 49 min`. */
      readonly detail: string;
      readonly by: RideColour;
    }
  /** e.g. `Change, 12 min`. */
  | { readonly kind: "wait"; readonly words: string; readonly isTight: boolean };

type RideColour = "train" | "metro" | "bus" | "boat" | "walk";

/** Returns a PNG as wide as a board's; its height depends on the lines. */
export function drawJourneyPicture(model: JourneyPictureModel): Promise<Uint8Array> {
  const heights = model.lines.map(heightOf);
  const height = HEADER + heights.reduce((sum, one) => sum + one, 0) + FOOTER;
  return drawStationScreen(height, (screen) => {
    drawHeader(screen, model);
    let top = HEADER;
    for (const [index, line] of model.lines.entries()) {
      const lineHeight = heights[index] ?? 0;
      // A ride is drawn up to the station above it, past the text under that station's name.
      const rise = line.kind === "stop" ? 0 : Math.max(0, (heights[index - 1] ?? 0) - STOP);
      drawLine(screen, line, { top, height: lineHeight, rise });
      top += lineHeight;
    }
  });
}

function drawHeader(screen: DotScreen, { title, summary, day }: JourneyPictureModel): void {
  const fitted = fitText(title, TITLE_PITCHES, RIGHT - LEFT);
  const dayLeft = RIGHT - dotWidth(day, MAIN);
  const small = fitText(summary, [MAIN, SMALL], dayLeft - LEFT - 24);
  screen.text(fitted.text, LEFT, 78, fitted.pitch, AMBER);
  screen.text(small.text, LEFT, 128, small.pitch, AMBER);
  screen.text(day, dayLeft, 128, MAIN, AMBER);
}

function heightOf(line: JourneyPictureLine): number {
  switch (line.kind) {
    case "stop":
      return (line.remark === undefined || line.place === "") && line.day === undefined ? STOP : STOP + 32;
    case "ride":
      return 92;
    case "wait":
      return 56;
  }
}

function drawLine(
  screen: DotScreen,
  line: JourneyPictureLine,
  { top, height, rise }: { readonly top: number; readonly height: number; readonly rise: number },
): void {
  switch (line.kind) {
    case "stop": {
      const baseline = top + 38;
      const colour = line.mood === "cancelled" ? CANCELLED : AMBER;
      const platform = line.platform === undefined ? "" : drawableText(`Plat ${line.platform}`);
      const platformLeft = RIGHT - dotWidth(platform, MAIN);
      const place = fitText(line.place, [MAIN, SMALL], platformLeft - TEXT - 20);
      screen.text(line.time, LEFT, baseline, MAIN, colour);
      screen.text(line.day ?? "", LEFT, baseline + 30, SMALL, DIM);
      screen.lamps(LINE - 9, top + 11, 30, 30, LAMP, colour);
      screen.text(place.text, TEXT, baseline, place.pitch, colour);
      screen.text(platform, platformLeft, baseline, MAIN, colour);
      screen.text(
        cutToWidth(line.remark ?? "", SMALL, RIGHT - TEXT),
        TEXT,
        line.place === "" ? baseline : baseline + 30,
        SMALL,
        COLOURS[line.mood],
      );
      return;
    }
    case "ride": {
      const title = cutToWidth(line.title, SMALL, RIGHT - TEXT);
      if (line.by === "walk") {
        drawDots(screen, { top: top - rise, height: height + rise }, RIDES.walk);
      } else {
        screen.lamps(LINE, top - rise, 2 * LAMP, height + rise, LAMP, RIDES[line.by]);
      }
      screen.text(title, TEXT, top + 40, SMALL, RIDES[line.by]);
      screen.text(cutToWidth(line.detail, SMALL, RIGHT - TEXT), TEXT, top + 72, SMALL, DIM);
      return;
    }
    case "wait":
      drawDots(screen, { top: top - rise, height: height + rise }, DIM);
      screen.text(drawableText(line.words), TEXT, top + 36, SMALL, line.isTight ? LATE : DIM);
  }
}

function drawDots(
  screen: DotScreen,
  { top, height }: { readonly top: number; readonly height: number },
  colour: number,
): void {
  for (let down = 6; down + 2 * LAMP <= height; down += 4 * LAMP) {
    screen.lamps(LINE, top + down, 2 * LAMP, 2 * LAMP, LAMP, colour);
  }
}

const HEADER = 168;
/** The height of a station without text under its name. */
const STOP = 48;
const FOOTER = 24;
/** The left edges of the line and of the texts beside it. */
const LINE = 194;
const TEXT = 246;
/** The pitch of the line's lamps. */
const LAMP = 6;

const COLOURS: typeof MOOD_COLOURS = { ...MOOD_COLOURS, plain: 0x6fcf6a };
/** The words name the kind too, because colour alone is not accessible. */
const RIDES: Readonly<Record<RideColour, number>> = {
  train: 0xffd27a,
  metro: 0x6fb7ff,
  bus: 0xff8f6b,
  boat: 0x56d6c9,
  walk: DIM,
};
