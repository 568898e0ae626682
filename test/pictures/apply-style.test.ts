import { describe, expect, it } from "vitest";
import type { StyleClient, StyleRequest } from "../../src/pictures/client/style-client.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { type Picture, PictureError } from "../../src/render/pictures.ts";
import type { PictureTools } from "../../src/render/picture-tools.ts";
import type { Catalogue } from "../../src/pictures/catalogue.ts";
import { createApplyStyle } from "../../src/pictures/apply-style.ts";
import type { RestyleProgress, StyleChoice } from "../../src/pictures/restyle.ts";

const style = (id: string) => ({ id, label: id, group: undefined, description: "", aliases: [] });
const named = (name: string): Picture => ({
  bytes: new TextEncoder().encode(name),
  contentType: "image/jpeg",
  width: 100,
  height: 50,
});
const nameOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const PLAIN: Catalogue = {
  styles: [],
  intensity: undefined,
  mix: undefined,
  limits: { maxBytes: 1_000_000, maxSide: 2_048 },
  answer: {},
};

/** Pictures whose bytes describe how they were made. */
const TOOLS: PictureTools = {
  prepare: async (bytes, { maxBytes, maxSide }) => ({
    ...named(`${nameOf(bytes)} within ${maxBytes} ${maxSide}`),
    wasAnimated: false,
    wasReduced: true,
  }),
  fit: async (bytes, maxBytes) => ({
    ...named(maxBytes === undefined ? nameOf(bytes) : `${nameOf(bytes)} within ${maxBytes}`),
    wasReduced: maxBytes !== undefined,
  }),
  blend: async (base, over, opacity, keepsAlpha) => ({
    ...named(`(${nameOf(over)} ${opacity} over ${nameOf(base)}${keepsAlpha ? ", its shape" : ""})`),
    wasReduced: false,
  }),
  sheet: async () => named("a sheet"),
};

function paintWith(
  catalogue: Partial<Catalogue> = {},
  answer: (request: StyleRequest, count: number) => Promise<Uint8Array> = async ({ style: id }) =>
    new TextEncoder().encode(id),
  tools: Partial<PictureTools> = {},
) {
  const asked: StyleRequest[] = [];
  const client: Pick<StyleClient, "process"> = {
    process(request) {
      asked.push(request);
      return answer(request, asked.length);
    },
  };
  const applyStyle = createApplyStyle({
    style: client,
    catalogue: { ...PLAIN, ...catalogue },
    tools: { ...TOOLS, ...tools },
  });
  const told: RestyleProgress[] = [];
  const run = async (
    choice: Partial<StyleChoice>,
    signal = new AbortController().signal,
    before = named("before"),
    maxBytes?: number,
  ) => {
    const whole = { style: style("oil"), blend: undefined, intensity: 100, ...choice };
    const painted = await applyStyle(before, whole, {
      signal,
      onProgress: (state) => told.push(state),
      ...(maxBytes !== undefined && { maxBytes }),
    });
    return { ...painted, picture: nameOf(painted.picture.bytes) };
  };
  return { run, asked, told };
}

describe("applying one style", () => {
  it("returns the service's picture unchanged", async () => {
    const { run, asked } = paintWith();
    expect(await run({})).toEqual({
      picture: "oil",
      intensityBy: undefined,
      blendBy: undefined,
      wasReduced: false,
      isFitted: false,
    });
    expect(asked).toMatchObject([{ style: "oil", parameters: {} }]);
  });

  it("fits the picture to the byte limit as it arrives, unless the bot still blends it", async () => {
    const { run } = paintWith();
    const within = (choice: Partial<StyleChoice>) => run(choice, undefined, undefined, 900);
    expect(await within({})).toMatchObject({ picture: "oil within 900", isFitted: true });
    expect(await within({ intensity: 30 })).toMatchObject({
      picture: "(oil 0.3 over before)",
      isFitted: false,
    });
    expect(await within({ blend: style("comic") })).toMatchObject({ picture: "(comic 0.5 over oil)" });
  });

  it("lays the result over the original if the service has no strength parameter", async () => {
    const { run } = paintWith();
    expect(await run({ intensity: 30 })).toMatchObject({
      picture: "(oil 0.3 over before)",
      intensityBy: "bot",
    });
  });

  it("says that a blend has fewer pixels than the result", async () => {
    const { run } = paintWith({}, undefined, {
      blend: async () => ({ ...named("blended"), wasReduced: true }),
    });
    expect(await run({ intensity: 30 })).toMatchObject({ picture: "blended", isFitted: true });
  });

  it("restores the original's transparency if the service has filled it", async () => {
    const logo: Picture = { ...named("logo"), contentType: "image/png" };
    const { run } = paintWith();
    expect(await run({}, undefined, logo)).toMatchObject({
      picture: "(oil 1 over logo, its shape)",
      intensityBy: undefined,
    });
    const kept = paintWith({}, undefined, {
      fit: async (bytes) => ({ ...named(nameOf(bytes)), contentType: "image/png", wasReduced: false }),
    });
    expect(await kept.run({}, undefined, logo)).toMatchObject({ picture: "oil" });
  });

  it.each([
    [{ name: "strength", none: 0, full: 1 }, 30, "0.3"],
    [{ name: "image_strength", none: 1, full: 0 }, 30, "0.7"],
    [{ name: "level", none: 1, full: 3 }, 50, "2"],
    [{ name: "strength", none: 0, full: 1 }, 7, "0.07"],
  ])("uses the service's parameter %j for a strength of %i %%", async (intensity, percent, sent) => {
    const { run, asked } = paintWith({ intensity });
    const painted = await run({ intensity: percent });
    expect(painted).toMatchObject({ picture: "oil", intensityBy: "service" });
    expect(asked[0]?.parameters).toEqual({ [intensity.name]: sent });
  });
});

describe("applying two styles", () => {
  it("takes one call if the service can mix styles", async () => {
    const share = { name: "mix", none: 0, full: 100 };
    const { run, asked } = paintWith({ mix: { style: "style2", share } });
    const painted = await run({ blend: style("comic"), intensity: 50 });
    expect(painted).toMatchObject({
      picture: "(oil 0.5 over before)",
      intensityBy: "bot",
      blendBy: "service",
    });
    expect(asked.map(({ parameters }) => parameters)).toEqual([{ style2: "comic", mix: "50" }]);
  });

  it("takes two calls and blends the results half and half if it cannot", async () => {
    const { run, asked, told } = paintWith({ intensity: { name: "strength", none: 0, full: 1 } });
    const painted = await run({ blend: style("comic"), intensity: 80 });
    expect(painted).toMatchObject({
      picture: "(comic 0.5 over oil)",
      intensityBy: "service",
      blendBy: "bot",
    });
    expect(asked.map((each) => [each.style, each.parameters])).toEqual([
      ["oil", { strength: "0.8" }],
      ["comic", { strength: "0.8" }],
    ]);
    expect(told).toMatchObject([
      { stage: "restyling", part: 1, parts: 2 },
      { stage: "restyling", part: 2, parts: 2 },
    ]);
  });
});

describe("a picture that the service finds too large", () => {
  const tooLarge = (status?: number) =>
    Promise.reject(new ServiceError("style", "too-large", "too large", { status }));

  it("is sent again at a reduced size, which the second style uses too", async () => {
    const { run, asked } = paintWith({}, async ({ style: id }, count) =>
      count === 1 ? tooLarge(413) : new TextEncoder().encode(id),
    );
    expect(await run({ blend: style("comic") })).toMatchObject({ wasReduced: true });
    expect(asked.map(({ image }) => nameOf(image.bytes))).toEqual([
      "before",
      "before within 1024 70",
      "before within 1024 70",
    ]);
  });

  it("gives the person an error if reducing it takes too long", async () => {
    const { run } = paintWith({}, () => tooLarge(413), {
      prepare: () => Promise.reject(new PictureError("too-slow")),
    });
    await expect(run({})).rejects.toThrow(/^I took too long to read that picture/);
  });

  it("is not sent a third time", async () => {
    const { run, asked } = paintWith({}, () => tooLarge(413));
    await expect(run({})).rejects.toMatchObject({ kind: "too-large", status: 413 });
    expect(asked).toHaveLength(2);
  });

  it.each([200, undefined])(
    "is not sent again if the result was too large, not the picture: status %s",
    async (status) => {
      const { run, asked } = paintWith({}, () => tooLarge(status));
      await expect(run({})).rejects.toMatchObject({ kind: "too-large" });
      expect(asked).toHaveLength(1);
    },
  );
});

describe("applying styles", () => {
  it.each([
    ["damaged", "unexpected-answer"],
    ["not-a-picture", "unexpected-answer"],
    ["too-many-pixels", "too-large"],
  ] as const)("blames the service for an unusable result: %s", async (problem, kind) => {
    const { run } = paintWith({}, undefined, { fit: () => Promise.reject(new PictureError(problem)) });
    await expect(run({})).rejects.toMatchObject({ service: "style", kind });
  });

  it("finishes a result that has arrived, although the request is then cancelled", async () => {
    const controller = new AbortController();
    const { run } = paintWith({}, async () => {
      controller.abort();
      return new TextEncoder().encode("oil");
    });
    expect(await run({ intensity: 30 }, controller.signal)).toMatchObject({
      picture: "(oil 0.3 over before)",
    });
  });

  it("sends nothing if the request was cancelled before", async () => {
    const { run, asked } = paintWith();
    await expect(run({}, AbortSignal.abort())).rejects.toMatchObject({ kind: "aborted" });
    expect(asked).toEqual([]);
  });

  it("makes no second call after the request was cancelled", async () => {
    const controller = new AbortController();
    const { run, asked } = paintWith({}, async () => {
      controller.abort();
      return new Uint8Array();
    });
    await expect(run({ blend: style("comic") }, controller.signal)).rejects.toMatchObject({
      kind: "aborted",
    });
    expect(asked).toHaveLength(1);
  });
});
