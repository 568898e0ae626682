import { createCanvas, loadImage } from "@napi-rs/canvas";
import { Chart } from "chart.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChartModel } from "../../src/render/chart-lines.ts";
import { createChartPicture } from "../../src/render/chart-picture.ts";
import { CHART_HEIGHT, CHART_WIDTH, LINES } from "../../src/render/chart-plot.ts";
import { cases } from "../support/cases.ts";

const HOUR_MS = 3_600_000;
const BEGIN_MS = Date.parse("2026-11-20T10:00:00Z");
const MOST_BYTES = 40_960;

const lineOf = (...ys: readonly number[]) => ys.map((y, hour) => ({ x: BEGIN_MS + hour * HOUR_MS, y }));

const model: ChartModel = {
  title: "Opening day",
  subtitle: "Views since publication",
  axis: { kind: "time", zone: "Europe/London" },
  unit: undefined,
  series: [{ name: "Views", points: lineOf(0, 120, 300, 420, 480) }],
  notice: "No figures yet",
};

const picture = createChartPicture();

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** How many pixels of the box have just this colour. */
  readonly count: (colour: number, box?: { readonly top?: number; readonly bottom?: number }) => number;
}

/** Decoded by a library that had no part in encoding. */
async function drawn(changed: Partial<ChartModel> = {}): Promise<Pixels> {
  const image = await loadImage(Buffer.from(await picture.draw({ ...model, ...changed })));
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  return {
    width: image.width,
    height: image.height,
    count(colour, { top = 0, bottom = image.height } = {}) {
      const { data } = context.getImageData(0, top, image.width, bottom - top);
      let found = 0;
      for (let at = 0; at < data.length; at += 4) {
        const pixel = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
        found += pixel === colour ? 1 : 0;
      }
      return found;
    },
  };
}

const [FIRST, SECOND, THIRD] = LINES;

describe("the picture of a chart", () => {
  it("is a PNG of the promised size", async () => {
    expect(await drawn()).toMatchObject({ width: CHART_WIDTH, height: CHART_HEIGHT });
  });

  it("draws the same figures to the same bytes, and others to others", async () => {
    const first = await picture.draw(model);
    expect(await createChartPicture().draw(model)).toEqual(first);
    const others: readonly Partial<ChartModel>[] = [
      { title: "Closing day" },
      { subtitle: undefined },
      { unit: "%" },
      { axis: { kind: "time", zone: "Asia/Tokyo" } },
      { series: [{ name: "Views", points: lineOf(0, 120, 300, 420, 481) }] },
      { series: [{ name: "Shares", points: lineOf(0, 120, 300, 420, 480) }] },
    ];
    const pictures = await Promise.all(others.map((changed) => picture.draw({ ...model, ...changed })));
    for (const other of pictures) {
      expect(other).not.toEqual(first);
    }
  });

  it("gives each line a colour of its own", async () => {
    const colours = async (...names: readonly string[]) => {
      const series = names.map((name, index) => ({
        name,
        points: lineOf(0, 10 + 30 * index, 20 + 30 * index),
      }));
      const { count } = await drawn({ series });
      return [FIRST, SECOND, THIRD].map((colour) => count(colour) > 500);
    };
    expect(await colours("Views")).toEqual([true, false, false]);
    expect(await colours("Views", "Comments")).toEqual([true, true, false]);
    expect(await colours("Views", "Comments", "Shares")).toEqual([true, true, true]);
  });

  it("keeps a line's colour where another has no figures", async () => {
    const { count } = await drawn({
      series: [
        { name: "Views", points: [] },
        { name: "Comments", points: lineOf(1, 2) },
      ],
    });
    expect(count(FIRST)).toBe(0);
    expect(count(SECOND)).toBeGreaterThan(500);
  });

  it("shows a single figure as a dot", async () => {
    const { count } = await drawn({ series: [{ name: "Views", points: lineOf(12) }] });
    const alone = count(FIRST, { top: 148, bottom: 452 });
    expect(alone).toBeGreaterThan(150);
  });

  it("shows nothing but zeros as a line on the ground", async () => {
    const { count } = await drawn({ series: [{ name: "V", points: lineOf(0, 0, 0) }] });
    expect(count(FIRST, { top: 438, bottom: 446 })).toBeGreaterThan(2_000);
    expect(count(FIRST, { top: 148, bottom: 380 })).toBe(0);
  });

  it("says its notice where there are no figures", async () => {
    const silent = await picture.draw({ ...model, series: [], notice: "" });
    const series = [{ name: "Views", points: [{ x: Number.NaN, y: 3 }] }];
    const noted = await picture.draw({ ...model, series });
    expect(noted.length).toBeGreaterThan(silent.length);
    expect(await picture.draw({ ...model, series: [] })).toEqual(noted);
  });

  it("takes figures in any order, and the later of two at one place", async () => {
    const points = lineOf(0, 120, 300, 420, 480);
    const mixed = [{ x: BEGIN_MS, y: 99 }, ...points.toReversed()];
    expect(await picture.draw({ ...model, series: [{ name: "Views", points: mixed }] })).toEqual(
      await picture.draw(model),
    );
  });

  it("leaves nothing behind at Chart.js, which keeps what it is not told to forget", async () => {
    await picture.draw(model);
    expect(Object.keys(Chart.instances)).toEqual([]);
  });

  it("stays light with three jagged lines of a thousand figures", async () => {
    const series = ["Views", "Comments", "Shares"].map((name, index) => ({
      name,
      points: lineOf(...Array.from({ length: 1_000 }, (_, hour) => (hour * 7_919 * (index + 3)) % 1_009)),
    }));
    expect((await picture.draw({ ...model, series })).length).toBeLessThan(MOST_BYTES);
  });
});

describe("whatever it is given", () => {
  const anyNumber = fc.oneof(
    fc.integer({ min: -5, max: 500 }),
    fc.double(),
    fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324),
  );
  const anyTime = fc.oneof(
    fc.integer({ min: 0, max: 48 }).map((hours) => BEGIN_MS + hours * HOUR_MS),
    fc.integer({ min: 0, max: 5e12 }),
    anyNumber,
  );
  const anyText = fc.string({ unit: "grapheme", maxLength: 80 });
  const anyModel: fc.Arbitrary<ChartModel> = fc.record({
    title: anyText,
    subtitle: fc.option(anyText, { nil: undefined }),
    axis: fc.constantFrom<ChartModel["axis"]>(
      { kind: "share" },
      { kind: "time", zone: "Europe/London" },
      { kind: "time", zone: "Pacific/Apia" },
    ),
    unit: fc.option(anyText, { nil: undefined }),
    series: fc.array(
      fc.record({
        name: anyText,
        points: fc.array(fc.record({ x: anyTime, y: anyNumber }), { maxLength: 40 }),
      }),
      { maxLength: 4 },
    ),
    notice: anyText,
  });

  it("draws a picture of the promised size and weight", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyModel, async (any) => {
        const bytes = await picture.draw(any);
        const { width, height } = await loadImage(Buffer.from(bytes));
        expect([width, height]).toEqual([CHART_WIDTH, CHART_HEIGHT]);
        expect(bytes.length).toBeLessThan(MOST_BYTES);
      }),
      { numRuns: cases(60) },
    );
  });
});
