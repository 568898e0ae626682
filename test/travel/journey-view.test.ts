import { readArgs } from "../support/read-args.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitsId, formatComponentId, parseComponentId } from "../../src/core/component-id.ts";
import type { Reply } from "../../src/core/reply.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { stalenessOf } from "../../src/sources/answers.ts";
import { CREDITS } from "../../src/sources/source-words.ts";
import type { JourneyEnd } from "../../src/travel/journeys.ts";
import {
  choosingArgs,
  formatChoosingArgs,
  formatJourneyArgs,
  journeyArgs,
  parseEnd,
} from "../../src/travel/journey-args.ts";
import { journeyPictureModel, journeyView } from "../../src/travel/journey-view.ts";
import { placeChoiceView } from "../../src/travel/places-view.ts";
import { ukTime } from "../support/boards.ts";
import { leg, plan, route, stationEnd } from "../support/journeys.ts";
import { blocksOf, buttonsOf, textOf } from "../support/reply-parts.ts";

const FAST = route(
  [
    leg("train", "17:31", "18:40", { line: "LNER", destination: "London Kings Cross" }),
    leg("train", "18:52", "19:20", { line: "Northern" }),
  ],
  { pricePounds: 12.4 },
);
const MIXED = route([
  leg("walk", "17:25", "17:31", { to: "York" }),
  leg("train", "17:31", "17:55", { line: "1234", destination: "Hull", to: "Leeds" }),
  leg("walk", "17:55", "17:59", { to: "Leeds Bus Station" }),
  leg("bus", "18:05", "18:20", { line: "4A", destination: "City Centre", to: "Mill Lane" }),
  leg("tram", "18:20", "18:30", { line: "Blue" }),
]);

describe("a plan", () => {
  it("says that not every platform and change was looked up", () => {
    const shown = { ...FAST, hasSkippedLookups: true };
    expect(textOf(journeyView(plan([FAST], { shown })))).toContain(
      "To save requests, I haven't looked up every platform, delay and change.",
    );
  });

  it("lists the routes and shows one from end to end, and says what is not known", () => {
    expect(textOf(journeyView(plan([FAST, MIXED])))).toBe(
      [
        "### York → Leeds",
        "-# Leaving after 17:20, Sat 21 Nov",
        "**17:31 → 19:20** · 1 h 49 min · 1 change · £12.40",
        "17:25 → 18:30 · 1 h 5 min · 2 changes · no price · **★ fastest**",
        "**17:31** York",
        "> 🚆 LNER towards London Kings Cross · 1 h 9 min",
        "**18:40** station not given",
        "-# Change, 12 min",
        "**18:52** leaves",
        "> 🚆 Northern · 28 min",
        "**19:20** Leeds",
        "-# I couldn't find out every station where you change. [National Rail](https://www.nationalrail.co.uk/journey-planner/) can tell you.",
        "-# As of 17:20 UK time, Sat 21 Nov · source: [transportapi.com](http://transportapi.com/)",
      ].join("\n"),
    );
  });

  it("shows the chosen route, with walks but without train numbers", () => {
    const text = textOf(journeyView(plan([FAST, MIXED], { shown: MIXED })));
    expect(text).toContain("**17:25 → 18:30** · 1 h 5 min · 2 changes · no price · **★ fastest**");
    expect(text).toContain(
      "> 🚶 Walk · 6 min\n**17:31** York\n> 🚆 Train towards Hull · 24 min\n**17:55** Leeds",
    );
    expect(text).toContain(
      "-# Wait, 6 min\n**18:05** Leeds Bus Station\n> 🚌 Bus 4A towards City Centre · 15 min",
    );
    expect(text).toContain("> 🚊 Blue \\(Tram\\) · 10 min\n**18:30** Leeds");
    expect(text).not.toContain("1234");
  });

  it("says what to do at unnamed places, and does not mention short waits before a walk", () => {
    const across = route([
      leg("walk", "17:25", "17:30"),
      leg("train", "17:32", "18:19"),
      leg("walk", "18:20", "18:24"),
      leg("tube", "18:24", "18:35", { line: "Victoria" }),
      leg("walk", "18:35", "18:38"),
      leg("train", "18:46", "19:36"),
    ]);
    const text = textOf(journeyView(plan([across])));
    expect(text).toContain("Walk · 5 min\n**17:30** station not given\n-# Wait, 2 min\n**17:32** leaves\n");
    expect(text).toContain(
      "\n**18:19** station not given\n> 🚶 Walk · 4 min\n**18:24** get on\n> 🚇 Victoria",
    );
    expect(text).toContain(
      "\n**18:35** get off\n> 🚶 Walk · 3 min\n**18:38** station not given\n-# Wait, 8 min\n",
    );
  });

  it("says what an unnamed place is near if the walk from there is short", () => {
    const across = route([
      leg("tube", "17:25", "17:40", { line: "Northern" }),
      leg("walk", "17:40", "17:44", { to: "London Euston" }),
      leg("bus", "17:50", "18:05", { line: "4" }),
      leg("walk", "18:05", "18:25"),
      leg("boat", "18:25", "18:40", { from: "Tower Pier" }),
    ]);
    const text = textOf(journeyView(plan([across])));
    expect(text).toContain("**17:40** near London Euston\n> 🚶 Walk · 4 min\n**17:44** London Euston\n");
    expect(text).toContain("-# Wait, 6 min\n**17:50** London Euston\n> 🚌 Bus 4");
    expect(text).toContain("**18:05** get off\n> 🚶 Walk · 20 min\n**18:25** Tower Pier\n");
  });

  it("names days when they change", () => {
    const night = route([
      leg("boat", "23:31", "2026-11-22 00:10"),
      leg("unicycle", "2026-11-22 00:12", "2026-11-22 00:20"),
    ]);
    const text = textOf(journeyView(plan([night])));
    expect(text).toContain("**23:31 → Sun 00:20** · 49 min · 1 change");
    expect(text).toContain("⛴️ Boat");
    expect(text).toContain("🚏 Unicycle");
    const { files = [] } = journeyView(plan([night]), { picture: Uint8Array.of(1), format: "picture" });
    expect(files[0]?.description).toContain(". Sun 00:20 Leeds.");
    const morning = route([leg("train", "2026-11-22 05:12", "2026-11-22 06:00")]);
    expect(textOf(journeyView(plan([morning])))).toContain("**Sun 05:12 → 06:00**");
  });

  it("handles a mode that is a property of every object, such as __proto__", () => {
    expect(
      textOf(journeyView(plan([route([leg("__proto__", "17:31", "18:00"), leg("", "18:01", "18:02")])]))),
    ).toContain("Ride");
  });

  it("says if there is no route, and what to try", () => {
    const reply = journeyView(plan([]));
    expect(textOf(reply)).toMatch(/couldn't find a way there.*Later.*`\/places`/);
    expect(buttonsOf(reply).map(({ label }) => label)).toEqual(["Earlier", "Later", "Return", "Picture"]);
  });

  it("says that it is old if newer data could not be requested", () => {
    const failure = new ServiceError("transport", "budget-spent", "spent");
    const stale = stalenessOf({ value: 1, ageMs: 12 * 60_000, failure });
    expect(textOf(journeyView(plan([FAST], { stale })))).toMatch(
      /Live data is used up for now.*12 minutes old/,
    );
  });

  it("escapes text from people and services", () => {
    const evil = "@everyone **x** <@1>\n# y";
    const text = textOf(
      journeyView(
        plan([route([leg("train", "17:31", "18:00", { line: evil, to: evil, destination: evil })])], {
          asked: { from: { place: { kind: "postcode", postcode: "YO24 1AB" }, name: evil } },
          acknowledgements: evil,
        }),
      ),
    );
    expect(text).not.toContain("**x**");
    expect(text).not.toContain("<@1>");
    expect(text).not.toMatch(/^# y/m);
  });
});

describe("a route with details", () => {
  const followed = route([
    leg("train", "17:31", "18:40", {
      line: "LNER",
      destination: "London Kings Cross",
      to: "Doncaster",
      departure: { platform: "5", expectedAt: ukTime("2026-11-21 17:32"), isCancelled: false },
      arrival: { platform: "3", expectedAt: ukTime("2026-11-21 18:53"), isCancelled: false },
    }),
    leg("train", "18:52", "19:20", {
      line: "Northern",
      from: "Doncaster",
      departure: { platform: "8", expectedAt: undefined, isCancelled: true },
    }),
  ]);

  it("says where to change, the platforms and delays, and which change may be missed", () => {
    expect(textOf(journeyView(plan([followed])))).toContain(
      [
        "**17:31** York · platform 5 · on time",
        "> 🚆 LNER towards London Kings Cross · 1 h 9 min",
        "**18:40** Doncaster · platform 3 · **13 min late, 18:53**",
        "⚠️ Change, 12 min: you may miss it",
        "**18:52** Doncaster · platform 8 · **cancelled**",
        "> 🚆 Northern · 28 min",
        "**19:20** Leeds\n",
      ].join("\n"),
    );
  });

  it("is drawn as a picture, whose alt text is complete", () => {
    expect(journeyPictureModel(plan([followed]))).toMatchObject({
      title: "York to Leeds",
      summary: "1 h 49 min · 1 change",
      lines: [
        { kind: "stop", time: "17:31", place: "York", platform: "5", mood: "plain" },
        { kind: "ride", title: "towards London Kings Cross", detail: "LNER · 1 h 9 min", by: "train" },
        { kind: "stop", time: "18:40", place: "Doncaster", remark: "13 min late, 18:53", mood: "late" },
        { kind: "wait", isTight: true },
        { kind: "stop", time: "18:52", place: "Doncaster", platform: "8", mood: "cancelled" },
        { kind: "ride", by: "train" },
        { kind: "stop", time: "19:20", place: "Leeds" },
      ],
    });
    const { files = [] } = journeyView(plan([followed]), { picture: Uint8Array.of(1), format: "picture" });
    expect(files[0]?.description).toMatch(
      /^York to Leeds\. 17:31 York, platform 5, on time\. .* 18:40 Doncaster, platform 3, 13 min late, 18:53\. /,
    );
  });

  it("says that the requested arrival is no longer possible", () => {
    const missed = plan([FAST], { missed: ukTime("2026-11-21 18:00") });
    expect(textOf(journeyView(missed))).toContain(
      "**You can't be in Leeds by 18:00 any more.** The earliest arrival is 19:20, leaving 17:31.",
    );
  });

  it("warns of a long wait overnight, and marks the cheapest route only if prices differ", () => {
    const night = route(
      [leg("train", "17:31", "21:00"), leg("train", "2026-11-22 05:17", "2026-11-22 07:00")],
      { pricePounds: 20 },
    );
    const text = textOf(journeyView(plan([night, FAST])));
    expect(text).toContain("£20.00 · **⚠️ 8 h 17 min wait overnight**");
    expect(text).toContain("£12.40 · **★ fastest and cheapest**");
    expect(textOf(journeyView(plan([MIXED])))).not.toMatch(/★|price/);
  });
});

describe("the buttons of a plan", () => {
  const at = (reply: Reply, label: string) => {
    const args = buttonsOf(reply).find((button) => button.label === label)?.target.args;
    return readArgs(journeyArgs, args);
  };

  it("lead to later routes, and back from the destination", () => {
    const reply = journeyView(plan([FAST, MIXED]));
    expect(at(reply, "Later").at?.equals(ukTime("2026-11-21 17:26"))).toBe(true);
    expect(at(reply, "Return")).toMatchObject({ from: "LDS", to: "YRK", arriveBy: false });
    expect(at(reply, "Return").at?.equals(ukTime("2026-11-21 19:20"))).toBe(true);
  });

  it("go no further back than now", () => {
    const [now] = buttonsOf(journeyView(plan([FAST])));
    expect(now?.disabled).toBe(true);
    const soon = journeyView(plan([FAST], { asked: { at: ukTime("2026-11-21 17:50") } }));
    expect(buttonsOf(soon)[0]?.disabled).toBe(false);
    expect(at(soon, "Earlier").at?.equals(ukTime("2026-11-21 17:20"))).toBe(true);
  });

  it("lead to earlier arrivals if the arrival was given", () => {
    const reply = journeyView(plan([FAST], { asked: { at: ukTime("2026-11-21 20:00"), arriveBy: true } }));
    expect(at(reply, "Earlier")).toMatchObject({ arriveBy: true });
    expect(at(reply, "Earlier").at?.equals(ukTime("2026-11-21 19:19"))).toBe(true);
  });
});

const ends: fc.Arbitrary<JourneyEnd> = fc.oneof(
  fc.constant(stationEnd("YRK", "York")),
  fc.constant<JourneyEnd>({ place: { kind: "postcode", postcode: "YO24 1AB" }, name: "YO24 1AB" }),
  fc
    .record({ name: fc.string({ unit: "grapheme", maxLength: 80 }) })
    .map(({ name }): JourneyEnd => ({ place: { kind: "stop", atcocode: "3290YYA00103" }, name })),
  fc
    .record({
      latitude: fc.double({ min: 49.9, max: 60.9, noNaN: true }),
      longitude: fc.double({ min: -8.6, max: 1.7, noNaN: true }),
      name: fc.string({ unit: "grapheme", maxLength: 80 }),
    })
    .map(({ name, ...point }): JourneyEnd => ({ place: { kind: "point", ...point }, name })),
);

describe("the custom ids of a journey", () => {
  it("fit and parse back for any two ends", () => {
    fc.assert(
      fc.property(ends, ends, fc.boolean(), (from, to, arriveBy) => {
        const question = { from, to, at: ukTime("2026-11-21 17:20"), arriveBy };
        const id = formatComponentId({
          command: "journey",
          action: "earlier",
          args: formatJourneyArgs(question, "text"),
        });
        const args = readArgs(journeyArgs, parseComponentId(id)?.args);
        expect(args.arriveBy).toBe(arriveBy);
        expect(args.at?.equals(question.at)).toBe(true);
        const { text, name } = parseEnd(args.from);
        expect(text).not.toBe("");
        expect(name === undefined || from.name.replaceAll("*", " ").trim().startsWith(name)).toBe(true);
      }),
    );
  });

  it("are undefined if the other end is too long to fit", () => {
    const args = {
      side: "from" as const,
      other: "Leeds Bus Station",
      at: undefined,
      arriveBy: true,
      format: "text" as const,
    };
    expect(readArgs(choosingArgs, formatChoosingArgs(args))).toEqual(args);
    expect(formatChoosingArgs({ ...args, other: "漢".repeat(20) })).toBeUndefined();
    const other = "x".repeat(60);
    const target = { command: "journey", action: "choose" };
    const written = formatChoosingArgs({ ...args, other, at: ukTime("2026-11-21 17:20") });
    expect(fitsId({ ...target, ...(written && { args: written }) })).toBe(true);
  });

  it("contain a station once, however many places of the service have its code", () => {
    const york = { end: stationEnd("YRK", "York"), detail: undefined };
    const found = {
      kind: "choose",
      text: "york",
      choices: [york, york, { ...york, end: stationEnd("LDS", "Leeds") }],
      canSearch: false,
      acknowledgements: undefined,
    } as const;
    const args = { side: "from", other: "HUL", at: undefined, arriveBy: false, format: "picture" } as const;
    const select = blocksOf(placeChoiceView(found, args)).find(({ type }) => type === "select");
    expect(select).toMatchObject({ choices: [{ value: "YRK" }, { value: "LDS" }] });
  });

  it("come with the service's credit only if its own places are offered", () => {
    const york = { end: stationEnd("YRK", "York"), detail: undefined };
    const args = { side: "from", other: "HUL", at: undefined, arriveBy: false, format: "picture" } as const;
    const found = { kind: "choose", text: "york", choices: [york], acknowledgements: undefined } as const;
    const creditIn = (canSearch: boolean): boolean =>
      JSON.stringify(placeChoiceView({ ...found, canSearch }, args)).includes(CREDITS.transport);
    expect(creditIn(false)).toBe(true);
    expect(creditIn(true)).toBe(false);
  });
});
