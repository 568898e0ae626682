import * as fc from "fast-check";
import { expect, it } from "vitest";
import { formatComponentId } from "../../src/core/component-id.ts";
import { boardSlotArgs, findBoardSlot } from "../../src/boards/board-button-args.ts";

const refreshId = (args: Readonly<Record<string, string>>) =>
  formatComponentId({ command: "board/show", action: "refresh", args });

it("finds a board's id and slot among a message's custom ids", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[0-9a-z]{8}$/),
      fc.integer({ min: 0, max: Date.UTC(2126, 0) / 60_000 }),
      (boardId, minute) => {
        const slot = { boardId, slotMs: minute * 60_000 };
        const ids = ["departures:train:1:s=YRK", "free", refreshId(boardSlotArgs.encode(slot))];
        expect(findBoardSlot(ids)).toEqual(slot);
      },
    ),
  );
});

it("finds no slot in other custom ids", () => {
  fc.assert(fc.property(fc.array(fc.string()), (ids) => findBoardSlot(ids) === undefined));
  const args = boardSlotArgs.encode({ boardId: "abcd1234", slotMs: 60_000 });
  expect(
    findBoardSlot([formatComponentId({ command: "board/list", action: "repair", args })]),
  ).toBeUndefined();
});

it.each([
  {},
  { b: "abcd1234" },
  { s: "1" },
  { b: "", s: "1" },
  { b: "abcd1234", s: "-1" },
  { b: "a", s: "zzzzzzz" },
])("rejects the arguments %j", (args: Record<string, string>) => {
  expect(boardSlotArgs.decode(args)).toBeUndefined();
  expect(findBoardSlot([refreshId(args)])).toBeUndefined();
});
