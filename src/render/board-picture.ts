// Draws a board as the dot-matrix display on a platform. Words and moods come from the model.
import {
  type DotScreen,
  createDotScreen,
  cutToWidth,
  dotWidth,
  drawableText,
  fitText,
  loadDotFont,
  loadOnce,
  wrapText,
} from "./dot-screen.ts";
import { encodeIndexedPng } from "./indexed-png.ts";

const HEADER_HEIGHT = 200;
/** What a line of filters adds to the header. */
const FILTERS_HEIGHT = 36;
const FOOTER_HEIGHT = 72;
/** Rows whose room an empty board keeps for its notice. */
const NOTICE_ROWS = 3;

export function createBoardPicture() {
  const loadFont = loadOnce(loadDotFont);

  return {
    /** A PNG, {@link BOARD_PICTURE_WIDTH} pixels wide; its height follows the rows. */
    draw: async (model: BoardPictureModel): Promise<Uint8Array> => {
      const font = await loadFont();
      const top = model.filters === undefined ? HEADER_HEIGHT : HEADER_HEIGHT + FILTERS_HEIGHT;
      const height = top + (model.rows.length || NOTICE_ROWS) * ROW_HEIGHT + FOOTER_HEIGHT;
      const screen = createDotScreen(BOARD_PICTURE_WIDTH, height, BACKGROUND, font);
      drawHeader(screen, model, top - 14);
      model.rows.forEach((row, index) => drawRow(screen, row, top + index * ROW_HEIGHT));
      if (model.rows.length === 0) {
        drawNotice(screen, model.notice, top);
      }
      drawFooter(screen, model.footer, height - 26);
      return encodeIndexedPng(screen.picture());
    },
  };
}

function drawHeader(screen: DotScreen, model: BoardPictureModel, headings: number): void {
  const clockLeft = RIGHT - dotWidth(model.clock, TITLE);
  const dayLeft = RIGHT - dotWidth(model.day, MAIN);
  const station = fitText(drawableText(model.station), [TITLE, 5, MAIN, SMALL], clockLeft - LEFT - 20);
  const subtitle = fitText(drawableText(model.subtitle), [MAIN, SMALL], dayLeft - LEFT - 24);
  screen.text(station.text, LEFT, 78, station.pitch, AMBER);
  screen.text(model.clock, clockLeft, 78, TITLE, AMBER);
  screen.text(subtitle.text, LEFT, 132, subtitle.pitch, AMBER);
  screen.text(model.day, dayLeft, 132, MAIN, AMBER);
  screen.text(cutToWidth(drawableText(model.filters ?? ""), SMALL, RIGHT - LEFT), LEFT, 172, SMALL, AMBER);
  if (model.rows.length === 0) {
    return;
  }
  screen.text("Time", LEFT, headings, SMALL, DIM);
  screen.text(model.placeHeading, PLACE.left, headings, SMALL, DIM);
  screen.text("Plat", PLATFORM.left, headings, SMALL, DIM);
  screen.text("Expected", RIGHT - dotWidth("Expected", SMALL), headings, SMALL, DIM);
}

function drawNotice(screen: DotScreen, notice: readonly string[], top: number): void {
  for (const [index, line] of notice.entries()) {
    const baseline = top + 24 + index * 60;
    const fitted = fitText(drawableText(line), [MAIN, SMALL], RIGHT - LEFT);
    const left = middle(LEFT, RIGHT - LEFT, dotWidth(fitted.text, fitted.pitch));
    screen.lamps(LEFT, baseline - CAP_HEIGHT, RIGHT - LEFT, PANEL_HEIGHT, MAIN, UNLIT);
    screen.text(fitted.text, left, baseline, fitted.pitch, AMBER);
  }
}

function drawFooter(screen: DotScreen, [left, right]: BoardPictureModel["footer"], baseline: number): void {
  screen.text(left, LEFT, baseline, SMALL, DIM);
  screen.text(right, RIGHT - dotWidth(right, SMALL), baseline, SMALL, DIM);
}

const ROW_HEIGHT = 76;

/** The least distance between small print on the left and on the right. */
const GAP = 24;

/** Draws a row whose upper edge is `top`. */
function drawRow(screen: DotScreen, row: BoardPictureRow, top: number): void {
  const main = top + 36;
  const small = top + 68;
  const colour = row.mood === "cancelled" ? DIM : AMBER;
  const remark = row.remark ?? "";
  const remarkLeft = RIGHT - dotWidth(remark, SMALL);
  const lines = placeLines(row, remarkLeft - GAP - PLACE.left);
  drawLamps(screen, main - CAP_HEIGHT, lines.pitch);
  screen.text(row.time, LEFT, main, MAIN, colour);
  screen.text(row.day ?? "", LEFT, small, SMALL, DIM);
  // The small lamps of a panel stand one pixel higher than the large ones.
  screen.text(lines.first, PLACE.left, lines.pitch === SMALL ? main - 1 : main, lines.pitch, colour);
  screen.text(lines.rest, PLACE.left, small, SMALL, colour);
  screen.text(lines.detail, PLACE.left + dotWidth(lines.rest, SMALL), small, SMALL, DIM);
  const platform = fitText(drawableText(row.platform ?? ""), [MAIN, SMALL], PLATFORM.width);
  const platformLeft = middle(PLATFORM.left, PLATFORM.width, dotWidth(platform.text, platform.pitch));
  screen.text(platform.text, platformLeft, main, platform.pitch, colour);
  screen.text(row.expected, RIGHT - dotWidth(row.expected, MAIN), main, MAIN, COLOURS[row.mood]);
  screen.text(remark, remarkLeft, small, SMALL, COLOURS[row.mood]);
}

function drawLamps(screen: DotScreen, top: number, placePitch: number): void {
  const end = PLACE.left + PLACE.width;
  screen.lamps(LEFT, top, PLACE.left - LEFT, PANEL_HEIGHT, MAIN, UNLIT);
  screen.lamps(PLACE.left, top, PLACE.width, PANEL_HEIGHT, placePitch, UNLIT);
  screen.lamps(end, top, RIGHT - end, PANEL_HEIGHT, MAIN, UNLIT);
}

interface PlaceLines {
  readonly first: string;
  /** Distance of the first line's dots. */
  readonly pitch: number;
  /** What is left of the name for the second line. */
  readonly rest: string;
  /** Stands after the rest of the name, if that leaves room. */
  readonly detail: string;
}

/** A name too long for the large dots takes the small ones, and where need be the second line too. */
function placeLines(row: BoardPictureRow, smallWidth: number): PlaceLines {
  const place = drawableText(row.place);
  const detail = drawableText(row.detail ?? "");
  if (dotWidth(place, MAIN) <= PLACE.width) {
    return { first: place, pitch: MAIN, rest: "", detail: cutToWidth(detail, SMALL, smallWidth) };
  }
  const [first, rest] = wrapText(place, SMALL, PLACE.width);
  const joined = rest === "" || detail === "" ? detail : ` · ${detail}`;
  const room = smallWidth - dotWidth(rest, SMALL);
  return { first, pitch: SMALL, rest, detail: dotWidth(joined, SMALL) <= room ? joined : "" };
}

// Sizes and colours of board pictures. Discord shows 1,000 pixels about 360 points wide on a phone: the main
// lines have dots 4 pixels apart, which leaves their capitals 10 points high there.

export const BOARD_PICTURE_WIDTH = 1_000;

/** Where text begins and ends, in pixels from the left. */
const LEFT = 32;
const RIGHT = BOARD_PICTURE_WIDTH - LEFT;
/** The column of places; its width holds whole numbers of large and of small dots. */
const PLACE = { left: 172, width: 468 } as const;
/** The column of platforms: three letters of large dots. */
const PLATFORM = { left: 660, width: 68 } as const;

/** Distances of dots, in pixels. */
const TITLE = 6;
const MAIN = 4;
const SMALL = 3;

/** Of a line of large dots: its capitals, and all of it. */
const CAP_HEIGHT = 28;
const PANEL_HEIGHT = 36;

const BACKGROUND = 0x0b0906;
const UNLIT = 0x231c10;
const AMBER = 0xffb52e;
const DIM = 0xb5842f;
const COLOURS: Readonly<Record<Mood, number>> = {
  plain: AMBER,
  quiet: DIM,
  late: 0xff7426,
  cancelled: 0xff4438,
};

/** Where something of this width starts to stand in the middle, on the grid of the large dots. */
function middle(left: number, room: number, width: number): number {
  return left + MAIN * Math.round((room - width) / 2 / MAIN);
}

// What a board picture shows: words and moods, already worked out. The view fills it, the painter draws it.

/** How loud something is said. The words say it too: colour is never alone. */
export type Mood = "plain" | "quiet" | "late" | "cancelled";

/** One service. Every text is shown as it stands, cut with an ellipsis where nothing else fits. */
export interface BoardPictureRow {
  /** Aimed time in the UK, e.g. `17:31`. */
  readonly time: string;
  /** Short weekday where it is not the day of the data, e.g. `Sun`. */
  readonly day: string | undefined;
  readonly place: string;
  /** e.g. `4`; `Bus` for a replacement bus. */
  readonly platform: string | undefined;
  /** e.g. `On time`, `17:38`, `Cancelled`. */
  readonly expected: string;
  /** Small, under the expectation, e.g. `7 min late`. */
  readonly remark: string | undefined;
  /** Small, under the place, e.g. `LNER`. */
  readonly detail: string | undefined;
  readonly mood: Mood;
}

export interface BoardPictureModel {
  readonly station: string;
  /** e.g. `Departures to Leeds`. */
  readonly subtitle: string;
  /** What else it is narrowed to, e.g. `LNER · platform 4`. */
  readonly filters: string | undefined;
  /** UK time of the data, e.g. `17:20`. */
  readonly clock: string;
  /** UK day of the data, e.g. `Sat 21 Nov`. */
  readonly day: string;
  /** Heading of the second column: `Destination` or `Origin`. */
  readonly placeHeading: string;
  readonly rows: readonly BoardPictureRow[];
  /** Lines in the middle of a board without rows; the first is the loud one. */
  readonly notice: readonly string[];
  /** e.g. `As of 17:20 UK time` and `source: transportapi.com`: left and right of the last line. */
  readonly footer: readonly [left: string, right: string];
}
