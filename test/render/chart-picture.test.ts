import { createCanvas, loadImage } from "@napi-rs/canvas";
import { Chart } from "chart.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CHART_HEIGHT,
  CHART_WIDTH,
  type ChartModel,
  LINE,
  drawChartPicture,
} from "../../src/render/chart-picture.ts";
import { cases } from "../support/cases.ts";

const HOUR_MS = 3_600_000;
const BEGIN_MS = Date.parse("2026-11-20T10:00:00Z");
const MAX_BYTES = 81_920;

const lineOf = (...ys: readonly number[]) => ys.map((y, hour) => ({ x: BEGIN_MS + hour * HOUR_MS, y }));

const model: ChartModel = {
  title: "Opening day",
  subtitle: "Views since publication",
  axis: { kind: "time", zone: "Europe/London", dashedAfterMs: 26 * HOUR_MS },
  unit: undefined,
  name: "Views",
  points: lineOf(0, 120, 300, 420, 480),
};

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** The number of pixels with exactly this colour between `top` and `bottom`. */
  readonly count: (colour: number, box?: { readonly top?: number; readonly bottom?: number }) => number;
}

/** Draws a chart, and decodes the picture with another library than the one that encoded it. */
async function drawn(changed: Partial<ChartModel> = {}): Promise<Pixels> {
  const image = await loadImage(Buffer.from(await drawChartPicture({ ...model, ...changed })));
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

const COLOUR = Number.parseInt(LINE.slice(1), 16);

describe("the picture of a chart", () => {
  it("is a PNG of the documented size", async () => {
    expect(await drawn()).toMatchObject({ width: CHART_WIDTH, height: CHART_HEIGHT });
  });

  it("has the same bytes for the same model, and other bytes for each changed one", async () => {
    const first = await drawChartPicture(model);
    expect(await drawChartPicture(model)).toEqual(first);
    const others: readonly Partial<ChartModel>[] = [
      { title: "Closing day" },
      { subtitle: "" },
      { unit: "%" },
      { axis: { kind: "time", zone: "Asia/Tokyo", dashedAfterMs: 26 * HOUR_MS } },
      { axis: { kind: "time", zone: "Europe/London", dashedAfterMs: 1 } },
      { points: lineOf(0, 120, 300, 420, 481) },
      { name: "Shares" },
    ];
    const pictures = await Promise.all(others.map((changed) => drawChartPicture({ ...model, ...changed })));
    for (const other of pictures) {
      expect(other).not.toEqual(first);
    }
  });

  it("shows a single value as a dot", async () => {
    const { count } = await drawn({ points: lineOf(12) });
    const alone = count(COLOUR, { top: 148, bottom: 452 });
    expect(alone).toBeGreaterThan(150);
  });

  it("shows zeros as a line at the bottom", async () => {
    const { count } = await drawn({ points: lineOf(0, 0, 0) });
    expect(count(COLOUR, { top: 430, bottom: 460 })).toBeGreaterThan(2_000);
    expect(count(COLOUR, { top: 148, bottom: 380 })).toBe(0);
  });

  it("shows no line without valid values", async () => {
    const none = await drawn({ points: [{ x: Number.NaN, y: 3 }] });
    expect(none.count(COLOUR)).toBe(0);
    expect(await drawChartPicture({ ...model, points: [] })).toEqual(
      await drawChartPicture({ ...model, points: [{ x: 1, y: Number.NaN }] }),
    );
  });

  it("accepts values in any order, and uses the later of two at the same time", async () => {
    const points = lineOf(0, 120, 300, 420, 480);
    const mixed = [{ x: BEGIN_MS, y: 99 }, ...points.toReversed()];
    expect(await drawChartPicture({ ...model, points: mixed })).toEqual(await drawChartPicture(model));
  });

  it("leaves no instance in Chart.js's registry", async () => {
    await drawChartPicture(model);
    expect(Object.keys(Chart.instances)).toEqual([]);
  });

  it("stays small with a thousand jagged values", async () => {
    const points = lineOf(...Array.from({ length: 1_000 }, (_, hour) => (hour * 7_919) % 1_009));
    expect((await drawChartPicture({ ...model, points })).length).toBeLessThan(MAX_BYTES);
  });
});

describe("the picture of any chart", () => {
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
    subtitle: anyText,
    axis: fc.constantFrom<ChartModel["axis"]>(
      { kind: "share", marks: ["0:00", "0:30", "1:00"] },
      { kind: "time", zone: "Europe/London", dashedAfterMs: 0 },
      { kind: "time", zone: "Pacific/Apia", dashedAfterMs: HOUR_MS },
    ),
    unit: fc.option(anyText, { nil: undefined }),
    name: anyText,
    points: fc.array(fc.record({ x: anyTime, y: anyNumber }), { maxLength: 40 }),
  });

  it("has the documented size and stays small", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyModel, async (any) => {
        const bytes = await drawChartPicture(any);
        const { width, height } = await loadImage(Buffer.from(bytes));
        expect([width, height]).toEqual([CHART_WIDTH, CHART_HEIGHT]);
        expect(bytes.length).toBeLessThan(MAX_BYTES);
      }),
      { numRuns: cases(60) },
    );
  });
});
