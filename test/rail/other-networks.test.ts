import { describe, expect, it } from "vitest";
import stationList from "uk-railway-stations" with { type: "json" };
import { createStations, isOfOtherNetwork } from "../../src/rail/stations.ts";

const stations = createStations();

describe("stations of other networks", () => {
  it.each([
    "Oxford Circus",
    "oxford circus",
    "Earl's Court",
    "St Paul's",
    "East Ham",
    "Gants Hill",
    "Hammersmith",
    "Greenwich Pier",
    "Deansgate Metrolink tram",
  ])("are known: %s", (text) => {
    expect(isOfOtherNetwork(text)).toBe(true);
  });

  it("are no train stations", () => {
    const both = stationList.filter(
      ({ stationName }) => isOfOtherNetwork(stationName) && stationName !== "Lymington Pier",
    );
    expect(both.map(({ stationName }) => stationName)).toEqual([]);
  });

  it.each([
    ["Heathrow Terminal 4", "HAF"],
    ["Kensington", "KPA"],
    ["Northfields", undefined],
    ["West Acton", undefined],
  ])("are not taken for a train station that is called alike, nor one for them: %s", (text, crs) => {
    const found = () => stations.resolve(text).crs;
    if (crs === undefined) {
      expect(found).toThrow(/none for tubes/);
    } else {
      expect(found()).toBe(crs);
    }
  });

  it("are told apart kindly where a board is asked for", () => {
    expect(() => stations.resolve("Oxford Circus")).toThrow(
      /none for tubes, metros, trams or ferries.*\/places/,
    );
    expect(() => stations.resolve("Nowhere at all")).toThrow(/I don't know a station/);
  });
});
