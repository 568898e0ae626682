import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filterTraffic, mergeTraffic } from "../../../../../sandbox/page/client/inspector/traffic-entries.ts";
import { gatewayEvent, restCall } from "./traffic.ts";

describe("merged traffic", () => {
  it("contains each entry once, in its later state", () => {
    const open = restCall(2, { state: "open", status: null, tookMs: null });
    const merged = mergeTraffic([restCall(1), open], [restCall(3), restCall(2)]);
    expect(merged.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(merged[1]).toMatchObject({ state: "answered" });
  });

  it("keeps the last 500", () => {
    const many = Array.from({ length: 700 }, (_, index) => restCall(index));
    const merged = mergeTraffic(many.slice(0, 400), many.slice(400));
    expect([merged.length, merged[0]?.id, merged.at(-1)?.id]).toEqual([500, 200, 699]);
  });

  it("is in the order of ids, in whatever order it arrived", () => {
    const ids = fc.array(fc.nat(50));
    fc.assert(
      fc.property(ids, ids, (known, news) => {
        const merged = mergeTraffic(
          mergeTraffic(
            [],
            known.map((id) => restCall(id)),
          ),
          news.map((id) => restCall(id)),
        );
        const wanted = [...new Set([...known, ...news])].toSorted((a, b) => a - b);
        expect(merged.map(({ id }) => id)).toEqual(wanted);
      }),
    );
  });
});

const ENTRIES = [
  gatewayEvent(1, { interactionId: "77" }),
  restCall(2, { interactionId: "77", route: "/interactions/:id/:token/callback", status: 204 }),
  restCall(3, {
    status: 400,
    findings: [{ severity: "error", code: "50035", message: "Invalid form", place: "components.0.content" }],
  }),
  gatewayEvent(4, { name: "HEARTBEAT", direction: "from-bot" }),
];

describe("filtered traffic", () => {
  it.each([
    ["  ", [1, 2, 3, 4]],
    ["rest", [2, 3]],
    ["gateway", [1, 4]],
    ["error", [3]],
    ["77 rest", [2]],
    ["callback", [2]],
    ["post 400", [3]],
    ["CONTENT", [3]],
    ["heartbeat", [4]],
    ["from-bot", [4]],
    ["77", [1, 2]],
    ["nowhere", []],
  ])("contains the entries with every word of %j", (words, ids) => {
    expect(filterTraffic(ENTRIES, words).map(({ id }) => id)).toEqual(ids);
  });
});
