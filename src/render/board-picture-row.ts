// One service on a board: a line of large dots before unlit lamps, and small print below.
import type { BoardPictureRow } from "./board-picture-model.ts";
import {
  AMBER,
  CAP_HEIGHT,
  COLOURS,
  DIM,
  LEFT,
  MAIN,
  PANEL_HEIGHT,
  PLACE,
  PLATFORM,
  RIGHT,
  SMALL,
  UNLIT,
  middle,
} from "./board-picture-style.ts";
import type { DotScreen } from "./dot-screen.ts";
import { cutToWidth, dotWidth, drawableText, fitText, wrapText } from "./dot-text.ts";

/** Height of a row in pixels. */
export const ROW_HEIGHT = 76;

/** The least distance between small print on the left and on the right. */
const GAP = 24;

/** Draws a row whose upper edge is `top`. */
export function drawRow(screen: DotScreen, row: BoardPictureRow, top: number): void {
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
