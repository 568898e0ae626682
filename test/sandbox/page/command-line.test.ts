import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatCommandLine,
  listRunnables,
  parseCommandLine,
  type Runnable,
} from "../../../sandbox/page/command-line.js";
import { valuesToSend } from "../../../sandbox/page/command-values.js";
import { beginningOf, completeAt } from "../../../sandbox/page/completion.js";

const RUNNABLES = listRunnables([
  {
    name: "departures",
    description: "Live departures",
    options: [
      { type: 3, name: "station", description: "Name or code", required: true, autocomplete: true },
      { type: 3, name: "to", description: "Calling at", autocomplete: true },
      { type: 4, name: "rows", description: "How many" },
      { type: 5, name: "private", description: "Only for you" },
      {
        type: 3,
        name: "view",
        description: "How it looks",
        choices: [
          { name: "Dot-matrix picture", value: "picture" },
          { name: "Text", value: "text" },
        ],
      },
    ],
  },
  { name: "help", description: "What I can do" },
  {
    name: "board",
    description: "Boards",
    options: [
      { type: 1, name: "list", description: "All boards" },
      {
        type: 1,
        name: "subscribe",
        description: "A new board",
        options: [{ type: 3, name: "station", description: "Name or code", required: true }],
      },
    ],
  },
  {
    name: "style",
    description: "Restyle",
    options: [{ type: 11, name: "image", description: "The picture", required: true }],
  },
]);

function runnable(name: string): Runnable {
  const found = RUNNABLES.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`no ${name}`);
  }
  return found;
}

/** The line as the person left it, with what was picked from lists. */
function read(text: string, picks: Record<string, string> = {}) {
  return parseCommandLine(text, RUNNABLES, new Map(Object.entries(picks)));
}

function sent(text: string, picks: Record<string, { name: string; value: string }> = {}) {
  const names = Object.entries(picks).map(([option, { name }]) => [option, name]);
  const line = read(text, Object.fromEntries(names));
  if (line.kind !== "command") {
    throw new Error(`no command: ${text}`);
  }
  return valuesToSend(line, new Map(Object.entries(picks)));
}

function offered(text: string, picks: Record<string, string> = {}, caret = text.length) {
  return completeAt(text, caret, read(text, picks), RUNNABLES)?.offers.map(({ label }) => label);
}

describe("a command line", () => {
  it("takes what does not begin with a slash for a message", () => {
    expect(read("hello /departures")).toEqual({ kind: "text" });
  });

  it("lists subcommands as commands of their own", () => {
    expect(RUNNABLES.map(({ name }) => name)).toEqual([
      "departures",
      "help",
      "board list",
      "board subscribe",
      "style",
    ]);
  });

  it("reads values with spaces and colons up to the next option", () => {
    expect(sent("/departures station: King's Cross 17:30 rows: 5 private: true")).toEqual({
      values: { station: "King's Cross 17:30", rows: 5, private: true },
    });
  });

  it("sends what was picked from a list by its value", () => {
    const picks = { station: { name: "York (YRK)", value: "YRK" } };
    expect(sent("/departures station: York (YRK) view: Text", picks)).toEqual({
      values: { station: "YRK", view: "text" },
    });
    expect(sent("/departures station: York (Y", picks)).toEqual({ values: { station: "York (Y" } });
  });

  it("takes words before any option for the first option's", () => {
    expect(sent("/departures Kings Lynn")).toEqual({ values: { station: "Kings Lynn" } });
    expect(sent("/departures York rows: 3")).toEqual({ values: { station: "York", rows: 3 } });
  });

  it.each([
    ["/departures", "rows: 5", "needs station"],
    ["/departures", "station: York rows: 5 please", "please"],
    ["/departures", "plattform: 5", "plattform"],
  ])("says what is wrong with %s %s", (command, rest, words) => {
    expect(sent(`${command} ${rest}`)).toEqual({ problem: expect.stringContaining(words) });
  });

  it("reads back what it writes", () => {
    const command = runnable("departures");
    // A value that names an option itself is an option: that is the one thing that cannot be written.
    const words = fc
      .string({ minLength: 1 })
      .map((text) => text.replaceAll(/[:\s]+/g, " ").trim())
      .filter((text) => text !== "");
    const values = fc.record(
      { station: words, to: words, rows: fc.integer({ min: -9, max: 99 }), private: fc.boolean() },
      { requiredKeys: ["station"] },
    );
    fc.assert(
      fc.property(values, (given) => {
        expect(sent(formatCommandLine(command, given))).toEqual({ values: given });
      }),
    );
  });

  it("has a reading and a completion for whatever is typed", () => {
    const pieces = fc.constantFrom(
      "/",
      "departures",
      "board",
      " ",
      "station",
      ":",
      "rows",
      "view",
      "Text",
      "5",
      "é",
      "list",
    );
    fc.assert(
      fc.property(fc.array(pieces), fc.nat(60), (parts, caret) => {
        const text = parts.join("");
        const at = Math.min(caret, text.length);
        const nothing = { start: 0, end: 0, typed: "" };
        const { start, end, typed } = completeAt(text, at, read(text), RUNNABLES) ?? nothing;
        expect(start).toBeLessThanOrEqual(end);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(text.slice(start, end)).toContain(typed);
      }),
    );
  });
});

describe("completion", () => {
  it("offers commands while one is named, those that begin so first", () => {
    expect(offered("/")).toHaveLength(5);
    expect(offered("/l")).toEqual(["/board list", "/help", "/style"]);
    expect(offered("/dep")).toEqual(["/departures"]);
  });

  it("begins a command up to the first value it needs, however it was chosen", () => {
    const begun = RUNNABLES.filter(({ name }) => ["departures", "help", "style"].includes(name)).map(
      beginningOf,
    );
    expect(begun).toEqual(["/departures station: ", "/help", "/style "]);
  });

  it("offers nothing in a message", () => {
    expect(offered("hello")).toBeUndefined();
  });

  it("offers the options that are not given yet", () => {
    expect(offered("/departures ")).toEqual(["station", "to", "rows", "private", "view"]);
    expect(offered("/departures rows: 5 ")).toEqual(["station", "to", "private", "view"]);
    expect(offered("/departures rows: 5 v")).toEqual(["view"]);
  });

  it("goes on to the other options after a name that was picked", () => {
    expect(offered("/departures station: King's Lynn ", { station: "King's Lynn" })).toEqual([
      "to",
      "rows",
      "private",
      "view",
    ]);
  });

  it("offers choices, and true or false", () => {
    expect(offered("/departures view: t")).toEqual(["Dot-matrix picture", "Text"]);
    expect(offered("/departures view: te")).toEqual(["Text"]);
    expect(offered("/departures private: ")).toEqual(["true", "false"]);
  });

  it("asks the bot where it completes by itself", () => {
    const text = "/departures station: yo rows: 5";
    const completion = completeAt(text, "/departures station: yo".length, read(text), RUNNABLES);
    expect(completion).toMatchObject({ typed: "yo", ask: { name: "station" }, offers: [] });
  });

  it("lets a file be chosen for an attachment", () => {
    const completion = completeAt("/style ", 7, read("/style "), RUNNABLES);
    expect(completion?.offers).toMatchObject([{ label: "image", attaches: "image", insert: "" }]);
  });
});
