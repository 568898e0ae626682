import { describe, expect, it } from "vitest";
import {
  filterTraffic,
  type TrafficFilter,
} from "../../../../../../sandbox/page/client/inspector/traffic/filter-traffic.ts";
import { gatewayEvent, restCall } from "./traffic.ts";

const ENTRIES = [
  gatewayEvent(1, { interactionId: "77" }),
  restCall(2, { interactionId: "77", route: "/interactions/:id/:token/callback", status: 204 }),
  restCall(3, {
    status: 400,
    findings: [{ severity: "error", code: "50035", message: "Invalid form", place: "components.0.content" }],
  }),
  gatewayEvent(4, { name: "HEARTBEAT", direction: "from-bot" }),
];

function idsOf(filter: Partial<TrafficFilter>): number[] {
  const whole = { kind: "all", words: "", interactionId: undefined, ...filter } as const;
  return filterTraffic(ENTRIES, whole).map(({ id }) => id);
}

describe("filtered traffic", () => {
  it("is all of it where nothing is asked for", () => {
    expect(idsOf({ words: "  " })).toEqual([1, 2, 3, 4]);
  });

  it("is of one kind", () => {
    expect(idsOf({ kind: "rest" })).toEqual([2, 3]);
    expect(idsOf({ kind: "gateway" })).toEqual([1, 4]);
    expect(idsOf({ kind: "findings" })).toEqual([3]);
  });

  it("belongs to one interaction", () => {
    expect(idsOf({ interactionId: "77" })).toEqual([1, 2]);
    expect(idsOf({ interactionId: "77", kind: "rest" })).toEqual([2]);
  });

  it.each([
    ["callback", [2]],
    ["post 400", [3]],
    ["CONTENT", [3]],
    ["heartbeat", [4]],
    ["from-bot", [4]],
    ["77", [1, 2]],
    ["nowhere", []],
  ])("has every word of %j", (words, ids) => {
    expect(idsOf({ words })).toEqual(ids);
  });
});
