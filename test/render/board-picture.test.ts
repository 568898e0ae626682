import { createCanvas, loadImage } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import {
  type BoardPictureModel,
  type BoardPictureRow,
  drawBoardPicture,
} from "../../src/render/board-picture.ts";
import { SCREEN_WIDTH } from "../../src/render/dot-screen.ts";

const row: BoardPictureRow = {
  time: "17:31",
  day: undefined,
  place: "London Kings Cross",
  platform: "4",
  expected: "On time",
  remark: undefined,
  detail: "LNER",
  mood: "plain",
};
const model: BoardPictureModel = {
  station: "York",
  subtitle: "Departures",
  filters: undefined,
  clock: "17:20",
  day: "Sat 21 Nov",
  placeHeading: "Destination",
  rows: [row],
  notice: [],
  age: undefined,
  isClosed: false,
  credit: undefined,
};

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** The number of pixels to the right of `left` whose red, green and blue pass the test. */
  count(test: (red: number, green: number, blue: number) => boolean, left?: number): number;
}

/** Draws a board, and decodes the picture with another library than the one that encoded it. */
async function drawn(changed: Partial<BoardPictureModel>): Promise<Pixels> {
  const image = await loadImage(Buffer.from(await drawBoardPicture({ ...model, ...changed })));
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  return {
    width: image.width,
    height: image.height,
    count(test, left = 0) {
      const { data } = context.getImageData(left, 0, image.width - left, image.height);
      let found = 0;
      for (let at = 0; at < data.length; at += 4) {
        found += test(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) ? 1 : 0;
      }
      return found;
    },
  };
}

const isLit = (red: number) => red > 150;
const isRed = (red: number, green: number, blue: number) => red > 200 && green < 90 && blue < 90;
const isOrange = (red: number, green: number) => red > 200 && green > 90 && green < 130;

describe("the picture of a board", () => {
  it("is a PNG of fixed width whose height grows with its rows", async () => {
    const one = await drawn({});
    const ten = await drawn({ rows: Array.from({ length: 10 }, () => row) });
    expect([one.width, ten.width]).toEqual([SCREEN_WIDTH, SCREEN_WIDTH]);
    expect(ten.height).toBeGreaterThan(one.height * 2);
    expect(ten.count(isLit)).toBeGreaterThan(one.count(isLit) * 2);
  });

  it("credits the source of its data at the bottom", async () => {
    const [plain, credited] = [await drawn({}), await drawn({ credit: "Powered by TfL Open Data" })];
    expect(credited.height).toBeGreaterThan(plain.height);
    expect(credited.count(isLit)).toBeGreaterThan(plain.count(isLit));
  });

  it("shows the whole credit, on several lines if one is too short", async () => {
    const railway = "Rail Delivery Group · Powered by National Rail Enquiries";
    const [one, two] = [
      await drawn({ credit: railway }),
      await drawn({ credit: `${railway} · source: t.com` }),
    ];
    const long = (end: string) =>
      drawBoardPicture({ ...model, credit: `${railway} · source: transportapi.${end}` });
    expect(two.height).toBe(one.height);
    expect((await drawn({ credit: `${railway} · source: transportapi.com` })).height).toBeGreaterThan(
      two.height,
    );
    expect(Buffer.compare(await long("com"), await long("org"))).not.toBe(0);
    const words = (end: string) =>
      drawBoardPicture({ ...model, credit: `${"Powered by somebody ".repeat(11)}${end}` });
    expect(Buffer.compare(await words("one"), await words("two"))).not.toBe(0);
  });

  it("is not blank: the text is bright and most of the picture is dark", async () => {
    const one = await drawn({});
    const area = one.width * one.height;
    expect(one.count(isLit)).toBeGreaterThan(area * 0.02);
    expect(one.count((red, green, blue) => red < 60 && green < 60 && blue < 60)).toBeGreaterThan(area * 0.7);
  });

  it("shows late and cancelled trains in their own colours", async () => {
    const late = await drawn({ rows: [{ ...row, expected: "17:38", remark: "7 min late", mood: "late" }] });
    const cancelled = await drawn({ rows: [{ ...row, expected: "Cancelled", mood: "cancelled" }] });
    const plain = await drawn({});
    expect(plain.count(isOrange) + plain.count(isRed)).toBe(0);
    expect(late.count(isOrange, 700)).toBeGreaterThan(500);
    expect(cancelled.count(isRed, 700)).toBeGreaterThan(500);
  });

  it("shows a warning in the colour of late trains, although the train is on time", async () => {
    const warned = await drawn({ rows: [{ ...row, warning: "to Hull: cancelled" }] });
    expect(warned.count(isOrange)).toBeGreaterThan(500);
    expect(warned.count(isOrange, 700)).toBe(0);
  });

  it("shows the age of old data and dims its clock", async () => {
    const old = await drawn({ age: "9 min old", day: "" });
    const fresh = await drawn({ day: "" });
    expect(fresh.count(isOrange)).toBe(0);
    expect(old.count(isOrange, 700)).toBeGreaterThan(500);
    expect(old.count((red) => red > 250, 790)).toBeLessThan(fresh.count((red) => red > 250, 790));
  });

  it("shows its notice if there are no rows", async () => {
    const silent = await drawn({ rows: [] });
    const noted = await drawn({
      rows: [],
      notice: ["No departures in the next two hours", "Next: 05:12 to Leeds"],
    });
    expect(noted.count(isLit)).toBeGreaterThan(silent.count(isLit) + 2_000);
  });

  it("abbreviates the long name of a large station instead of drawing it in the smallest dots", async () => {
    // It is abbreviated; in the smallest dots, the full name would end 428 pixels from the left.
    const named = await drawn({ station: "London St Pancras International" });
    const blank = await drawn({ station: "" });
    expect(named.count(isLit, 500)).toBeGreaterThan(blank.count(isLit, 500));
  });

  it("abbreviates whole words of a destination and its detail, and draws even a detail of three letters", async () => {
    const draw = (changed: Partial<BoardPictureRow>) =>
      drawBoardPicture({ ...model, rows: [{ ...row, ...changed }] });
    expect(await draw({ place: "Battersea Power Station" })).toEqual(
      await draw({ place: "Battersea Power Stn" }),
    );
    expect(await draw({ detail: "Hammersmith & City line · Westbound" })).toEqual(
      await draw({ detail: "Hammersmith & City · Westbound" }),
    );
    const below = (detail: string) => draw({ place: "King's Cross St. Pancras", detail });
    expect(await below("Hammersmith & City line · Westbound")).toEqual(await below("H'smith & City · West"));
    expect(await draw({ warning: "to Brighton: cancelled", detail: "Thameslink" })).toEqual(
      await draw({ warning: "not to Brighton", detail: "Thameslink" }),
    );
    expect(await draw({ detail: "c2c" })).not.toEqual(await draw({ detail: undefined }));
  });

  it("does not draw a long destination over a bus's delay", async () => {
    const late = { ...row, detail: undefined, remark: "17:34 · 13 min late", mood: "late" } as const;
    const [long, short] = await Promise.all(
      ["City Centre Interchange via Hospital", "City Centre"].map((place) =>
        drawn({ rows: [{ ...late, place }] }),
      ),
    );
    const remarkLeft = 500;
    expect(long?.count(isLit, remarkLeft)).toBe(short?.count(isLit, remarkLeft));
    expect(long?.count(isLit)).toBeGreaterThan((short?.count(isLit) ?? 0) * 1.1);
  });

  it("stays below 30 KB and accepts any text", async () => {
    const wild = "Łódź 東京 \u202E\u0000 Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch ".repeat(
      4,
    );
    const rows = Array.from({ length: 10 }, () => ({
      ...row,
      place: wild,
      detail: wild,
      platform: wild,
      day: "Sun",
    }));
    const bytes = await drawBoardPicture({ ...model, station: wild, subtitle: wild, filters: wild, rows });
    expect(bytes.length).toBeLessThan(30_720);
    expect((await loadImage(Buffer.from(bytes))).width).toBe(SCREEN_WIDTH);
  });

  it("has the same bytes for the same board", async () => {
    expect(await drawBoardPicture(model)).toEqual(await drawBoardPicture(model));
  });
});
