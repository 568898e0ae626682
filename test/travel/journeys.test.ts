import { describe, expect, test } from "vitest";
import type { TransportJourneyQuestion } from "../../src/sources/transport-data.ts";
import { UserError } from "../../src/core/errors.ts";
import { createAnswers } from "../../src/sources/answers.ts";
import { type Route, createJourneys, endOfPlace, routeKey } from "../../src/travel/journeys.ts";
import type { Place } from "../../src/travel/places.ts";
import { type Stations, createStations } from "../../src/rail/stations.ts";
import { ukTime } from "../support/boards.ts";
import { leg, route, stationEnd } from "../support/journeys.ts";
import { createStillClock } from "../support/still-clock.ts";

const NOW = ukTime("2026-11-21 17:20");
const QUESTION = {
  from: stationEnd("YRK", "York"),
  to: stationEnd("LDS", "Leeds"),
  at: NOW,
  arriveBy: false,
};

function place(name: string, more: Partial<Place> = {}): Place {
  return {
    kind: "settlement",
    name,
    latitude: 53.8,
    longitude: -1.5,
    crs: undefined,
    atco: undefined,
    distanceMetres: undefined,
    locality: undefined,
    ...more,
  };
}

function world({
  routes = [],
  places = [],
  stations = createStations(),
}: { routes?: readonly Route[]; places?: readonly Place[]; stations?: Stations } = {}) {
  const clock = createStillClock(NOW.epochMilliseconds);
  const asked: TransportJourneyQuestion[] = [];
  const searched: string[] = [];
  const journeys = createJourneys({
    transport: {
      async journeys(question) {
        asked.push(question);
        return { dataAt: NOW, routes, acknowledgements: undefined };
      },
    },
    answers: createAnswers({ clock, freshMs: 60_000, staleMs: 3_600_000 }),
    findRouteDetails: async (one) => one,
    places: {
      async find(text) {
        searched.push(text);
        return { places, acknowledgements: "Contains DfT data" };
      },
    },
    stations,
    clock,
  });
  return { asked, searched, journeys };
}

describe("a plan", () => {
  test("costs one request for all people who ask the same", async () => {
    const { asked, journeys } = world({ routes: [route([leg("train", "17:31", "17:55")])] });
    const [plan] = await Promise.all([journeys.plan(QUESTION), journeys.plan(QUESTION)]);
    expect(plan?.routes).toHaveLength(1);
    await journeys.plan({ ...QUESTION, arriveBy: true, at: NOW.add({ minutes: 1 }) });
    expect(asked).toHaveLength(2);
  });

  test("lists routes by departure, and only those in time if the arrival was given", async () => {
    const routes = [route([leg("train", "18:31", "18:55")]), route([leg("train", "17:31", "19:30")])];
    const { journeys } = world({ routes });
    expect((await journeys.plan(QUESTION)).routes.map(({ departsAt }) => departsAt.toString())).toEqual([
      "2026-11-21T17:31:00Z",
      "2026-11-21T18:31:00Z",
    ]);
    const inTime = await journeys.plan({ ...QUESTION, at: ukTime("2026-11-21 19:00"), arriveBy: true });
    expect(inTime.routes).toHaveLength(1);
  });

  test("starts now if the departure has passed, and is refused if the arrival has passed", async () => {
    const { asked, journeys } = world();
    const past = ukTime("2026-11-21 12:00");
    await journeys.plan({ ...QUESTION, at: past });
    expect(asked[0]?.at.equals(NOW)).toBe(true);
    await expect(journeys.plan({ ...QUESTION, at: past, arriveBy: true })).rejects.toThrow(UserError);
  });

  test("leaves out routes that have left, and lists the next ones if none is in time any more", async () => {
    const routes = [
      route([leg("train", "16:50", "17:59")]),
      route([leg("train", "17:55", "19:30")]),
      route([leg("train", "17:50", "18:59")]),
    ];
    const { asked, journeys } = world({ routes });
    const by = ukTime("2026-11-21 18:00");
    const plan = await journeys.plan({ ...QUESTION, at: by, arriveBy: true });
    expect(asked.map(({ arriveBy }) => arriveBy)).toEqual([true, false]);
    expect(plan.missed?.equals(by)).toBe(true);
    expect(plan.question).toMatchObject({ arriveBy: false, at: NOW });
    expect(plan.routes.map(({ departsAt }) => departsAt.toString())).toEqual([
      "2026-11-21T17:50:00Z",
      "2026-11-21T17:55:00Z",
    ]);
    expect(plan.shown?.arrivesAt.toString()).toBe("2026-11-21T18:59:00Z");
    const chosen = await journeys.plan(QUESTION, plan.routes[1] && routeKey(plan.routes[1]));
    expect(chosen.shown?.departsAt.toString()).toBe("2026-11-21T17:55:00Z");
  });

  test("shows the route that arrives first without a long wait at night", async () => {
    const overnight = route([
      leg("train", "17:30", "23:30"),
      leg("train", "2026-11-22 03:10", "2026-11-22 04:40"),
    ]);
    const slow = route([leg("train", "2026-11-22 05:10", "2026-11-22 12:00")]);
    const direct = route([leg("train", "2026-11-22 08:10", "2026-11-22 13:00")]);
    const shown = async (...routes: Route[]) => (await world({ routes }).journeys.plan(QUESTION)).shown;
    expect(await shown(overnight, slow, direct)).toEqual(slow);
    expect(await shown(overnight, direct)).toEqual(direct);
    expect(await shown(overnight)).toEqual(overnight);
    expect(await shown(slow, direct)).toEqual(slow);
  });

  test("from a place to itself is refused without a request", async () => {
    const { asked, journeys } = world();
    await expect(journeys.plan({ ...QUESTION, to: stationEnd("YRK", "York") })).rejects.toThrow(
      /York to York/,
    );
    expect(asked).toEqual([]);
  });
});

describe("an end of a journey", () => {
  test("is known at once if it is a station, a postcode, a point or a stop", () => {
    const { searched, journeys } = world();
    const kinds = ["York", "yo24 1ab", "53.95, -1.08", "3290YYA00103"].map((text) => {
      const found = journeys.read(text);
      return found.kind === "found" ? found.end.place.kind : found.kind;
    });
    expect(kinds).toEqual(["station", "postcode", "point", "stop"]);
    expect(searched).toEqual([]);
  });

  test("can be chosen from similar stations, or searched for", () => {
    const found = world().journeys.read("Newcatsle");
    const choices = found.kind === "choose" ? found.choices : [];
    expect(choices[0]).toMatchObject({ end: { place: { crs: "NCL" } } });
    expect(found).toMatchObject({ canSearch: true, text: "Newcatsle" });
    expect(world().journeys.read("Zzyzx Qqq")).toMatchObject({ canSearch: true, choices: [] });
  });

  test("is the service's tube station of that name, not a train station with a similar name", async () => {
    expect(world().journeys.read("Bank")).toMatchObject({ canSearch: true, choices: [] });
    const bank = place("Bank Underground Station", { kind: "tube-station", atco: "9400ZZLUBNK" });
    const found = await world({ places: [place("Bank Hall"), bank] }).journeys.search("Bank");
    expect(found).toMatchObject({ kind: "found", end: { place: { kind: "stop" }, name: bank.name } });
  });

  test("is searched for at once if it is a stop in London, but a train station of that name comes first", () => {
    const { journeys } = world({ stations: createStations({ hasLondon: true }) });
    for (const name of ["Oxford Circus (Tube)", "Ampere Way", "Canary Wharf Pier"]) {
      expect(journeys.read(name)).toMatchObject({ canSearch: true, choices: [], text: name });
    }
    expect(journeys.read("Euston")).toMatchObject({ end: { place: { kind: "station", crs: "EUS" } } });
  });

  test("is the railway station even without “Rail” in its name", () => {
    const found = world().journeys.read("Heathrow Terminal 5");
    expect(found).toMatchObject({ kind: "found", end: { place: { kind: "station", crs: "HWV" } } });
  });

  test("that is searched for is the only match, a choice of several, or refused", async () => {
    const only = await world({ places: [place("Mill Lane", { atco: "3290EX001" })] }).journeys.search(
      "Mill Lane",
    );
    expect(only).toMatchObject({ kind: "found", end: { place: { kind: "stop", atcocode: "3290EX001" } } });
    const several = await world({ places: [place("Ashton A"), place("Ashton B")] }).journeys.search("Ashton");
    expect(several.kind === "choose" && several.choices).toHaveLength(2);
    expect(several).toMatchObject({ acknowledgements: "Contains DfT data" });
    await expect(world().journeys.search("Zzyzx Qqq")).rejects.toThrow(/can't find “Zzyzx Qqq”.*postcode/);
  });

  test("from the service is a station, a stop, or else a point", () => {
    expect(endOfPlace(place("York", { crs: "YRK" })).place).toMatchObject({ kind: "station" });
    expect(endOfPlace(place("Headingley")).place).toEqual({ kind: "point", latitude: 53.8, longitude: -1.5 });
  });
});
