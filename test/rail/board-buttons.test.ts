import { readArgs } from "../support/read-args.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMPONENT_ID_LIMIT, formatComponentId, parseComponentId } from "../../src/core/component-id.ts";
import type { ActionButton } from "../../src/core/reply.ts";
import type { Board } from "../../src/rail/departures.ts";
import {
  type BoardArgs,
  MAX_ROWS,
  boardArgs,
  boardButtons,
  fitsBoardArgs,
} from "../../src/rail/board-args.ts";
import { LEEDS, YORK, board, boardRow, ukTime } from "../support/boards.ts";

function buttonsOf(shown: Board): readonly ActionButton[] {
  return boardButtons(shown, "picture").filter(
    (button) => button !== undefined && button !== false && button.type === "button",
  );
}

function argsOf(shown: Board, label: string): BoardArgs {
  const button = buttonsOf(shown).find((one) => one.label === label);
  return readArgs(boardArgs, button?.target.args);
}

describe("a board's buttons", () => {
  it("show earlier trains, refresh, show later trains, and switch direction and format", () => {
    const labels = buttonsOf(board([boardRow()])).map(({ label, target }) => [label, target.command]);
    expect(labels).toEqual([
      ["Earlier", "departures"],
      ["Refresh", "departures"],
      ["Later", "departures"],
      ["Arrivals", "arrivals"],
      ["Text", "departures"],
    ]);
    const arrivals = boardButtons(board([], { asked: { kind: "arrivals" } }), "text");
    expect(arrivals.map((button) => button && button.label).filter(Boolean)).toEqual([
      "Earlier",
      "Refresh",
      "Later",
      "Departures",
      "Picture",
    ]);
  });

  it("continue later with the rows that did not fit", () => {
    const laterFrom = ukTime("2026-11-21 18:02");
    expect(argsOf(board([boardRow()], { laterFrom }), "Later").from).toEqual(laterFrom);
  });

  it("continue after the hours that were shown if everything fitted", () => {
    expect(argsOf(board([boardRow()]), "Later").from).toEqual(ukTime("2026-11-21 19:20"));
  });

  it("lead from an empty board to the next train, or nowhere if there is none", () => {
    const next = boardRow({ aimedAt: ukTime("2026-11-22 05:12") });
    expect(argsOf(board([], { next }), "Later").from).toEqual(next.aimedAt);
    expect(buttonsOf(board([])).find(({ label }) => label === "Later")?.disabled).toBe(true);
  });

  it("continue from now if every row that did not fit was due before now", () => {
    const laterFrom = ukTime("2026-11-21 17:05");
    expect(argsOf(board([boardRow()], { laterFrom }), "Later").from).toEqual(ukTime("2026-11-21 17:21"));
  });

  it("return to now from a later board", () => {
    const later = board([boardRow()], { asked: { from: ukTime("2026-11-21 19:20") } });
    expect(argsOf(later, "Now").from).toBeUndefined();
  });

  it("keep their places whichever is pressed, and are disabled if they make no sense", () => {
    const later = board([boardRow()], { asked: { from: ukTime("2026-11-21 23:20") } });
    expect(buttonsOf(later).map(({ label }) => label)).toEqual([
      "Earlier",
      "Now",
      "Later",
      "Arrivals",
      "Text",
    ]);
    expect(buttonsOf(board([boardRow()]))[0]).toMatchObject({ label: "Earlier", disabled: true });
    expect(buttonsOf(later)[0]).toMatchObject({ label: "Earlier", disabled: false });
  });

  it("go earlier by as much as the board shows, but never further back than now", () => {
    const from = ukTime("2026-11-21 19:00");
    const page = board([boardRow()], { asked: { from }, laterFrom: ukTime("2026-11-21 19:40") });
    expect(argsOf(page, "Earlier").from).toEqual(ukTime("2026-11-21 18:20"));
    expect(argsOf(board([boardRow()], { asked: { from } }), "Earlier").from).toBeUndefined();
  });

  it("forget a start that has passed", () => {
    const old = board([boardRow()], { asked: { from: ukTime("2026-11-20 09:00") } });
    expect(argsOf(old, "Refresh").from).toBeUndefined();
    expect(buttonsOf(old).map(({ label }) => label)).not.toContain("Now");
  });

  it("restore the whole question from a custom id within Discord's limit, whatever it was", () => {
    const minute = fc.integer({
      min: ukTime("2026-11-21 17:21").epochMilliseconds / 60_000,
      max: 60_000_000,
    });
    const question = fc.record({
      kind: fc.constantFrom("departures" as const, "arrivals" as const),
      rows: fc.integer({ min: 1, max: MAX_ROWS }),
      via: fc.constantFrom(undefined, LEEDS),
      operator: fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 36 }), { nil: undefined }),
      platform: fc.option(fc.string({ minLength: 1, maxLength: 6 }), { nil: undefined }),
      from: fc.option(
        minute.map((at) => Temporal.Instant.fromEpochMilliseconds(at * 60_000)),
        { nil: undefined },
      ),
    });
    let tried = 0;
    fc.assert(
      fc.property(question, fc.constantFrom("picture" as const, "text" as const), (asked, format) => {
        const args: BoardArgs = { ...asked, station: YORK.crs, via: asked.via?.crs, format };
        fc.pre(fitsBoardArgs(args));
        tried += 1;
        const ids = boardButtons(board([boardRow()], { asked }), format)
          .filter((button) => button !== undefined && button !== false)
          .map((button) => (button.type === "button" ? formatComponentId(button.target) : ""));
        expect(new Set(ids).size).toBe(ids.length);
        expect(Math.max(...ids.map((id) => id.length))).toBeLessThanOrEqual(COMPONENT_ID_LIMIT);
        const back = readArgs(boardArgs, parseComponentId(ids[3] ?? "")?.args);
        expect({ ...back, from: back.from?.toString() }).toEqual({
          station: args.station,
          via: args.via,
          operator: args.operator,
          platform: args.platform,
          rows: args.rows,
          format,
          from: asked.from?.toString(),
        });
      }),
    );
    expect(tried).toBeGreaterThan(50);
  });

  it.each([
    { station: YORK, via: LEEDS },
    { station: { crs: "930GTWELVE00", name: "A stop in London" }, via: undefined },
  ])("fit even if every part has its greatest length: $station.crs", (stations) => {
    const asked = {
      ...stations,
      kind: "departures" as const,
      rows: 10,
      operator: "x".repeat(36),
      platform: "123456",
      from: Temporal.Instant.fromEpochMilliseconds(36 ** 5 * 60_000 - 60_000),
    };
    const ids = boardButtons(board([boardRow()], { asked }), "text")
      .filter((button) => button !== undefined && button !== false)
      .map((button) => (button.type === "button" ? formatComponentId(button.target).length : 0));
    expect(Math.max(...ids)).toBeLessThanOrEqual(COMPONENT_ID_LIMIT);
  });

  it("refuse arguments that the bot cannot have written", () => {
    for (const args of [
      {},
      { s: "york" },
      { s: "940GZZ" },
      { s: "940gzzluoxc" },
      { s: "940GZZLUOXC00" },
      { s: "YRK", n: "11" },
      { s: "YRK", a: "-1" },
      { s: "YRK", w: "p" },
    ]) {
      expect(boardArgs.decode(args)).toBeUndefined();
    }
  });
});
