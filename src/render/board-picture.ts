// Draws a board like the dot-matrix display on a platform. The model contains all the words.
import pLimit from "p-limit";
import { joinDots } from "../core/text.ts";
import {
  type DotScreen,
  AMBER,
  DIM,
  LATE,
  LEFT,
  MAIN,
  MOOD_COLOURS,
  type Mood,
  RIGHT,
  SMALL,
  TITLE,
  TITLE_PITCHES,
  drawStationScreen,
} from "./dot-screen.ts";
import { cutToWidth, dotWidth, drawableText, fitText, wrapLines, wrapText } from "./dot-text.ts";

const HEADER_HEIGHT = 200;
const FILTERS_HEIGHT = 36;
/** Below the last row. */
const MARGIN = 24;
const CREDIT_HEIGHT = 24;
/** The height of an empty board's notice, in rows. */
const NOTICE_ROWS = 2;

/** Drawing a board takes 1.3 MB, and hundreds may be due at the same time. */
const fourAtOnce = pLimit(4);

/** Returns a PNG, as wide as the screen; its height depends on the number of rows. */
export const drawBoardPicture = (model: BoardPictureModel): Promise<Uint8Array> =>
  fourAtOnce(() => draw(model));

function draw(model: BoardPictureModel): Promise<Uint8Array> {
  const top = model.filters === undefined ? HEADER_HEIGHT : HEADER_HEIGHT + FILTERS_HEIGHT;
  const bottom = top + (model.rows.length || NOTICE_ROWS) * ROW_HEIGHT;
  const credits = creditLines(model.credit);
  return drawStationScreen(bottom + MARGIN + credits.length * CREDIT_HEIGHT, (screen) => {
    drawHeader(screen, model, top - 14);
    model.rows.forEach((row, index) => drawRow(screen, row, top + index * ROW_HEIGHT));
    if (model.rows.length === 0) {
      drawNotice(screen, model, top);
    }
    credits.forEach(({ text, pitch }, index) =>
      screen.text(text, LEFT, bottom + MARGIN + 8 + index * CREDIT_HEIGHT, pitch, DIM),
    );
  });
}

/** The credit on as many lines as it needs, because the sources' terms require all of it. */
function creditLines(credit: string | undefined) {
  const lines = credit === undefined ? [] : wrapLines(credit, SMALLEST, RIGHT - LEFT);
  const pitches = lines.length > 1 ? [SMALLEST] : [SMALL, SMALLEST];
  return lines.map((line) => fitText(line, pitches, RIGHT - LEFT));
}

function drawHeader(screen: DotScreen, model: BoardPictureModel, headings: number): void {
  const { clock = "", age, isClosed } = model;
  const below = age ?? model.day;
  const colour = isClosed ? DIM : AMBER;
  const clockLeft = RIGHT - dotWidth(clock, TITLE);
  const asOfLeft = clock === "" ? RIGHT : clockLeft - 16 - dotWidth(AS_OF, SMALL);
  const belowLeft = RIGHT - dotWidth(below, MAIN);
  const stationRoom = asOfLeft - LEFT - 20;
  const station = fitText(shortenTo(model.station, stationRoom), TITLE_PITCHES, stationRoom);
  const subtitle = fitText(model.subtitle, [MAIN, SMALL], belowLeft - LEFT - 24);
  screen.text(station.text, LEFT, 78, station.pitch, colour);
  screen.text(clock === "" ? "" : AS_OF, asOfLeft, 78, SMALL, DIM);
  screen.text(clock, clockLeft, 78, TITLE, age === undefined ? colour : DIM);
  screen.text(subtitle.text, LEFT, 132, subtitle.pitch, colour);
  screen.text(below, belowLeft, 132, MAIN, age === undefined ? colour : LATE);
  screen.text(cutToWidth(model.filters ?? "", SMALL, RIGHT - LEFT), LEFT, 172, SMALL, colour);
  if (model.rows.length === 0) {
    return;
  }
  const { time, platform, expected } = model.headings ?? HEADINGS;
  screen.text(time, LEFT, headings, SMALL, DIM);
  screen.text(model.placeHeading, PLACE.left, headings, SMALL, DIM);
  screen.text(platform, PLATFORM.left, headings, SMALL, DIM);
  screen.text(expected, RIGHT - dotWidth(expected, SMALL), headings, SMALL, DIM);
}

const AS_OF = "As of";

const HEADINGS = { time: "Time", platform: "Plat", expected: "Expected" } as const;

function drawNotice(screen: DotScreen, { notice, isClosed }: BoardPictureModel, top: number): void {
  for (const [index, line] of notice.entries()) {
    const baseline = top + 24 + index * 60;
    const fitted = fitText(line, [MAIN, SMALL], RIGHT - LEFT);
    const left = middle(LEFT, RIGHT - LEFT, dotWidth(fitted.text, fitted.pitch));
    screen.lamps(LEFT - 8, baseline - CAP_HEIGHT - 8, RIGHT - LEFT + 16, 52, MAIN, PANELS.plain);
    screen.text(fitted.text, left, baseline, fitted.pitch, isClosed && index > 0 ? DIM : AMBER);
  }
}

const ROW_HEIGHT = 92;

/** The least distance between the texts on the left and on the right. */
const GAP = 24;

/** Draws a row whose upper edge is `top`: two lines of text on one panel of lamps. */
function drawRow(screen: DotScreen, row: BoardPictureRow, top: number): void {
  const first = top + 36;
  const second = top + 76;
  const colour = row.mood === "cancelled" ? DIM : AMBER;
  const remark = row.remark ?? "";
  const remarkLeft = RIGHT - dotWidth(remark, MAIN);
  // A name that is still too long continues on the second line.
  const [place, below] = wrapText(shortenTo(row.place, PLACE.width), MAIN, PLACE.width);
  const rest = cutToWidth(below, MAIN, remarkLeft - GAP - PLACE.left);
  const detailLeft = rest === "" ? PLACE.left : PLACE.left + dotWidth(`${rest} `, MAIN);
  const detailRoom = remarkLeft - GAP - detailLeft;
  const ownDetail = joinDots(row.warning, row.detail);
  const allDetail = ownDetail === "" || rest === "" ? ownDetail : `· ${ownDetail}`;
  const fullDetail = shortenTo(allDetail, detailRoom, SHORT_DETAILS);
  const detail = cutToWidth(fullDetail, MAIN, detailRoom);
  const panel = row.warning === undefined ? PANELS[row.mood] : PANELS.late;
  screen.lamps(LEFT - 8, top, RIGHT - LEFT + 16, PANEL_HEIGHT, MAIN, panel);
  screen.text(row.time, LEFT, first, MAIN, colour);
  screen.text(row.day ?? "", LEFT, second, MAIN, DIM);
  if (row.colour !== undefined) {
    drawSwatch(screen, row.colour, second - CAP_HEIGHT);
  }
  screen.text(place, PLACE.left, first, MAIN, colour);
  screen.text(rest, PLACE.left, second, MAIN, colour);
  // A few letters of it would mean nothing.
  const shown = detail !== fullDetail && detail.length < 6 ? "" : detail;
  screen.text(shown, detailLeft, second, MAIN, DIM);
  if (row.warning !== undefined) {
    // The warning is drawn once more over its dim dots.
    screen.text(/^(?:· )?.*?(?= ·|$)/.exec(shown)?.[0] ?? "", detailLeft, second, MAIN, LATE);
  }
  const platform = fitText(row.platform ?? "", [MAIN, SMALL], PLATFORM.width);
  const platformLeft = middle(PLATFORM.left, PLATFORM.width, dotWidth(platform.text, platform.pitch));
  screen.text(platform.text, platformLeft, first, platform.pitch, colour);
  screen.text(row.expected, RIGHT - dotWidth(row.expected, MAIN), first, MAIN, MOOD_COLOURS[row.mood]);
  screen.text(remark, remarkLeft, second, MAIN, MOOD_COLOURS[row.mood]);
}

/** Draws a line's colour under the time, as wide as the time. A dark colour gets a frame to be visible. */
function drawSwatch(screen: DotScreen, colour: number, top: number): void {
  const width = dotWidth("00:00", MAIN);
  const frame = brightness(colour) < DARK ? MAIN : 0;
  screen.lamps(LEFT, top, width, CAP_HEIGHT, MAIN, frame === 0 ? colour : FRAME);
  screen.lamps(LEFT + frame, top + frame, width - 2 * frame, CAP_HEIGHT - 2 * frame, MAIN, colour);
}

/** How bright a colour looks to the eye, 0 to 255. */
function brightness(colour: number): number {
  return 0.2126 * (colour >> 16) + 0.7152 * ((colour >> 8) & 255) + 0.0722 * (colour & 255);
}

/** Abbreviations as on stations' own screens, the most usual first. */
const SHORT_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^Liverpool\b/, "L'pool"],
  [/^Manchester\b/, "Man'chr"],
  [/^Birmingham\b/, "B'ham"],
  [/^Wolverhampton\b/, "W'hampton"],
  [/\bInternational\b/, "Intl"],
  [/\bParkway\b/, "Pkwy"],
  [/\bJunction\b/, "Jn"],
  [/\bStreet\b/, "St"],
  [/\bRoad\b/, "Rd"],
  [/\bStation\b/, "Stn"],
  [/\bTerminals? (?=\d)/, "T"],
  [/ \(.*\)$/, ""],
];

/** Abbreviations for the line below the place, e.g. `to Leeds: cancelled`, `Hammersmith & City line · Westbound`. */
const SHORT_DETAILS: typeof SHORT_WORDS = [
  [/\b((?:to|from) [^·]+): cancelled\b/, "not $1"],
  [/\bsome later\b/, "later"],
  [/ line\b/, ""],
  [/bound\b/, ""],
  [/\bHammersmith &/, "H'smith &"],
  [/\bMetropolitan\b/, "Met"],
];

/** Abbreviates a text word by word until it fits in large dots, or no abbreviation is left. */
function shortenTo(name: string, width: number, words = SHORT_WORDS): string {
  return words.reduce(
    (text, [word, short]) => (dotWidth(text, MAIN) > width ? text.replace(word, short) : text),
    drawableText(name),
  );
}

/** The column of places: twenty letters. */
const PLACE = { left: 164, width: 480 } as const;
/** The column of platforms: three letters of large dots. */
const PLATFORM = { left: 660, width: 68 } as const;

/** The pitch of text that nobody has to read at a glance. */
const SMALLEST = 2;

/** The heights of a capital and of a row's two lines, in large dots. */
const CAP_HEIGHT = 28;
const PANEL_HEIGHT = 84;

const FRAME = 0xe8e4da;
const DARK = 35;
/** The colours of unlit lamps, which show trouble at a glance. */
const PANELS: Readonly<Record<Mood, number>> = {
  plain: 0x231c10,
  quiet: 0x231c10,
  late: 0x38190a,
  cancelled: 0x3a1210,
};

/** The left edge of a text of this width if it is centred, on the grid of the large dots. */
function middle(left: number, room: number, width: number): number {
  return left + MAIN * Math.round((room - width) / 2 / MAIN);
}

/** One service. Texts are shown verbatim, and cut with an ellipsis if they do not fit. */
export interface BoardPictureRow {
  /** Aimed UK time, e.g. `17:31`. */
  readonly time: string;
  /** Short weekday if it differs from the day of the data, e.g. `Sun`. */
  readonly day: string | undefined;
  readonly place: string;
  /** e.g. `4`; `Bus` for a replacement bus. */
  readonly platform: string | undefined;
  /** e.g. `On time`, `17:38`, `Cancelled`. */
  readonly expected: string;
  /** The text under `expected`, e.g. `7 min late`. */
  readonly remark: string | undefined;
  /** What is wrong besides `expected`, e.g. `to Leeds: cancelled`; under the place. */
  readonly warning?: string | undefined;
  /** The text after that, e.g. `LNER`. */
  readonly detail: string | undefined;
  /** The colour of a London line, 0xRRGGBB; `detail` names the line. */
  readonly colour?: number | undefined;
  readonly mood: Mood;
}

export interface BoardPictureModel {
  readonly station: string;
  /** e.g. `Departures to Leeds`. */
  readonly subtitle: string;
  /** The other filters, e.g. `LNER · platform 4`. */
  readonly filters: string | undefined;
  /** UK time of the data, e.g. `17:20`; `undefined` if no live data is shown. */
  readonly clock: string | undefined;
  /** Replaces the day if the data is stale, e.g. `9 min old`. */
  readonly age: string | undefined;
  /** Whether the board is not updated at the moment. The notice says so. */
  readonly isClosed: boolean;
  /** UK day of the data, e.g. `Sat 21 Nov`. */
  readonly day: string;
  /** Heading of the second column: `Destination` or `Origin`. */
  readonly placeHeading: string;
  /** Headings of the other columns, if they differ from those of a station's board. */
  readonly headings?: { readonly time: string; readonly platform: string; readonly expected: string };
  readonly rows: readonly BoardPictureRow[];
  /** The lines in the middle of a board without rows. The first is the brightest. */
  readonly notice: readonly string[];
  /** The credit of the data's sources, below the rows; `undefined` if no data is shown. */
  readonly credit: string | undefined;
}
