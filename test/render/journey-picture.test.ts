import { loadImage } from "@napi-rs/canvas";
import { expect, it } from "vitest";
import { type JourneyPictureLine, drawJourneyPicture } from "../../src/render/journey-picture.ts";

const stop: JourneyPictureLine = {
  kind: "stop",
  time: "17:31",
  day: undefined,
  place: "York",
  platform: "5",
  remark: undefined,
  mood: "plain",
};
const LINES: readonly JourneyPictureLine[] = [
  stop,
  { kind: "ride", title: "towards London Kings Cross", detail: "LNER · 57 min", by: "train" },
  { ...stop, time: "18:28", place: "Doncaster", remark: "7 min late, 18:35", mood: "late" },
  { kind: "wait", words: "Change, 12 min", isTight: false },
  { ...stop, time: "18:40", place: "" },
  { kind: "ride", title: "Walk", detail: "5 min", by: "walk" },
  { ...stop, time: "00:04", day: "Sun", place: "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch" },
];

it("a journey's picture grows with its lines and stays small", async () => {
  const draw = async (lines: readonly JourneyPictureLine[]) => {
    const bytes = await drawJourneyPicture({
      title: "York to Leeds",
      summary: "1 h · 1 change",
      day: "Sat 21 Nov",
      lines,
    });
    const { width, height } = await loadImage(Buffer.from(bytes));
    return { width, height, size: bytes.length };
  };
  const [short, long] = [await draw(LINES.slice(0, 3)), await draw(LINES)];
  expect(short).toMatchObject({ width: 1_000 });
  expect(long.height).toBeGreaterThan(short.height);
  expect(long.height).toBeLessThan(900);
  expect(long.size).toBeLessThan(30_000);
});
