// Measures how long a board takes to draw and how large its picture is, for boards of one to ten rows.
import { createCanvas, loadImage } from "@napi-rs/canvas";
import {
  type BoardPictureModel,
  type BoardPictureRow,
  drawBoardPicture,
} from "../src/render/board-picture.ts";
import { type BenchRow, median, rounded, rowWithin } from "./row.ts";

const DRAWS = 100;
const WARM_UP = 10;
const GOAL_RATIO = 0.5;
const GOAL_BYTES = 30_720;

const PLACES = ["London Kings Cross", "Leeds", "Manchester Airport", "Rhoose Cardiff International Airport"];
const STATES: readonly Pick<BoardPictureRow, "expected" | "remark" | "mood">[] = [
  { expected: "On time", remark: undefined, mood: "plain" },
  { expected: "17:41", remark: "7 min late", mood: "late" },
  { expected: "Cancelled", remark: undefined, mood: "cancelled" },
  { expected: "Scheduled", remark: undefined, mood: "quiet" },
];

/** The rival is the canvas's own PNG encoder, which encodes the same picture. */
export async function boardPictureRows(): Promise<BenchRow[]> {
  const timesMs: number[] = [];
  const rivalTimesMs: number[] = [];
  const sizesBytes: number[] = [];
  for (let draw = 0; draw < WARM_UP + DRAWS; draw += 1) {
    const startMs = performance.now();
    const png = await drawBoardPicture(boardOf(draw));
    const drawnMs = performance.now() - startMs;
    const encodedMs = await timeToEncode(png);
    if (draw >= WARM_UP) {
      timesMs.push(drawnMs);
      rivalTimesMs.push(encodedMs);
      sizesBytes.push(png.length);
    }
  }
  const [ourMs, theirMs] = [median(timesMs), median(rivalTimesMs)];
  const largest = Math.max(...sizesBytes);
  return [
    {
      name: "board picture, time to draw and encode, p50",
      unit: "ms",
      value: rounded(ourMs),
      rival: rounded(theirMs),
      ratio: rounded(ourMs / theirMs),
      goal: `≤ ${GOAL_RATIO} × the canvas's own encoder alone`,
      holds: ourMs <= GOAL_RATIO * theirMs,
    },
    rowWithin("board picture, size, largest of all", "bytes", largest, GOAL_BYTES),
  ];
}

async function timeToEncode(png: Uint8Array): Promise<number> {
  const image = await loadImage(png);
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  const startMs = performance.now();
  await canvas.encode("png");
  return performance.now() - startMs;
}

/** A different board for each number: rows, names, platforms and states vary. */
function boardOf(number: number): BoardPictureModel {
  return {
    station: PLACES[number % PLACES.length] ?? "York",
    subtitle: number % 3 === 0 ? "Departures to Leeds" : "Departures",
    filters: number % 4 === 0 ? "LNER · platform 4" : undefined,
    clock: "17:20",
    day: "Sat 21 Nov",
    placeHeading: "Destination",
    rows: Array.from({ length: 1 + (number % 10) }, (_, index) => rowOf(number + index)),
    notice: [],
    age: undefined,
    isClosed: false,
    credit: "source: transportapi.com",
  };
}

function rowOf(number: number): BoardPictureRow {
  return {
    time: `17:${10 + (number % 50)}`,
    day: number % 7 === 0 ? "Sun" : undefined,
    place: PLACES[(number * 3) % PLACES.length] ?? "York",
    platform: number % 5 === 0 ? "Bus" : String(1 + (number % 19)),
    expected: "On time",
    remark: undefined,
    detail: "TransPennine Express",
    mood: "plain",
    ...STATES[number % STATES.length],
  };
}
