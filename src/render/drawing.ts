// The pictures that the bot draws itself, as PNG. The canvas is loaded when it is first asked for one.
import { drawBoardPicture } from "./board-picture.ts";
import { drawChartPicture } from "./chart-picture.ts";
import { drawJourneyPicture } from "./journey-picture.ts";

export const DRAWING = { board: drawBoardPicture, chart: drawChartPicture, journey: drawJourneyPicture };

export type Pictures = typeof DRAWING;
