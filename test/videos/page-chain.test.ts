import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createPageChain } from "../../src/videos/list-videos.ts";
import { createStillClock } from "../support/still-clock.ts";

/** A list with long cursors, like the service's. */
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

it("returns any page, whatever was requested before", async () => {
  const pages = fc.integer({ min: 1, max: 12 });
  await fc.assert(
    fc.asyncProperty(pages, fc.array(fc.nat(14), { maxLength: 20 }), async (count, indexes) => {
      const chain = createPageChain(createStillClock());
      const { fetch } = listOf(count);
      for (const index of indexes) {
        const page = await chain("list", String(index), fetch);
        expect(page.items).toEqual(index < count ? [index] : []);
        expect(page.after === undefined).toBe(index + 1 >= count);
      }
    }),
  );
});

it("requests each page once, and starts from the first page again when it has forgotten the cursors", async () => {
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

it("stops after 41 pages, however many the list has", async () => {
  const chain = createPageChain(createStillClock());
  const { asked, fetch } = listOf(1_000);
  const page = await chain("list", "999", fetch);
  expect(page).toEqual({ items: [40], after: undefined });
  expect(asked).toHaveLength(41);
});

it("gives pages short names for buttons, and treats an unknown name as the first page", async () => {
  const chain = createPageChain(createStillClock());
  const { fetch } = listOf(3);
  expect((await chain("list", undefined, fetch)).after).toBe("1");
  expect((await chain("list", "1", fetch)).after).toBe("2");
  for (const name of ["b12", "-1", ""]) {
    expect((await chain("list", name, fetch)).items).toEqual([0]);
  }
});
