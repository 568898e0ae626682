import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import areas from "../../../../sandbox/transport/map/postcode-areas.json" with { type: "json" };
import { isInGreatBritain, metresBetween } from "../../../../sandbox/transport/map/position.ts";
import { locatePostcode } from "../../../../sandbox/transport/map/postcodes.ts";
import { stationByCrs } from "../../../../sandbox/transport/railway/stations.ts";

function metresFrom(crs: string, postcode: string): number {
  const station = stationByCrs(crs);
  const position = locatePostcode(postcode);
  return station && position ? metresBetween(station, position) : Infinity;
}

describe("postcodes", () => {
  test.each([
    ["YO24 1AB", "YRK"],
    ["yo241ab", "YRK"],
    ["YO11+2AA", "SCA"],
    ["LS1 4DY", "LDS"],
    ["EC1A 1BB", "ZFD"],
    ["SW1A 1AA", "VIC"],
    ["EH1 1RE", "EDB"],
    ["CF10 1EP", "CDF"],
    ["TR18 2LQ", "PNZ"],
    ["IV1 1LE", "INV"],
  ])("%s is within five kilometres of %s", (postcode, crs) => {
    expect(metresFrom(crs, postcode)).toBeLessThan(5_000);
  });

  test.each([
    "ZZ1 1AA",
    "YO99 1AB",
    "YO24 1CI",
    "YO24",
    "",
    "BT1 1AA",
    "LS1A 1AA",
    "75001",
    "🚂",
    "A".repeat(300),
  ])("%s does not exist", (postcode) => {
    expect(locatePostcode(postcode)).toBeUndefined();
  });

  test("are all in Great Britain", () => {
    const district = fc.constantFrom(
      ...Object.entries(areas).map(([area, text]) => `${area}${/ (\d+)/.exec(text)?.[1]}`),
    );
    const units = fc.stringMatching(/^\d[ABDEFGHJLNPQRSTUWXYZ]{2}$/);
    fc.assert(
      fc.property(district, units, (outward, inward) => {
        const located = locatePostcode(`${outward} ${inward}`);
        expect(located && isInGreatBritain(located)).toBe(true);
      }),
    );
  });
});

describe("the map of Great Britain", () => {
  test.each([
    ["York", 53.96, -1.08, true],
    ["Stornoway", 58.21, -6.39, true],
    ["Lerwick", 60.15, -1.15, true],
    ["Penzance", 50.12, -5.53, true],
    ["Paris", 48.85, 2.35, false],
    ["Calais", 50.95, 1.86, false],
    ["Dublin", 53.35, -6.26, false],
    ["Belfast", 54.6, -5.93, false],
  ])("knows whether it contains %s", (_name, latitude, longitude, isThere) => {
    expect(isInGreatBritain({ latitude, longitude })).toBe(isThere);
  });
});
