import { expect, it } from "vitest";
import { createKnownStops } from "../../src/travel/places.ts";
import { place } from "../support/around.ts";

it("offers stops that came along, by the beginnings of their words, the latest first", () => {
  const stops = createKnownStops();
  stops.remember([
    place({ atco: "3290A" }),
    place({ atco: "3290B", locality: "Leeds" }),
    place({ kind: "settlement", atco: "3290C" }),
    place({ atco: undefined }),
  ]);
  stops.remember([place({ atco: "3290A" })]);
  const codes = (text: string) => stops.suggest(text, 5).map(({ atco }) => atco);
  expect(codes("mill")).toEqual(["3290A", "3290B"]);
  expect(codes("Lane leeds")).toEqual(["3290B"]);
  expect(codes("mi")).toEqual([]);
  expect(codes("")).toEqual([]);
  expect(stops.suggest("mill", 1)).toHaveLength(1);
});

it("forgets the oldest", () => {
  const stops = createKnownStops(2);
  stops.remember(["3290A", "3290B", "3290C"].map((atco) => place({ atco })));
  expect(stops.suggest("mill", 5).map(({ atco }) => atco)).toEqual(["3290C", "3290B"]);
});
