import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/core/errors.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import { createPlaces } from "../../src/travel/places.ts";
import { distanceMetres } from "../../src/travel/parse-place.ts";
import { createStations } from "../../src/rail/stations.ts";
import { NOW, type PreparedAnswers, fakeTransportClient, place, placesPage } from "../support/travel-data.ts";
import { createStillClock } from "../support/still-clock.ts";

const stations = createStations();
const START = { page: 1, skip: 0 };
const YORK = { name: "York", latitude: 53.958, longitude: -1.093 };

function open(prepared: PreparedAnswers) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const { client, asked } = fakeTransportClient(prepared);
  const answers = createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 });
  return { places: createPlaces({ transport: client, answers, stations }), asked, clock };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => place({ name: `Stop ${index}` }));
const search = { text: "Mill", near: undefined, kind: undefined, ...START };

describe("a search", () => {
  it("shows five places at a time, and pages through the service's pages and back", async () => {
    const { places, asked } = open({
      places: ({ page }) => placesPage(page === 1 ? many(25) : many(3), { hasMore: page === 1 }),
    });
    let list = await places.search(search);
    let steps = 1;
    while (list.next) {
      list = await places.search({ ...search, ...list.next });
      steps += 1;
    }
    expect(steps).toBe(6);
    expect(list.places).toHaveLength(3);
    expect(asked).toHaveLength(2);
    const before = await places.search({ ...search, ...(list.previous ?? START) });
    expect(before.places.map(({ name }) => name)).toEqual([
      "Stop 20",
      "Stop 21",
      "Stop 22",
      "Stop 23",
      "Stop 24",
    ]);
  });

  it("near a point lists the nearest first, with distances even if the service gives none", async () => {
    const far = place({ name: "far", latitude: 54 });
    const given = place({ name: "given", latitude: 54.5, distanceMetres: 5 });
    const { places } = open({
      places: () => placesPage([far, place({ name: "here", latitude: 53.959 }), given]),
    });
    const list = await places.search({ ...search, near: YORK });
    expect(list.places.map(({ name }) => name)).toEqual(["given", "here", "far"]);
    expect(list.places[1]?.distanceMetres).toBeGreaterThan(100);
  });

  it("near a point ends at three miles, or at fifteen if nothing is that near", async () => {
    const at = (name: string, latitude: number) => place({ name, latitude, longitude: YORK.longitude });
    const found = [at("street", 53.96), at("suburb", 53.99), at("town", 54.1), at("London", 51.5)];
    const near = async (given: readonly ReturnType<typeof place>[]) => {
      const { places } = open({ places: () => placesPage(given, { hasMore: true }) });
      const list = await places.search({ ...search, near: YORK });
      return { names: list.places.map(({ name }) => name), miles: list.withinMiles, next: list.next };
    };
    expect(await near(found)).toEqual({ names: ["street", "suburb"], miles: 3, next: undefined });
    expect(await near(found.slice(2))).toEqual({ names: ["town"], miles: 15, next: undefined });
    expect(await near(found.slice(3))).toEqual({ names: [], miles: 15, next: undefined });
    expect((await near(found.slice(0, 2))).next).toEqual({ page: 2, skip: 0 });
  });

  it("by name lists the exact name first, then matches of the town, then whole words", async () => {
    const given = [
      place({ name: "Stationers Yorkville", locality: "Hull" }),
      place({ name: "York Road Station", locality: "Selby" }),
      place({ name: "Rail Station", locality: "Micklegate, York" }),
      place({ name: "York Station", locality: "Leeds" }),
    ];
    const { places } = open({ places: () => placesPage(given) });
    const names = (await places.search({ ...search, text: "york station" })).places.map(({ name }) => name);
    expect(names).toEqual(["York Station", "Rail Station", "York Road Station", "Stationers Yorkville"]);
    expect((await places.find("york station", "bus-stop")).places[0]?.name).toBe("York Station");
    expect(places.suggestStops("york station", 9)).toHaveLength(1);
  });

  it("costs one request for all people who search the same, and uses an old answer if that fails", async () => {
    let broken = false;
    const { places, asked, clock } = open({
      places: () => (broken ? new ServiceError("transport", "budget-spent", "x") : placesPage([place()])),
    });
    await Promise.all(Array.from({ length: 50 }, () => places.search(search)));
    expect(asked).toHaveLength(1);
    broken = true;
    clock.advance(10 * 60_000);
    const old = await places.search(search);
    expect(old.stale).toMatchObject({ ageMinutes: 10, why: "budget-spent" });
  });
});

describe("the location of a place", () => {
  it("is known for stations and points without a request", async () => {
    const { places, asked } = open({});
    expect(await places.locate({ kind: "station", crs: "YRK", name: "York" })).toMatchObject({
      name: "York",
      latitude: expect.closeTo(53.958, 2),
    });
    expect(await places.locate({ kind: "point", latitude: 53, longitude: -1 })).toMatchObject({
      latitude: 53,
    });
    expect(asked).toEqual([]);
  });

  it("of a postcode comes from its own entry, not from places near it", async () => {
    const { places } = open({
      places: () =>
        placesPage([place({ latitude: 50 }), place({ kind: "postcode", name: "YO241AB", latitude: 53.9 })]),
    });
    expect(await places.locate({ kind: "postcode", postcode: "YO24 1AB" })).toMatchObject({
      name: "YO24 1AB",
      latitude: 53.9,
    });
  });

  it("is refused for a postcode that is not in use, an unknown name, or a bare code", async () => {
    const { places } = open({ places: () => placesPage([]) });
    await expect(places.locate({ kind: "postcode", postcode: "YO24 9ZZ" })).rejects.toThrow(
      /can't find the postcode YO24 9ZZ/,
    );
    await expect(places.locate({ kind: "text", text: "Xyzzy" })).rejects.toThrow(/called “Xyzzy”/);
    await expect(places.locate({ kind: "stop", atcocode: "3290EX001" })).rejects.toThrow(/code alone/);
  });

  it("is found if one place has exactly that name, and is a choice if several do", async () => {
    const one = open({
      places: () => placesPage([place({ name: "Haworth" }), place({ name: "Haworth Brow", latitude: 53 })]),
    });
    expect(await one.places.locate({ kind: "text", text: "haworth" })).toMatchObject({ name: "Haworth" });
    const two = open({
      places: () => placesPage([place({ name: "Ash" }), place({ name: "Ash", latitude: 51 })]),
    });
    expect(await two.places.locate({ kind: "text", text: "Ash" })).toMatchObject({ choices: [{}, {}] });
  });
});

it("distances match those on a map", () => {
  const leeds = { latitude: 53.7949, longitude: -1.5475 };
  expect(distanceMetres(YORK, leeds) / 1_000).toBeCloseTo(34.9, 0);
  expect(distanceMetres(leeds, leeds)).toBe(0);
});
