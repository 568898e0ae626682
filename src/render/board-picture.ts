// Draws a board as the dot-matrix display on a platform. Words and moods come from the model.
import type { BoardPictureModel } from "./board-picture-model.ts";
import { ROW_HEIGHT, drawRow } from "./board-picture-row.ts";
import {
  AMBER,
  BACKGROUND,
  BOARD_PICTURE_WIDTH,
  CAP_HEIGHT,
  DIM,
  LEFT,
  MAIN,
  PANEL_HEIGHT,
  PLACE,
  PLATFORM,
  RIGHT,
  SMALL,
  TITLE,
  UNLIT,
  middle,
} from "./board-picture-style.ts";
import { loadDotFont, type DotFont } from "./dot-font.ts";
import { createDotScreen, type DotScreen } from "./dot-screen.ts";
import { cutToWidth, dotWidth, drawableText, fitText } from "./dot-text.ts";
import { encodeIndexedPng } from "./indexed-png.ts";

/** Draws boards; loads canvas and font at the first one. */
export interface BoardPicture {
  /** A PNG, {@link BOARD_PICTURE_WIDTH} pixels wide; its height follows the rows. */
  draw(model: BoardPictureModel): Promise<Uint8Array>;
}

const HEADER_HEIGHT = 200;
/** What a line of filters adds to the header. */
const FILTERS_HEIGHT = 36;
const FOOTER_HEIGHT = 72;
/** Rows whose room an empty board keeps for its notice. */
const NOTICE_ROWS = 3;

/** Builds the painter. A font that cannot be loaded is tried again with the next board. */
export function createBoardPicture(): BoardPicture {
  let loading: Promise<DotFont> | undefined;

  function loadFont(): Promise<DotFont> {
    loading ??= loadDotFont().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  return {
    async draw(model) {
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
