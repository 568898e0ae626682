import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AREAS } from "../../../../sandbox/transport/geography/areas.ts";
import {
  isInGreatBritain,
  metresBetween,
  movedBy,
} from "../../../../sandbox/transport/geography/position.ts";
import { locatePostcode, postcodeNear } from "../../../../sandbox/transport/geography/postcodes.ts";
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
  ])("%s lies within some kilometres of %s", (postcode, crs) => {
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

  test("all lie in Great Britain, and a place's own postcode exists and is not far", () => {
    const area = fc.constantFrom(...AREAS.values());
    fc.assert(
      fc.property(area, fc.nat(359), fc.nat(4_000), (around, bearing, metres) => {
        const position = movedBy(around.centre, metres, bearing);
        const located = locatePostcode(postcodeNear(position));
        expect(located).toBeDefined();
        expect(located && isInGreatBritain(located)).toBe(true);
        expect(located ? metresBetween(located, position) : Infinity).toBeLessThan(9_000);
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
  ])("%s", (_name, latitude, longitude, isThere) => {
    expect(isInGreatBritain({ latitude, longitude })).toBe(isThere);
  });
});
