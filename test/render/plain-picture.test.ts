import * as fc from "fast-check";
import type { Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { readPlainPicture } from "../../src/render/plain-picture.ts";
import { drawPicture, insertJpegSegment, insertPngChunks, pngChunk } from "../support/sent-pictures.ts";
import { cases } from "../support/cases.ts";

const transparent = (picture: Sharp) => picture.ensureAlpha(0.5);
const PLAIN: readonly (readonly [string, string, (picture: Sharp) => Sharp])[] = [
  ["image/jpeg", "JPEG", (picture) => picture.jpeg()],
  ["image/jpeg", "progressive JPEG", (picture) => picture.jpeg({ progressive: true })],
  ["image/png", "PNG", (picture) => picture.png()],
  ["image/png", "PNG with a palette", (picture) => picture.png({ palette: true })],
  ["image/png", "transparent PNG", (picture) => transparent(picture).png()],
  ["image/webp", "WebP", (picture) => picture.webp()],
  ["image/webp", "lossless WebP", (picture) => picture.webp({ lossless: true })],
  ["image/webp", "transparent WebP", (picture) => transparent(picture).webp()],
];

describe.each(PLAIN)("%s: a %s", (contentType, _name, encode) => {
  const bytes = encode(drawPicture(37, 23)).toBuffer();

  test("is plain if it contains only pixels", async () => {
    expect(readPlainPicture(await bytes)).toEqual({ contentType, width: 37, height: 23 });
  });

  test("is not plain if it is truncated or has anything after its end", async () => {
    const whole = await bytes;
    expect(readPlainPicture(Buffer.concat([whole, Buffer.from("!")]))).toBeUndefined();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length - 1 }), (length) => {
        expect(readPlainPicture(whole.subarray(0, length))).toBeUndefined();
      }),
    );
  });
});

describe("a plain picture", () => {
  const jpeg = drawPicture(8, 8).jpeg().toBuffer();
  const png = drawPicture(8, 8).png().toBuffer();

  test.each([0xe1, 0xe2, 0xed, 0xee, 0xef, 0xfe])("is not a JPEG with a segment %i", async (marker) => {
    expect(readPlainPicture(insertJpegSegment(await jpeg, marker, Buffer.from("Ada")))).toBeUndefined();
  });

  test("is not a JPEG whose JFIF header has a thumbnail", async () => {
    const head = Buffer.from("JFIF\0\x01\x02\0\0\x01\0\x01\0\0", "latin1");
    expect(readPlainPicture(insertJpegSegment(await jpeg, 0xe0, head))).toMatchObject({ width: 8 });
    const withThumbnail = Buffer.concat([head.subarray(0, -2), Buffer.from([1, 1, 9, 9, 9])]);
    expect(readPlainPicture(insertJpegSegment(await jpeg, 0xe0, withThumbnail))).toBeUndefined();
  });

  test("is not a JPEG with something between its scan data and its end", async () => {
    const whole = await jpeg;
    const comment = Buffer.from([0xff, 0xfe, 0, 5, 65, 100, 97]);
    const late = Buffer.concat([whole.subarray(0, -2), comment, whole.subarray(-2)]);
    expect(readPlainPicture(late)).toBeUndefined();
  });

  test.each(["tEXt", "zTXt", "iTXt", "eXIf", "iCCP", "tIME", "acTL", "prVt"])(
    "is not a PNG with a %s chunk",
    async (type) => {
      const chunk = pngChunk(type, Buffer.from("Comment\0Ada"));
      expect(readPlainPicture(insertPngChunks(await png, [chunk]))).toBeUndefined();
    },
  );

  test("is not a CMYK picture", async () => {
    const ink = drawPicture(8, 8).toColourspace("cmyk").jpeg();
    expect(readPlainPicture(await ink.toBuffer())).toBeUndefined();
  });

  test("can be looked for in any bytes without an exception", () => {
    const start = fc.constantFrom("\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "RIFF\x20\0\0\0WEBPVP8X", "");
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 64 }), (text, rest) => {
        const bytes = Buffer.concat([Buffer.from(text, "latin1"), rest]);
        expect(() => readPlainPicture(bytes)).not.toThrow();
      }),
      { numRuns: cases(2_000) },
    );
  });
});
