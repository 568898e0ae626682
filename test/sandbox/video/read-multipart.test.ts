import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readMultipart } from "../../../sandbox/video/read-multipart.ts";

const BOUNDARY = "----boundary7";

/** Contents that resemble the form's own lines. */
const content = fc
  .array(fc.constantFrom("\r\n", "--", BOUNDARY, `\r\n--${BOUNDARY.slice(0, -1)}`, "a", "\r", "\n", "é"), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join(""))
  .filter((text) => !`\r\n${text}`.includes(`\r\n--${BOUNDARY}`));

test("the form reader reads any form, in whatever pieces it arrives", async () => {
  await fc.assert(
    fc.asyncProperty(
      content,
      content,
      fc.array(fc.nat({ max: 30 }), { maxLength: 20 }),
      async (text, file, cuts) => {
        const form = Buffer.from(
          `--${BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\n${text}\r\n` +
            `--${BOUNDARY}\r\nContent-Disposition: form-data; name="source"; filename="a.mp4"\r\n` +
            `Content-Type: video/mp4\r\n\r\n${file}\r\n--${BOUNDARY}--\r\n`,
        );
        let at = 0;
        const pieces = [...cuts, form.byteLength].map((length) => form.subarray(at, (at += length)));
        const read = await readMultipart(Readable.from(pieces), BOUNDARY);
        expect(read.fields).toEqual({ title: text });
        const { chunks = [], ...source } = read.files["source"] ?? {};
        expect(source).toEqual({
          name: "a.mp4",
          contentType: "video/mp4",
          sizeBytes: Buffer.byteLength(file),
          sha256: createHash("sha256").update(file).digest("hex"),
        });
        expect(Buffer.concat(chunks).toString()).toBe(file);
      },
    ),
  );
});

test("the form reader keeps nothing of a large file, and hashes all of it", async () => {
  const chunk = Buffer.alloc(1024 * 1024, 5);
  const hash = createHash("sha256");
  async function* form() {
    yield Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="source"; filename="a.mp4"\r\n\r\n`,
    );
    for (let count = 0; count < 33; count += 1) {
      hash.update(chunk);
      yield chunk;
    }
    yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  }
  const { source } = (await readMultipart(form(), BOUNDARY)).files;
  expect(source).toMatchObject({
    sizeBytes: 33 * chunk.byteLength,
    sha256: hash.digest("hex"),
    chunks: [],
  });
});

test.each(["", `--${BOUNDARY}\r\n`, `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\nhalf`])(
  "the form reader refuses %j",
  async (form) => {
    await expect(readMultipart(Readable.from([Buffer.from(form)]), BOUNDARY)).rejects.toThrow("too early");
  },
);
