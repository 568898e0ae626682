// How long a board takes to draw and how large it is, over boards of one to ten rows.
import type { BoardPictureModel, BoardPictureRow } from "../src/render/board-picture-model.ts";
import { createBoardPicture } from "../src/render/board-picture.ts";
import { median, rounded, type BenchRow } from "./row.ts";

const DRAWS = 100;
const WARM_UP = 10;
const GOAL_MS = 20;
const GOAL_BYTES = 30_720;

const PLACES = ["London Kings Cross", "Leeds", "Manchester Airport", "Rhoose Cardiff International Airport"];
const STATES: readonly Pick<BoardPictureRow, "expected" | "remark" | "mood">[] = [
  { expected: "On time", remark: undefined, mood: "plain" },
  { expected: "17:41", remark: "7 min late", mood: "late" },
  { expected: "Cancelled", remark: undefined, mood: "cancelled" },
  { expected: "Scheduled", remark: undefined, mood: "quiet" },
];

/** The figures of the board picture; there is no rival. */
export async function boardPictureRows(): Promise<BenchRow[]> {
  const picture = createBoardPicture();
  const timesMs: number[] = [];
  const sizesBytes: number[] = [];
  for (let draw = 0; draw < WARM_UP + DRAWS; draw += 1) {
    const startMs = performance.now();
    const { length } = await picture.draw(boardOf(draw));
    if (draw >= WARM_UP) {
      timesMs.push(performance.now() - startMs);
      sizesBytes.push(length);
    }
  }
  return [
    figure("board picture, time to draw, p50", "ms", median(timesMs), GOAL_MS),
    figure("board picture, size, largest of all", "bytes", Math.max(...sizesBytes), GOAL_BYTES),
  ];
}

function figure(name: string, unit: string, value: number, goal: number): BenchRow {
  const holds = value <= goal;
  return { name, unit, value: rounded(value), rival: null, ratio: null, goal: `<= ${goal} ${unit}`, holds };
}

/** A different board for each number: rows, names, platforms and states all turn. */
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
    footer: ["As of 17:20 UK time", "source: transportapi.com"],
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
