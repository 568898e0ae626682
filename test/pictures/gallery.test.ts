import { describe, expect, it } from "vitest";
import { ServiceError, type ServiceErrorKind } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import type { Picture } from "../../src/render/pictures.ts";
import type { PictureTools } from "../../src/render/picture-tools.ts";
import type { Style } from "../../src/pictures/catalogue.ts";
import { createGallery, paginate } from "../../src/pictures/gallery.ts";
import { createQueue } from "../../src/pictures/queue.ts";
import type { StylePreviewRecord } from "../../src/pictures/style-previews-table.ts";
import { createStillClock } from "../support/still-clock.ts";
import { until } from "../support/until.ts";

const style = (id: string, group?: string): Style => ({ id, label: id, group, description: "", aliases: [] });
const picture = (name: string): Picture => ({
  bytes: new TextEncoder().encode(name),
  contentType: "image/jpeg",
  width: 4,
  height: 3,
});
const limits = { maxBytes: 1_000_000, maxSide: 2_048 };
const STYLES = ["oil", "comic", "mosaic"].map((id) => style(id));

/** A table of previews, which outlives a gallery. */
function createPreviewTable() {
  const kept = new Map<string, StylePreviewRecord>();
  return {
    read: async (keys: readonly string[]) => keys.flatMap((key) => kept.get(key) ?? []),
    add: async (record: StylePreviewRecord) => void kept.set(record.key, record),
  };
}

function open({
  table = createPreviewTable(),
  styles = STYLES,
  origin = "https://style.example/",
}: {
  readonly table?: ReturnType<typeof createPreviewTable>;
  readonly styles?: readonly Style[];
  readonly origin?: string;
} = {}) {
  const clock = createStillClock();
  const stopping = new AbortController();
  const asked: string[] = [];
  const failures = new Map<string, ServiceErrorKind>();
  const held: (() => void)[] = [];
  let isHeld = false;
  const tools: PictureTools = {
    prepare: async (bytes) => ({
      ...picture("sample"),
      bytes,
      wasAnimated: false,
      wasReduced: false,
    }),
    fit: async (bytes) => ({ ...picture(""), bytes, wasReduced: false }),
    blend: async (base) => ({ ...picture(""), bytes: base, wasReduced: false }),
    sheet: async (tiles) => picture(tiles.map(({ bytes, label }) => `${label}=${decode(bytes)}`).join()),
  };
  const gallery = createGallery({
    catalogue: { styles, intensity: undefined, mix: undefined, limits, answer: {} },
    async applyStyle(_, { style: { id } }, { signal }) {
      asked.push(id);
      if (isHeld) {
        await new Promise<void>((resolve, reject) => {
          held.push(resolve);
          signal.addEventListener("abort", () => reject(new ServiceError("style", "aborted", "given up")));
        });
      }
      const kind = failures.get(id);
      if (kind !== undefined) {
        throw new ServiceError("style", kind, "failed");
      }
      const how = { intensityBy: undefined, blendBy: undefined, wasReduced: false, isFitted: false };
      return { picture: picture(id), ...how };
    },
    tools,
    queue: createQueue({ concurrency: 2, maxPerPerson: 2, maxPerServer: 5, maxWaiting: 40 }),
    stopping: stopping.signal,
    table,
    readSample: async () => new TextEncoder().encode("sample"),
    origin,
    clock,
    log: createLog({ level: "silent", secrets: [] }),
  });
  const seen: string[] = [];
  const page = async (number = 0) => {
    const { sheet, ...rest } = await gallery.page(number, (done, all) => seen.push(`${done}/${all}`));
    return { ...rest, shown: sheet === undefined ? [] : decode(sheet.bytes).split(",") };
  };
  const hold = (isWanted: boolean) => (isHeld = isWanted);
  return {
    page,
    asked,
    failures,
    clock,
    seen,
    stopping,
    hold,
    release: () => held.forEach((each) => each()),
  };
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe("the gallery", () => {
  it("makes missing previews one after the other and reports progress", async () => {
    const { page, asked, seen } = open();
    expect((await page()).shown).toEqual(["oil=oil", "comic=comic", "mosaic=mosaic"]);
    expect(asked).toEqual(["oil", "comic", "mosaic"]);
    expect(seen).toEqual(["0/3", "1/3", "2/3"]);
  });

  it("never makes a preview twice, even after a restart", async () => {
    const table = createPreviewTable();
    await open({ table }).page();
    const later = open({ table });
    expect((await later.page()).shown[2]).toBe("mosaic=mosaic");
    expect(later.asked).toEqual([]);
  });

  it("makes new previews for another service", async () => {
    const table = createPreviewTable();
    await open({ table }).page();
    const other = open({ table, origin: "https://other.example/" });
    await other.page();
    expect(other.asked).toHaveLength(3);
  });

  it("makes a preview once for two people who open the page at the same time", async () => {
    const { page, asked, hold, release } = open({ styles: [style("oil")] });
    hold(true);
    const looks = [page(), page()];
    await until(() => asked.length > 0);
    await new Promise((resolve) => setImmediate(resolve));
    release();
    expect((await Promise.all(looks)).map(({ shown }) => shown)).toEqual([["oil=oil"], ["oil=oil"]]);
    expect(asked).toEqual(["oil"]);
  });

  it("shows the other previews if one fails, and retries it ten minutes later", async () => {
    const { page, asked, failures, clock } = open();
    failures.set("comic", "rejected");
    expect(await page()).toMatchObject({ shown: ["oil=oil", "mosaic=mosaic"], missing: 1 });
    failures.clear();
    await page();
    expect(asked).toEqual(["oil", "comic", "mosaic"]);
    clock.jump(-3_600_000);
    clock.advance(10 * 60_000);
    expect((await page()).shown[1]).toBe("comic=comic");
  });

  it("stops at a failure that affects the whole service, such as no credit", async () => {
    const { page, asked, failures } = open();
    failures.set("oil", "out-of-credit");
    expect(await page()).toMatchObject({ shown: [], missing: 3 });
    expect(asked).toEqual(["oil"]);
  });

  it("says that the plan is used up, until it tries again", async () => {
    const { page, failures, clock } = open();
    failures.set("comic", "budget-spent");
    expect(await page()).toMatchObject({ shown: ["oil=oil"], missing: 2, isBudgetSpent: true });
    failures.clear();
    clock.advance(10 * 60_000);
    expect(await page()).toMatchObject({ missing: 0, isBudgetSpent: false });
  });

  it("shows the page without unfinished previews after five minutes, and continues when it is opened again", async () => {
    const { page, asked, clock, hold } = open();
    hold(true);
    const looking = page();
    await until(() => asked.length > 0);
    clock.advance(5 * 60_000);
    expect(await looking).toMatchObject({ shown: [], missing: 3 });
    hold(false);
    expect((await page()).shown[0]).toBe("oil=oil");
  });

  it("shows the page without unfinished previews when the bot is about to stop", async () => {
    const { page, asked, stopping, hold } = open();
    hold(true);
    const looking = page();
    await until(() => asked.length > 0);
    stopping.abort();
    expect(await looking).toMatchObject({ shown: [], missing: 3 });
    expect(asked).toEqual(["oil"]);
  });

  it("shows its last page for a number beyond it, and an empty page without a catalogue", async () => {
    const many = open({ styles: Array.from({ length: 12 }, (_, index) => style(`s${index}`)) });
    expect(await many.page(7)).toMatchObject({ number: 1, pages: 2 });
    expect(await open({ styles: [] }).page(3)).toEqual({
      number: 0,
      pages: 0,
      styles: [],
      shown: [],
      missing: 0,
      isBudgetSpent: false,
    });
  });
});

describe("the gallery's pages", () => {
  const sizes = (counts: Readonly<Record<string, number>>) =>
    paginate(
      Object.entries(counts).flatMap(([group, count]) =>
        Array.from({ length: count }, (_, index) => style(`${group}${index}`, group)),
      ),
    ).map((page) => page.length);

  it("keep a group together if it fits on a page", () => {
    expect(sizes({ painted: 3, drawn: 3, printed: 2, laid: 2 })).toEqual([10]);
    expect(sizes({ painted: 6, drawn: 6 })).toEqual([6, 6]);
    expect(sizes({ painted: 23, drawn: 2 })).toEqual([10, 10, 5]);
  });
});
