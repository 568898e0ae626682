import * as fc from "fast-check";
import stationList from "uk-railway-stations" with { type: "json" };
import { describe, expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { isInGreatBritain, PLACE_TEXT_LIMIT, parsePlace } from "../../src/travel/parse-place.ts";
import { createStations } from "../../src/rail/stations.ts";
import { cases } from "../support/cases.ts";
import { resultOrMessage } from "../support/outcomes.ts";
import { anyCharacter } from "../support/any-character.ts";

const stations = createStations();
const parse = (text: string) => parsePlace(text, stations);

function refusal(text: string): string {
  return resultOrMessage(() => `not refused: ${JSON.stringify(parse(text))}`);
}

describe("a station", () => {
  it.each(["York", "york", "YRK", "yrk", "York (YRK)", "  York  ", "York station", "york railway station"])(
    "is %s",
    (text) => {
      expect(parse(text)).toEqual({ kind: "station", crs: "YRK", name: "York" });
    },
  );

  it("is found by its common name", () => {
    expect(parse("Kings Cross")).toMatchObject({ crs: "KGX" });
  });
});

describe("a postcode", () => {
  it.each([
    ["YO24 1AB", "YO24 1AB"],
    ["yo241ab", "YO24 1AB"],
    ["YO24+1AB", "YO24 1AB"],
    ["M1 1AE", "M1 1AE"],
    ["EC1A 1BB", "EC1A 1BB"],
    ["W1A 0AX", "W1A 0AX"],
    ["CR2 6XH", "CR2 6XH"],
    ["DN55 1PT", "DN55 1PT"],
    ["B33 8TH", "B33 8TH"],
  ])("is %s", (text, postcode) => {
    expect(parse(text)).toEqual({ kind: "postcode", postcode });
  });

  it.each(["BT1 5GS", "JE2 3XP", "GY1 1AA", "IM1 1AA"])("outside Great Britain is refused: %s", (text) => {
    expect(refusal(text)).toMatch(/outside Great Britain/);
  });
});

describe("coordinates", () => {
  it.each([
    "53.958,-1.093",
    "53.958, -1.093",
    "53.958 -1.093",
    "53.958;-1.093",
    "-1.093,53.958",
    "53.958N 1.093W",
    "53.958° N, 1.093° W",
    "53.958n,1.093w",
    "1.093W 53.958N",
    "53.958,−1.093",
  ])("are %s", (text) => {
    expect(parse(text)).toEqual({ kind: "point", latitude: 53.958, longitude: -1.093 });
  });

  it.each(["48.8566,2.3522", "48.8566N 2.3522E", "2.3522,48.8566", "0,0", "91,181", "53.958S 1.093W"])(
    "outside Great Britain are refused: %s",
    (text) => {
      expect(refusal(text)).toMatch(/outside Great Britain/);
    },
  );

  it("of every station are in Great Britain", () => {
    const outside = stationList.filter(
      ({ lat, long }) => !isInGreatBritain({ latitude: lat, longitude: long }),
    );
    expect(stationList.length).toBeGreaterThan(2_500);
    expect(outside.map(({ stationName }) => stationName)).toEqual([]);
  });

  it.each([
    ["Lerwick", 60.155, -1.145],
    ["Kirkwall", 58.981, -2.96],
    ["Stornoway", 58.209, -6.387],
    ["St Mary's, Scilly", 49.914, -6.315],
    ["Campbeltown", 55.425, -5.605],
    ["Castlebay", 56.954, -7.487],
    ["Ventnor", 50.595, -1.206],
  ])("of islands are in Great Britain: %s", (_, latitude, longitude) => {
    expect(isInGreatBritain({ latitude, longitude })).toBe(true);
  });
});

describe("a stop's code", () => {
  it.each(["3290YYA00103", "450024834", "490000077E", "940GZZLUKSX", "0100BRP90310", "3290EX001"])(
    "is %s",
    (text) => {
      expect(parse(text)).toEqual({ kind: "stop", atcocode: text });
      expect(parse(`atco:${text.toLowerCase()}`)).toEqual({ kind: "stop", atcocode: text });
    },
  );

  it("contains only letters and digits", () => {
    expect(refusal("atco:329/../x")).toMatch(/can't be a place/);
    expect(refusal("atco:")).toMatch(/can't be a place/);
  });
});

describe("any other text", () => {
  it.each([
    "Haworth",
    "Mill Lane (stop P6)",
    "St. Mary's & Co",
    "High Street/Mill Lane",
    "Caernarfon Môr",
    "Westward Ho!",
    "YO24",
  ])("is a name: %s", (text) => {
    expect(parse(text)).toEqual({ kind: "text", text });
  });

  it.each([
    ["", /Which place/],
    ["   ", /Which place/],
    ["🚂🚂", /Which place/],
    ["x".repeat(300), /too long/],
    ["🚂".repeat(200), /too long/],
    ["../../etc/passwd", /can't be a place/],
    ["York/../../live.json", /can't be a place/],
    ["York?app_key=1", /can't be a place/],
    ["York%2F..", /can't be a place/],
    ["https://example.org", /can't be a place/],
    ["<@123>", /can't be a place/],
    ["tiploc:YORK", /can't be a place/],
  ])("is refused in one sentence: %.20s", (text, words) => {
    expect(refusal(text)).toMatch(words);
  });

  it.each(["crs:YRK", "lonlat:-1.08,53.95", "", "postcode:YO24 1AB"])(
    "is answered with examples that work: %s",
    (text) => {
      expect(refusal(text)).toMatch(/ a name, .* YO24 1AB, .* 53\.958,-1\.093, .* 3290YYA00103\.$/);
      expect(["YO24 1AB", "53.958,-1.093", "3290YYA00103"].map((one) => parse(one).kind)).toEqual([
        "postcode",
        "point",
        "stop",
      ]);
    },
  );
});

/** Says whether a text is refused, parsed as a place that may be sent to the service, or shows a bug. */
function outcome(text: string): string {
  try {
    const ref = parse(text);
    const isFit =
      ref.kind !== "text" ||
      (Array.from(ref.text).length <= PLACE_TEXT_LIMIT && !/\.\.|[\p{C}%?#\\]/u.test(ref.text));
    return isFit ? "fit to send" : `not fit to send: ${ref.kind}`;
  } catch (error) {
    return error instanceof UserError ? "refused" : `a bug: ${String(error)}`;
  }
}

describe("any text", () => {
  it("is parsed or refused with a UserError, and a parsed place is fit to send", () => {
    const anything = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: "grapheme", maxLength: 120 }),
      fc.string({ unit: fc.constantFrom(...Array.from("YO241AB 53.9,-1NW:/°atco")), maxLength: 30 }),
    );
    fc.assert(
      fc.property(anything, (text) => {
        expect(outcome(text)).toMatch(/^(?:fit to send|refused)$/);
      }),
      { numRuns: cases(1_000) },
    );
  });

  it("with coordinates in any form is parsed back", () => {
    const latitude = fc.integer({ min: 510_000, max: 530_000 }).map((value) => value / 10_000);
    const longitude = fc.integer({ min: -30_000, max: -100 }).map((value) => value / 10_000);
    fc.assert(
      fc.property(latitude, longitude, (lat, lon) => {
        const point = { kind: "point", latitude: lat, longitude: lon };
        for (const text of [`${lat},${lon}`, `${lon},${lat}`, `${lat}N ${-lon}W`]) {
          expect(parse(text)).toEqual(point);
        }
      }),
    );
  });
});
