import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../../sandbox/clock/clock.ts";
import { FILTERS } from "../../../sandbox/style/filters.ts";
import {
  startStyleStandIn,
  type StyleStandIn,
  type StyleStandInOptions,
} from "../../../sandbox/style/server.ts";
import { ANSWER_SHAPES } from "../../../sandbox/style/results.ts";
import { createStyleClient } from "../../../src/pictures/client/style-client.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { createHttp } from "../../../src/core/http.ts";
import { createLog } from "../../../src/core/log.ts";
import { readCatalogue } from "../../../src/pictures/catalogue.ts";
import { watchSettled } from "../../support/until.ts";

/** A gradient from corner to corner, with a dark disc in the middle. */
async function makePicture({ width = 64, height = 48 } = {}): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  for (let index = 0; index < width * height; index += 1) {
    const [x, y] = [index % width, Math.floor(index / width)];
    const inside = Math.hypot(x - width / 2, y - height / 2) < height / 4;
    data.set(inside ? [30, 20, 60] : [(x * 255) / width, (y * 255) / height, 150], index * 3);
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

interface Open {
  readonly standIn: StyleStandIn;
  readonly clock: SandboxClock;
  /** Restyles through the bot's own client, advancing the clock while it waits. */
  readonly restyle: (
    style: string,
    parameters?: Readonly<Record<string, string>>,
    bytes?: Uint8Array,
  ) => Promise<Uint8Array>;
}

async function openStandIn(options: Partial<StyleStandInOptions> = {}): Promise<Open> {
  const clock = createSandboxClock({ atMs: Date.parse("2026-11-18T17:20:00Z"), mode: "still" });
  const standIn = await startStyleStandIn({ clock, ...options });
  const log = createLog({ level: "silent", secrets: [] });
  const http = createHttp({ clock, log, random: () => 0 });
  onTestFinished(async () => {
    await http.close();
    await standIn.close();
    clock.stop();
  });
  const client = createStyleClient({
    baseUrl: new URL(standIn.baseUrl),
    apiKey: standIn.apiKey,
    http,
    clock,
    log,
  });
  return {
    standIn,
    clock,
    async restyle(style, parameters = {}, bytes) {
      const image = { bytes: bytes ?? (await makePicture()), contentType: "image/jpeg" };
      const state = { isJob: false };
      const result = client.process({ image, style, parameters, onWorking: () => (state.isJob = true) });
      const isSettled = watchSettled(result);
      while (!isSettled()) {
        await new Promise((resolve) => setImmediate(resolve));
        if (state.isJob) {
          await clock.advance(250);
        }
      }
      return result;
    },
  };
}

const kindOf = (asking: Promise<unknown>): Promise<string> =>
  asking.then(
    () => "no failure",
    (error: unknown) => (error instanceof ServiceError ? error.kind : String(error)),
  );

/** The mean difference between the channels of two pictures, 0 to 255. */
async function difference(a: Uint8Array, b: Uint8Array): Promise<number> {
  const [left, right] = await Promise.all([a, b].map((bytes) => sharp(bytes).raw().toBuffer()));
  const sum = left?.reduce((total, value, at) => total + Math.abs(value - (right?.[at] ?? 0)), 0) ?? 0;
  return sum / (left?.length ?? 1);
}

describe("the style stand-in", () => {
  test("has the styles that its catalogues name, with parameters and without", async () => {
    const read = (parameters: "on" | "off") =>
      openStandIn({ parameters }).then(({ standIn }) =>
        readCatalogue(readFileSync(standIn.catalogueFile, "utf8")),
      );
    const [on, off] = [await read("on"), await read("off")];
    expect(on.styles.map(({ id }) => id)).toEqual(Object.keys(FILTERS));
    expect(off.styles).toEqual(on.styles);
    expect([on.intensity?.name, on.mix?.style, on.mix?.share?.name]).toEqual(["strength", "style2", "mix"]);
    expect([off.intensity, off.mix]).toEqual([undefined, undefined]);
  });

  test("makes clearly different pictures, each the same every time", async () => {
    const { restyle } = await openStandIn();
    const original = await makePicture();
    const made = new Map<string, Uint8Array>();
    for (const style of Object.keys(FILTERS)) {
      made.set(style, await restyle(style));
    }
    expect(Buffer.from(await restyle("oil")).equals(made.get("oil") ?? new Uint8Array())).toBe(true);
    const pairs = [...made].flatMap(([style, bytes], at) =>
      [...made].slice(at + 1).map(([other, others]) => ({ names: `${style} and ${other}`, bytes, others })),
    );
    for (const bytes of made.values()) {
      const { width, height, format } = await sharp(bytes).metadata();
      expect([width, height, format]).toEqual([64, 48, "jpeg"]);
      expect(await difference(bytes, original)).toBeGreaterThan(3);
    }
    const alike = await Promise.all(
      pairs.map(async ({ names, bytes, others }) => ((await difference(bytes, others)) > 4 ? [] : [names])),
    );
    expect(alike.flat()).toEqual([]);
  });

  test.each(Object.keys(FILTERS))(
    "accepts even a picture of a single pixel for the style %s",
    async (style) => {
      const { restyle } = await openStandIn();
      const made = await restyle(style, {}, await makePicture({ width: 1, height: 1 }));
      expect(await sharp(made).metadata()).toMatchObject({ width: 1, height: 1 });
    },
  );

  test("uses strength and a second style only while parameters are on", async () => {
    const { restyle, standIn } = await openStandIn();
    const original = await makePicture();
    const full = await restyle("duotone");
    expect(await difference(await restyle("duotone", { strength: "0" }), original)).toBeLessThan(3);
    const half = await difference(await restyle("duotone", { strength: "0.5" }), original);
    expect(half).toBeLessThan((await difference(full, original)) * 0.6);
    const mixed = await restyle("duotone", { style2: "pencil", mix: "1" });
    expect(await difference(mixed, await restyle("pencil"))).toBeLessThan(1);
    standIn.parameters = "off";
    expect(Buffer.from(await restyle("duotone", { strength: "0" })).equals(full)).toBe(true);
  });

  test.each(ANSWER_SHAPES)("answers as %s, which the bot's client understands", async (shape) => {
    const canned = await makePicture();
    const { restyle, standIn } = await openStandIn({ shape, canned });
    expect(Buffer.from(await restyle("duotone")).equals(canned)).toBe(true);
    expect(standIn.ledger.every(({ hasKey }) => hasKey)).toBe(true);
  });

  test.each([
    ["401", "unauthorised"],
    ["402", "out-of-credit"],
    ["403", "unauthorised"],
    ["413", "too-large"],
    ["415", "rejected"],
    ["422", "rejected"],
    ["quota", "out-of-credit"],
    ["500", "unavailable"],
    ["503", "unavailable"],
    ["drop", "unavailable"],
    ["truncated", "unavailable"],
    ["malformed", "unexpected-answer"],
    ["html", "unexpected-answer"],
    ["200-error", "rejected"],
    ["filtered", "rejected"],
    ["failed-job", "unavailable"],
    ["endless-job", "timeout"],
    ["no-picture", "unexpected-answer"],
    ["text-result", "unexpected-answer"],
    ["huge-result", "too-large"],
    ["redirected-result", "unexpected-answer"],
    ["private-result", "unexpected-answer"],
    ["metadata-result", "unexpected-answer"],
  ] as const)("can have the fault %s, which is %s for the client, once", async (kind, expected) => {
    const { restyle, standIn } = await openStandIn({ canned: await makePicture() });
    const fault = standIn.faults.add({ method: "POST", path: "/v1/process", do: kind });
    expect(await kindOf(restyle("duotone"))).toBe(expected);
    expect(fault.hits).toBe(1);
    expect(await kindOf(restyle("duotone"))).toBe("no failure");
  });

  test("refuses requests that the catalogue does not allow", async () => {
    const { restyle, standIn } = await openStandIn();
    expect(await kindOf(restyle("sepia"))).toBe("not-found");
    expect(await kindOf(restyle("oil", {}, Buffer.from("no picture")))).toBe("rejected");
    expect(await kindOf(restyle("oil", {}, await makePicture({ width: 2049, height: 8 })))).toBe("rejected");
    expect(await kindOf(restyle("oil", { strength: "2" }))).toBe("rejected");
    expect(standIn.ledger.map(({ status }) => status)).toEqual([422, 415, 422, 400]);
    const answer = await fetch(`${standIn.baseUrl}/v1/process`, { method: "POST" });
    expect(answer.status).toBe(401);
  });

  test("records each request, and whether its picture had metadata", async () => {
    const { restyle, standIn } = await openStandIn();
    await restyle("oil", { strength: "0.5" });
    const bytes = await sharp(await makePicture())
      .withExif({ IFD0: { Artist: "somebody" } })
      .toBuffer();
    await restyle("oil", {}, bytes);
    const sent = standIn.ledger.flatMap((entry) => entry.sent ?? []);
    expect(sent[0]).toEqual({
      style: "oil",
      fields: { strength: "0.5" },
      fileName: "picture.jpg",
      contentType: "image/jpeg",
      sizeBytes: (await makePicture()).byteLength,
      type: "jpeg",
      width: 64,
      height: 48,
      hasMetadata: false,
    });
    expect(sent[1]?.hasMetadata).toBe(true);
  });

  test("lets a client cancel a job", async () => {
    const { standIn } = await openStandIn({ shape: "job", canned: await makePicture() });
    const headers = { authorization: `Bearer ${standIn.apiKey}` };
    const form = new FormData();
    form.set("image", new File([new Uint8Array(await makePicture())], "a.jpg"));
    form.set("style", "oil");
    const taken = await fetch(`${standIn.baseUrl}/v1/process`, { method: "POST", body: form, headers });
    expect([taken.status, taken.headers.get("x-signalbox-stand-in")]).toEqual([
      201,
      "style; a local filter, not a neural model",
    ]);
    const job = `${standIn.baseUrl}/jobs/r1`;
    expect((await fetch(`${job}/cancel`, { method: "POST", headers })).status).toBe(200);
    expect(await (await fetch(job, { headers })).json()).toMatchObject({ status: "canceled" });
    const unknown = await fetch(`${standIn.baseUrl}/jobs/r9/cancel`, { method: "POST", headers });
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { error: { code: "task_not_found" } },
    ]);
  });
});
