import { describe, expect, it } from "vitest";
import stationList from "uk-railway-stations" with { type: "json" };
import { isOfOtherNetwork } from "../../src/rail/other-networks.ts";
import { createStations } from "../../src/rail/stations.ts";

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

  it("are not train stations", () => {
    const both = stationList.filter(
      ({ stationName }) => isOfOtherNetwork(stationName) && stationName !== "Lymington Pier",
    );
    expect(both.map(({ stationName }) => stationName)).toEqual([]);
  });

  it.each([
    ["Heathrow Terminal 4", "HAF"],
    ["Kensington", "KPA"],
  ])("do not win over the beginning of a train station's name: %s", (text, crs) => {
    expect(stations.resolve(text).crs).toBe(crs);
  });

  it.each(["Northfields", "West Acton", "East Ham"])(
    "are never guessed to be a train station: %s",
    (text) => {
      expect(() => stations.resolve(text)).toThrow(/none for tubes/);
    },
  );

  it("are explained when somebody asks for their board", () => {
    expect(() => stations.resolve("Oxford Circus")).toThrow(
      /none for tubes, metros, trams or ferries.*\/places/,
    );
    expect(() => stations.resolve("Nowhere at all")).toThrow(/I don't know a station/);
  });
});
