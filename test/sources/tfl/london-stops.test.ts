import { describe, expect, test } from "vitest";
import {
  lineColour,
  londonLines,
  londonStops,
  plainStopName,
} from "../../../src/sources/tfl/london-stops.ts";

describe("the bundled list of London's stops", () => {
  test("has every station of the tube, the DLR and the trams, and no hub or bus stop", () => {
    const count = (mode: string) => londonStops.filter(({ modes }) => modes.includes(mode)).length;

    expect({ tube: count("tube"), dlr: count("dlr"), tram: count("tram") }).toEqual({
      tube: 272,
      dlr: 45,
      tram: 39,
    });
    expect(londonStops.filter(({ id }) => !/^(?:940GZZ|910G|930G)[0-9A-Z]{3,8}$/.test(id))).toEqual([]);
    expect(new Set(londonStops.map(({ id }) => id)).size).toBe(londonStops.length);
  });

  test("names its lines, each of which has a colour and at least two stops", () => {
    const served = londonStops.flatMap(({ lines }) => lines);

    expect([...new Set(served)].toSorted()).toEqual(londonLines.map(({ id }) => id).toSorted());
    expect(londonLines.filter(({ id }) => served.indexOf(id) === served.lastIndexOf(id))).toEqual([]);
    expect(londonLines.filter(({ id }) => lineColour(id) === undefined)).toEqual([]);
    expect(lineColour("n38")).toBeUndefined();
  });

  test("has plain names, which stay the same if they are simplified again", () => {
    expect(londonStops.filter(({ name }) => plainStopName(name) !== name)).toEqual([]);
    expect(londonStops.find(({ id }) => id === "940GZZLUKSX")).toEqual({
      id: "940GZZLUKSX",
      name: "King's Cross St. Pancras",
      modes: ["tube"],
      lines: ["circle", "hammersmith-city", "metropolitan", "northern", "piccadilly", "victoria"],
    });
  });
});

test.each([
  ["Queen's Park Underground Station", "Queen's Park"],
  ["Battersea Power Station Underground Station", "Battersea Power Station"],
  ["Stratford DLR Station", "Stratford"],
  ["Stratford (London) Rail Station", "Stratford"],
  ["Burnham (Berks) Rail Station", "Burnham"],
  ["Cutty Sark (for Maritime Greenwich) DLR Station", "Cutty Sark"],
  ["New Cross ELL Rail Station", "New Cross"],
  ["East Croydon Tram Stop", "East Croydon"],
  ["Paddington (H&C Line)-Underground", "Paddington (Hammersmith & City)"],
  ["Hammersmith (Dist&Picc Line) Underground Station", "Hammersmith (District & Piccadilly)"],
  ["Edgware Road (Circle Line) Underground Station", "Edgware Road (Circle)"],
  ["London Euston Rail Station", "London Euston"],
  ["St Mary’s Wandsworth Pier", "St Mary's Wandsworth Pier"],
])("“%s” becomes “%s”", (long, plain) => {
  expect(plainStopName(long)).toBe(plain);
});
