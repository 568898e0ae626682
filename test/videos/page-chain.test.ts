import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createPageChain } from "../../src/videos/list-videos.ts";
import { createStillClock } from "../support/still-clock.ts";

/** A list whose cursors are long, as the service's are. */
function listOf(pages: number) {
  const asked: (string | undefined)[] = [];
  const cursorOf = (page: number) => `cursor-${"x".repeat(200)}-${page}`;
  return {
    asked,
    fetch: async (after: string | undefined) => {
      asked.push(after);
      const at = after === undefined ? 0 : Number(after.split("-")[2]);
      return { items: [at], after: at + 1 < pages ? cursorOf(at + 1) : undefined };
    },
  };
}

it("gives any page, whatever was asked before", async () => {
  const pages = fc.integer({ min: 1, max: 12 });
  await fc.assert(
    fc.asyncProperty(pages, fc.array(fc.nat(14), { maxLength: 20 }), async (count, wishes) => {
      const chain = createPageChain(createStillClock());
      const { fetch } = listOf(count);
      for (const wish of wishes) {
        const page = await chain("list", String(wish), fetch);
        expect(page.items).toEqual(wish < count ? [wish] : []);
        expect(page.after === undefined).toBe(wish + 1 >= count);
      }
    }),
  );
});

it("asks once for the next page, and walks the way again when it was forgotten", async () => {
  const clock = createStillClock();
  const chain = createPageChain(clock);
  const { asked, fetch } = listOf(5);
  await chain("list", "0", fetch);
  await chain("list", "1", fetch);
  await chain("list", "2", fetch);
  expect(asked).toHaveLength(3);
  clock.advance(3_600_000);
  await chain("list", "2", fetch);
  expect(asked).toHaveLength(6);
});

it("ends at a page that nobody presses so far to", async () => {
  const chain = createPageChain(createStillClock());
  const { asked, fetch } = listOf(1_000);
  const page = await chain("list", "999", fetch);
  expect(page).toEqual({ items: [40], after: undefined });
  expect(asked).toHaveLength(41);
});

it("names pages so that a button can remember them, and takes any other name for the first", async () => {
  const chain = createPageChain(createStillClock());
  const { fetch } = listOf(3);
  expect((await chain("list", undefined, fetch)).after).toBe("1");
  expect((await chain("list", "1", fetch)).after).toBe("2");
  for (const name of ["b12", "-1", ""]) {
    expect((await chain("list", name, fetch)).items).toEqual([0]);
  }
});
