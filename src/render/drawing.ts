// The pictures that the bot draws itself, as PNG. The canvas library is loaded for the first of them.
import { drawBoardPicture } from "./board-picture.ts";
import { drawChartPicture } from "./chart-picture.ts";
import { drawJourneyPicture } from "./journey-picture.ts";

export const DRAWING = { board: drawBoardPicture, chart: drawChartPicture, journey: drawJourneyPicture };

export type Pictures = typeof DRAWING;
