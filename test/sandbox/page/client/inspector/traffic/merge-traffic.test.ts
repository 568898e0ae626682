import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeTraffic } from "../../../../../../sandbox/page/client/inspector/traffic/merge-traffic.ts";
import { restCall } from "./traffic.ts";

describe("traffic put together", () => {
  it("has each entry once, in its later state", () => {
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

  it("is in order, in whatever order it came", () => {
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
