import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCommandLine, splitValues } from "../../../../../sandbox/page/client/command/command-line.ts";
import { listRunnables } from "../../../../../sandbox/page/client/command/runnables.ts";
import { commandNamed, COMMANDS, RUNNABLES } from "./commands.ts";

/** The command's name and the text of each option; `undefined` if the line is no command. */
function read(line: string) {
  const written = readCommandLine(line, RUNNABLES);
  return written === undefined
    ? undefined
    : [
        written.runnable.name,
        Object.fromEntries(written.values.map(({ option, text }) => [option.name, text])),
      ];
}

describe("the list of commands", () => {
  it("contains each subcommand as an entry of its own", () => {
    expect(listRunnables(COMMANDS).map(({ name }) => name)).toEqual([
      "departures",
      "help",
      "board list",
      "board subscribe",
      "style",
    ]);
  });
});

describe("a command line", () => {
  it.each(["hello /departures", "/dep", "/departures", "/departuresx York", "", "/"])(
    "is not recognised in “%s”",
    (text) => {
      expect(read(text)).toBeUndefined();
    },
  );

  it("allows spaces and colons in values", () => {
    expect(read("/departures station: King's Cross 17:30 rows: 5 private: true")).toEqual([
      "departures",
      { station: "King's Cross 17:30", rows: "5", private: "true" },
    ]);
  });

  it("assigns text before any option to the first option", () => {
    expect(read("/departures Kings Lynn")).toEqual(["departures", { station: "Kings Lynn" }]);
    expect(read("/departures York rows: 3")).toEqual(["departures", { station: "York", rows: "3" }]);
  });

  it("ignores text before the options if the first option is named too", () => {
    expect(read("/departures nonsense station: York")).toEqual(["departures", { station: "York" }]);
  });

  it("finds a subcommand by its full name", () => {
    expect(read("/board subscribe York")).toEqual(["board subscribe", { station: "York" }]);
  });

  it("treats a repeated option name as part of the value", () => {
    expect(read("/departures station: a station: b")).toEqual(["departures", { station: "a station: b" }]);
  });

  it("parses every line that was written from values", () => {
    const words = fc
      .array(fc.constantFrom("York", "Kings", "17.30", "é", "to", "rows"), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(" "));
    const values = fc.record(
      { station: words, to: words, rows: fc.integer({ min: -9, max: 99 }), private: fc.boolean() },
      { requiredKeys: ["station"] },
    );
    fc.assert(
      fc.property(values, (given) => {
        const texts = Object.entries(given).map(([name, value]) => [name, String(value)]);
        const written = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
        expect(read(`/departures ${written.join(" ")}`)).toEqual(["departures", Object.fromEntries(texts)]);
      }),
    );
  });

  it("parses any text, and never returns more than was typed", () => {
    const pieces = fc.constantFrom("/", "departures", " ", "station", ":", "rows", "5", "é", "(", "\n");
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const text = parts.join("");
        const { before, values } = splitValues(text, commandNamed("departures").options);
        const kept = before.length + values.reduce((all, value) => all + value.text.length, 0);
        expect(kept).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
