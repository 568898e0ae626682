import { deflateSync } from "node:zlib";
import * as fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { createPictureTools, recognisePicture } from "../../src/render/picture-tools.ts";
import { type Picture, PictureError } from "../../src/render/pictures.ts";
import { readSamplePicture } from "../../src/pictures/gallery.ts";
import {
  CORNERS,
  PICTURE_TYPES,
  drawNoise,
  drawPicture,
  encodeAs,
  insertJpegSegment,
  insertPngChunks,
  makeBomb,
  pngChunk,
} from "../support/sent-pictures.ts";
import { cases } from "../support/cases.ts";

const tools = createPictureTools({ clock: systemClock, log: createLog({ level: "silent", secrets: [] }) });
afterAll(() => tools.close());

const LIMITS = { maxBytes: 8_000_000, maxSide: 2_048 };

/** The colour near each corner, clockwise from the upper left, rounded to the nearest of CORNERS. */
async function cornersOf({ bytes, width, height }: Picture): Promise<string[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): number[] => {
    const start = (Math.floor(y * height) * width + Math.floor(x * width)) * info.channels;
    return [...data.subarray(start, start + 3)];
  };
  return [at(0.2, 0.2), at(0.8, 0.2), at(0.8, 0.8), at(0.2, 0.8)].map(nearestCorner);
}

function nearestCorner(colour: readonly number[]): string {
  const distance = (corner: string): number =>
    colour.reduce((sum, value, index) => {
      const wanted = Number.parseInt(corner.slice(1 + index * 2, 3 + index * 2), 16);
      return sum + Math.abs(value - wanted);
    }, 0);
  return CORNERS.toSorted((a, b) => distance(a) - distance(b))[0] ?? "";
}

describe("a prepared picture", () => {
  test.each(PICTURE_TYPES)("is a JPEG that looks the same as the original %s", async (type) => {
    const sent = await encodeAs(type, drawPicture(120, 80));
    const ready = await tools.prepare(sent, LIMITS);
    expect(recognisePicture(sent)).toBe(type);
    expect(ready).toMatchObject({ contentType: "image/jpeg", width: 120, height: 80 });
    expect(ready).toMatchObject({ wasAnimated: false, wasReduced: false });
    expect(await cornersOf(ready)).toEqual(CORNERS);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "is upright if the original's orientation is %i",
    async (orientation) => {
      const upright = await drawPicture(120, 80).png().toBuffer();
      // A camera that is held this way stores the inverse of the rotation that makes the picture upright.
      const turned = await storeTurned(upright, orientation);
      const sent = await sharp(turned).withMetadata({ orientation }).jpeg().toBuffer();
      const ready = await tools.prepare(sent, LIMITS);
      expect(ready).toMatchObject({ width: 120, height: 80 });
      expect(await cornersOf(ready)).toEqual(CORNERS);
      expect((await sharp(ready.bytes).metadata()).orientation).toBeUndefined();
    },
  );

  test("is reduced to the service's limits for side and bytes, and says so", async () => {
    const sent = await drawNoise(900, 600).jpeg({ quality: 100 }).toBuffer();
    const small = await tools.prepare(sent, { maxBytes: 8_000_000, maxSide: 300 });
    expect(small).toMatchObject({ width: 300, height: 200, wasReduced: true });
    const light = await tools.prepare(sent, { maxBytes: 30_000, maxSide: 2_048 });
    expect(light.bytes.byteLength).toBeLessThanOrEqual(30_000);
    expect(light.wasReduced).toBe(true);
  });

  test("looks the same after it has been prepared ten times", async () => {
    const pixelsOf = ({ bytes }: Picture) => sharp(bytes).raw().toBuffer();
    const first = await tools.prepare(await readSamplePicture(), LIMITS);
    let last = first;
    for (let times = 1; times < 10; times += 1) {
      last = await tools.prepare(last.bytes, LIMITS);
    }
    expect(last).toMatchObject({ width: first.width, height: first.height, wasReduced: false });
    const [before, after] = [await pixelsOf(first), await pixelsOf(last)];
    const difference = before.reduce((sum, value, index) => sum + Math.abs(value - (after[index] ?? 0)), 0);
    expect(difference / before.length).toBeLessThan(0.5);
  });

  test("is a PNG only if it has transparency", async () => {
    const glass = await drawPicture(60, 40).ensureAlpha(0.5).png().toBuffer();
    const screenshot = await drawPicture(60, 40).ensureAlpha(1).png().toBuffer();
    expect(await tools.prepare(glass, LIMITS)).toMatchObject({ contentType: "image/png" });
    expect(await tools.prepare(screenshot, LIMITS)).toMatchObject({ contentType: "image/jpeg" });
  });

  test.each([
    ["CMYK", (picture: Sharp) => picture.toColourspace("cmyk").jpeg()],
    ["greyscale", (picture: Sharp) => picture.greyscale().jpeg()],
    ["16 bits", (picture: Sharp) => picture.toColourspace("rgb16").png()],
    ["a wide gamut", (picture: Sharp) => picture.withIccProfile("p3").jpeg()],
  ])("is plain sRGB if the original is in %s", async (_what, change) => {
    const ready = await tools.prepare(await change(drawPicture(60, 40)).toBuffer(), LIMITS);
    expect(await sharp(ready.bytes).metadata()).toMatchObject({
      space: "srgb",
      channels: 3,
      depth: "uchar",
      hasProfile: false,
    });
  });

  test("may be one pixel high", async () => {
    const line = await sharp({ create: { width: 60_000, height: 1, channels: 3, background: "#246" } })
      .png()
      .toBuffer();
    expect(await tools.prepare(line, LIMITS)).toMatchObject({ width: 2_048, height: 1 });
    expect(await tools.fit(line)).toMatchObject({ width: 16_383, height: 1 });
  });
});

describe("an animation", () => {
  test.each(["gif", "webp"] as const)("as %s is reduced to its first frame, and says so", async (type) => {
    const sent = await animate(type, 3);
    const ready = await tools.prepare(sent, LIMITS);
    expect(recognisePicture(sent)).toBe(type);
    expect(ready).toMatchObject({ wasAnimated: true, width: 8, height: 8, wasReduced: false });
  });

  test("as PNG is recognised too, although decoders do not report it", async () => {
    const sent = insertPngChunks(await drawPicture(8, 8).png().toBuffer(), [framesChunk(3)]);
    expect(recognisePicture(sent)).toBe("png");
    expect(await tools.prepare(sent, LIMITS)).toMatchObject({ wasAnimated: true });
  });

  test("is accepted with 100 frames and refused with 101", async () => {
    expect(await tools.prepare(await animate("gif", 100), LIMITS)).toMatchObject({ wasAnimated: true });
    const still = await drawPicture(8, 8).png().toBuffer();
    for (const sent of [await animate("gif", 101), insertPngChunks(still, [framesChunk(101)])]) {
      await expect(tools.prepare(sent, LIMITS)).rejects.toMatchObject({ problem: "too-many-frames" });
    }
  });

  function framesChunk(frames: number): Buffer {
    const data = Buffer.alloc(8);
    data.writeUInt32BE(frames);
    return pngChunk("acTL", data);
  }

  function animate(type: "gif" | "webp", frames: number): Promise<Buffer> {
    const strip = Buffer.alloc(8 * 8 * frames * 3);
    strip.forEach((_value, index) => (strip[index] = (index * 7 + Math.floor(index / 192) * 31) % 256));
    const raw = { width: 8, height: 8 * frames, channels: 3 as const, pageHeight: 8 };
    return sharp(strip, { raw }).toFormat(type).toBuffer();
  }
});

describe("the picture tools", () => {
  test.each([
    ["a text named .png", Buffer.from("hello, I am a picture"), "not-a-picture"],
    ["nothing", Buffer.alloc(0), "not-a-picture"],
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>'), "drawing"],
    ["a PDF", Buffer.from("%PDF-1.7"), "drawing"],
    ["an HEIC", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), "heic"],
    ["a TIFF", Buffer.from("II*\0aaaaaaaaaaaaaaaa"), "not-a-picture"],
    ["a PNG's signature and no more", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "damaged"],
  ])("refuse %s", async (_what, bytes, problem) => {
    for (const attempt of [
      tools.prepare(bytes, LIMITS),
      tools.fit(bytes, 100_000),
      tools.blend(bytes, bytes, 0.5),
    ]) {
      await expect(attempt).rejects.toBeInstanceOf(PictureError);
      await expect(attempt).rejects.toMatchObject({ problem });
    }
  });

  test("refuse 144 megapixels in a few kB", async () => {
    const bomb = makeBomb();
    expect(bomb.byteLength).toBeLessThan(20_000);
    await expect(tools.prepare(bomb, LIMITS)).rejects.toMatchObject({ problem: "too-many-pixels" });
    await expect(tools.fit(bomb, 8_000_000)).rejects.toMatchObject({ problem: "too-many-pixels" });
  });

  test("refuse an AVIF that would take too much memory", async () => {
    const large = await sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: "#fff" } })
      .avif({ effort: 0 })
      .toBuffer();
    await expect(tools.fit(large)).rejects.toMatchObject({ problem: "too-many-pixels" });
  });

  test("refuse a truncated JPEG, and then accept the next picture", async () => {
    const whole = await drawNoise(300, 200).jpeg().toBuffer();
    const broken = whole.subarray(0, whole.length / 2);
    await expect(tools.prepare(broken, LIMITS)).rejects.toMatchObject({ problem: "damaged" });
    expect(await tools.prepare(whole, LIMITS)).toMatchObject({ width: 300, height: 200 });
  });
});

describe("metadata", () => {
  const CANARY = "SW1A 2AA, Ada Lovelace";
  const exif = { IFD0: { Artist: CANARY, ImageDescription: CANARY }, IFD3: { GPSLatitudeRef: "N" } };
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${CANARY}</a></x:xmpmeta>`;

  /** Ways to hide data in a picture of each format. The picture can still be displayed. */
  const HIDING = {
    jpeg: [
      (bytes: Buffer) => insertJpegSegment(bytes, 0xfe, Buffer.from(CANARY)),
      (bytes: Buffer) => insertJpegSegment(bytes, 0xed, Buffer.from(`Photoshop 3.0\0${CANARY}`)),
      (bytes: Buffer) => insertJpegSegment(bytes, 0xec, Buffer.from(CANARY)),
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.from(CANARY)]),
    ],
    png: [
      (bytes: Buffer) => insertPngChunks(bytes, [pngChunk("tEXt", Buffer.from(`Comment\0${CANARY}`))]),
      (bytes: Buffer) =>
        insertPngChunks(bytes, [
          pngChunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), deflateSync(CANARY)])),
        ]),
      (bytes: Buffer) => insertPngChunks(bytes, [pngChunk("prVt", Buffer.from(CANARY))]),
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.from(CANARY)]),
    ],
    webp: [(bytes: Buffer) => Buffer.concat([bytes, Buffer.from(CANARY)])],
    gif: [(bytes: Buffer) => Buffer.concat([bytes, Buffer.from(CANARY)])],
    avif: [(bytes: Buffer) => Buffer.concat([bytes, Buffer.from(CANARY)])],
  } as const;

  const hidden = fc.constantFrom(...PICTURE_TYPES).chain((type) =>
    fc.record({
      type: fc.constant(type),
      hide: fc.subarray([...HIDING[type]], { minLength: 1 }),
      hasExif: fc.boolean(),
      isClear: fc.boolean(),
    }),
  );

  test("is removed, wherever it is in a picture of any type", async () => {
    await fc.assert(
      fc.asyncProperty(hidden, async ({ type, hide, hasExif, isClear }) => {
        const drawn = drawPicture(24, 16).ensureAlpha(isClear && type !== "jpeg" ? 0.5 : 1);
        const withFacts = hasExif
          ? drawn.withExif(exif).withXmp(xmp).withIccProfile("p3").withMetadata({ orientation: 1 })
          : drawn;
        const sent = hide.reduce((bytes, act) => act(bytes), await encodeAs(type, withFacts));
        expect(sent.includes(CANARY) || sent.includes(deflateSync(CANARY))).toBe(true);
        const made = await Promise.all([
          tools.prepare(sent, LIMITS),
          tools.fit(sent),
          tools.fit(sent, 100_000),
          tools.blend(sent, sent, 0.3),
        ]);
        for (const { bytes, contentType } of made) {
          expect(Buffer.from(bytes).includes(CANARY)).toBe(false);
          expect(Buffer.from(bytes).includes(deflateSync(CANARY))).toBe(false);
          const { format, exif: left, xmp: words, icc, iptc, comments } = await sharp(bytes).metadata();
          expect(contentType).toBe(`image/${format}`);
          expect([left, words, icc, iptc, comments]).toEqual([
            undefined,
            undefined,
            undefined,
            undefined,
            undefined,
          ]);
        }
      }),
      { numRuns: cases(25) },
    );
  });

  test("is also removed from a picture too large to be kept decoded, which is still made upright", async () => {
    const turned = await sharp(await drawPicture(3_000, 2_100).rotate(270).png().toBuffer())
      .withExif(exif)
      .withXmp(xmp)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(turned.includes(CANARY)).toBe(true);
    const received = await tools.fit(turned);
    expect(received).toMatchObject({ width: 3_000, height: 2_100 });
    expect(await cornersOf(received)).toEqual(CORNERS);
    expect(Buffer.from(received.bytes).includes(CANARY)).toBe(false);
    const { format, exif: left, xmp: words } = await sharp(received.bytes).metadata();
    expect([format, left, words]).toEqual(["jpeg", undefined, undefined]);
  });
});

describe("randomly damaged bytes", () => {
  test("result in a picture or a PictureError, never in a crash", async () => {
    const whole = new Map(
      await Promise.all(
        PICTURE_TYPES.map(async (type) => [type, await encodeAs(type, drawNoise(64, 48))] as const),
      ),
    );
    const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PICTURE_TYPES),
        fc.double({ min: 0, max: 1, noNaN: true }),
        flips,
        async (type, share, places) => {
          const bytes = Buffer.from(whole.get(type) ?? "");
          const sent = bytes.subarray(0, share > 0.8 ? bytes.length : Math.ceil(bytes.length * share));
          for (const [place, by] of places) {
            sent[place % sent.length] = (sent[place % sent.length] ?? 0) ^ by;
          }
          for (const attempt of [tools.prepare(sent, LIMITS), tools.fit(sent), tools.fit(sent, 2_000)]) {
            const outcome = await attempt.catch((error: unknown) => error);
            // Decodes the whole picture, and throws if a part is missing.
            expect(
              outcome instanceof PictureError || (await sharp(Object(outcome).bytes).stats()),
            ).toBeTruthy();
          }
        },
      ),
      { numRuns: cases(150) },
    );
  });
});

describe("fitting", () => {
  test("never exceeds the limits for bytes and side", async () => {
    const sent = await Promise.all([
      drawNoise(400, 300).jpeg({ quality: 100 }).toBuffer(),
      drawNoise(300, 400).png().toBuffer(),
      drawNoise(320, 200).ensureAlpha(0.5).png().toBuffer(),
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sent),
        fc.integer({ min: 1_024, max: 400_000 }),
        fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined }),
        async (bytes, maxBytes, maxSide) => {
          const fitted = await tools.fit(bytes, maxBytes, maxSide);
          expect(fitted.bytes.byteLength).toBeLessThanOrEqual(maxBytes);
          const { width, height } = await sharp(fitted.bytes).metadata();
          expect(fitted).toMatchObject({ width, height });
          expect(Math.max(width, height)).toBeLessThanOrEqual(maxSide ?? 400);
        },
      ),
      { numRuns: cases(30) },
    );
  });

  test("reduces a picture only if lower quality is not enough, and says so", async () => {
    const sent = await drawNoise(900, 600).png().toBuffer();
    const whole = await tools.fit(sent);
    expect(whole).toMatchObject({ width: 900, height: 600, wasReduced: false });
    const lighter = await tools.fit(sent, whole.bytes.byteLength - 1);
    expect(lighter).toMatchObject({ width: 900, height: 600, wasReduced: false });
    const small = await tools.fit(sent, 30_000);
    expect(small.bytes.byteLength).toBeLessThanOrEqual(30_000);
    expect(small.wasReduced).toBe(true);
  });

  test("keeps the transparency of a preview", async () => {
    const glass = await drawNoise(850, 650).ensureAlpha(0.5).png().toBuffer();
    const [maxBytes, maxSide] = [400_000, 800];
    const preview = await tools.fit(glass, maxBytes, maxSide);
    expect(preview).toMatchObject({ contentType: "image/webp", width: 800 });
    expect((await sharp(preview.bytes).metadata()).hasAlpha).toBe(true);
  });
});

describe("blending", () => {
  const grey = (level: number, size = 40) =>
    sharp({
      create: { width: size, height: size, channels: 3, background: { r: level, g: level, b: level } },
    })
      .png()
      .toBuffer();
  const meanOf = async (bytes: Uint8Array) => (await sharp(bytes).stats()).channels[0]?.mean ?? -1;

  test.each([
    [0, 40],
    [0.25, 80],
    [0.5, 120],
    [1, 200],
  ])("with an opacity of %d turns grey levels 40 and 200 into %d", async (opacity, expected) => {
    const blended = await tools.blend(await grey(40), await grey(200), opacity);
    expect(Math.abs((await meanOf(blended.bytes)) - expected)).toBeLessThan(2);
    expect(blended.contentType).toBe("image/jpeg");
  });

  test("uses the upper picture's size and keeps transparency", async () => {
    const clear = await sharp(await grey(40, 90))
      .ensureAlpha(0)
      .png()
      .toBuffer();
    const blended = await tools.blend(clear, await grey(200, 30), 0.5);
    expect(blended).toMatchObject({ width: 30, height: 30, contentType: "image/png" });
    const [red, , , covers] = (await sharp(blended.bytes).stats()).channels;
    expect([red?.mean, covers?.mean]).toEqual([200, 128]);
  });

  test("keeps the lower picture's transparency if asked to", async () => {
    const halfClear = await sharp(await grey(40))
      .ensureAlpha(0.5)
      .png()
      .toBuffer();
    const blended = await tools.blend(halfClear, await grey(200), 1, true);
    const [red, , , covers] = (await sharp(blended.bytes).stats()).channels;
    expect([red?.mean, covers?.mean]).toEqual([200, 127]);
  });
});

describe("a sheet", () => {
  test("shows each picture whole in its place, with its name below", async () => {
    const colours = ["red", "lime", "blue", "yellow"];
    const tiles = await Promise.all(
      colours.map(async (background, index) => ({
        bytes: await sharp({ create: { width: 600, height: 200 + 100 * index, channels: 3, background } })
          .png()
          .toBuffer(),
        label: `Style ${index + 1}`,
      })),
    );
    const { bytes, width, height } = await tools.sheet(tiles);
    expect([width, height]).toEqual([1_000, 608]);
    const colourAt = async (left: number, top: number) => [
      ...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
    ];
    const places = [
      [170, 134],
      [500, 134],
      [830, 134],
      [170, 430],
    ] as const;
    const wanted = [
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
      [255, 255, 0],
    ];
    for (const [index, [left, top]] of places.entries()) {
      const found = await colourAt(left, top);
      expect(found.every((value, channel) => Math.abs(value - (wanted[index]?.[channel] ?? -99)) < 12)).toBe(
        true,
      );
    }
    const { channels } = await sharp(
      await sharp(bytes).extract({ left: 16, top: 252, width: 300, height: 44 }).toBuffer(),
    ).stats();
    expect(channels[0]?.max).toBeGreaterThan(200);
  });
});

/** The pixels that a camera stores if the picture needs this EXIF orientation. */
function storeTurned(upright: Buffer, orientation: number): Promise<Buffer> {
  const picture = sharp(upright);
  const stored = {
    1: () => picture,
    2: () => picture.flop(),
    3: () => picture.rotate(180),
    4: () => picture.flip(),
    5: () => picture.rotate(270).flop(),
    6: () => picture.rotate(270),
    7: () => picture.rotate(90).flop(),
    8: () => picture.rotate(90),
  }[orientation];
  return (stored?.() ?? picture).toBuffer();
}
