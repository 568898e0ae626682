import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatComponentId, parseComponentId } from "../../src/core/component-id.ts";
import type { PlacesSearch } from "../../src/travel/places.ts";
import { formatNamedPoint, parseNamedPoint, placesArgs, placesTarget } from "../../src/travel/places-args.ts";

const point = fc.record({
  latitude: fc.integer({ min: 4_980_000, max: 6_090_000 }).map((value) => value / 100_000),
  longitude: fc.integer({ min: -800_000, max: 190_000 }).map((value) => value / 100_000),
  name: fc.string({ unit: "grapheme", minLength: 1, maxLength: 70 }),
});

const search: fc.Arbitrary<PlacesSearch> = fc.record({
  text: fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }), { nil: undefined }),
  near: fc.option(point, { nil: undefined }),
  kind: fc.constantFrom(undefined, "bus-stop", "train-station", "ferry", "settlement"),
  page: fc.integer({ min: 1, max: 400 }),
  skip: fc.integer({ min: 0, max: 95 }),
});

describe("a list's buttons", () => {
  it("contain the whole search, or are left out", () => {
    fc.assert(
      fc.property(search, (wanted) => {
        const target = placesTarget("page", wanted);
        if (!target) {
          return;
        }
        const id = formatComponentId(target);
        expect(id.length).toBeLessThanOrEqual(100);
        const data = placesArgs.decode(parseComponentId(id)?.args ?? {});
        expect(data).toMatchObject({
          text: wanted.text,
          kind: wanted.kind,
          page: wanted.page,
          skip: wanted.skip,
        });
        expect(data?.near?.latitude).toBe(wanted.near?.latitude);
        expect(data?.near?.longitude).toBe(wanted.near?.longitude);
      }),
    );
  });

  it("exist for what people usually type", () => {
    const near = { latitude: 53.95833, longitude: -1.09333, name: "York Rail Station (stop A) - NE-bound" };
    expect(
      placesTarget("page", { text: "Mill Lane, Bishopthorpe", near, kind: "bus-stop", page: 3, skip: 20 }),
    ).toBeDefined();
  });

  it("reject invalid arguments", () => {
    for (const args of [{ n: "York" }, { n: "53_x_York" }, { p: "0" }, { o: "-5" }, { k: "z" }, { q: "" }]) {
      expect(placesArgs.decode(args)).toBeUndefined();
    }
  });
});

it("a named point is parsed back with five decimals and a name of up to 30 characters", () => {
  fc.assert(
    fc.property(point, (one) => {
      const back = parseNamedPoint(formatNamedPoint(one));
      expect(back).toMatchObject({ latitude: one.latitude, longitude: one.longitude });
      expect(Array.from(back?.name ?? "").length).toBeLessThanOrEqual(30);
    }),
  );
});
