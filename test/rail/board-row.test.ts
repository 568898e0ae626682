import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBoardRow } from "../../src/rail/board-row.ts";
import { at, train } from "../sources/transport-api/fake-transport.ts";

describe("a board's row", () => {
  test.each([
    ["17:30", "17:30", "LATE", "on-time", 0],
    ["17:30", "17:33", "ON TIME", "late", 3],
    ["17:30", "17:33", "STARTS HERE", "late", 3],
    ["17:30", "17:28", "NO REPORT", "early", -2],
    ["17:30", undefined, "ON TIME", "scheduled", undefined],
    ["17:30", undefined, undefined, "scheduled", undefined],
    ["17:30", "17:30", "CANCELLED", "cancelled", undefined],
    ["17:30", undefined, "CANCELED", "cancelled", undefined],
    ["17:30", "17:30", "DELAYED", "delayed", undefined],
    ["17:30", undefined, "DELAYED", "delayed", undefined],
    ["17:30", "17:50", "DELAYED", "late", 20],
    ["17:30", "17:31", "WORD OF TOMORROW", "late", 1],
    ["23:58", "2026-03-05T00:04:00Z", "LATE", "late", 6],
  ] as const)(
    "for a train aimed at %s, expected at %s and reported as %s has the state %s by %s",
    (aimed, expected, status, state, delayMinutes) => {
      expect(createBoardRow(train(aimed, expected, { status }))).toMatchObject({ state, delayMinutes });
    },
  );

  test("is a replacement bus with a state of its own if the mode says bus", () => {
    expect(createBoardRow(train("17:30", "17:35", { mode: "bus", status: "BUS" }))).toMatchObject({
      mode: "bus",
      state: "late",
    });
  });

  test("has a delay that leads from the aimed to the expected time", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -600, max: 600 }),
        fc.integer({ min: 0, max: 5_000 }),
        (delay, offset) => {
          const aimedAt = at("2026-10-24T20:00:00Z").add({ minutes: offset });
          const row = createBoardRow({
            ...train("17:30", undefined),
            aimedAt,
            expectedAt: aimedAt.add({ minutes: delay }),
          });
          expect(row.delayMinutes).toBe(delay);
          expect(row.state).toBe(delay > 0 ? "late" : delay < 0 ? "early" : "on-time");
        },
      ),
    );
  });
});
