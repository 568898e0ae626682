import sharp from "sharp";
import { expect, it } from "vitest";
import { readSample } from "../../../sandbox/page/read-sample.ts";

it("the sample picture is a small JPEG", async () => {
  const bytes = await readSample("night-train.jpg");
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg", width: 1200, height: 800 });
  expect(bytes.byteLength).toBeLessThan(200_000);
});

it("the sample video is a small MP4", async () => {
  const bytes = Buffer.from(await readSample("passing-train.mp4"));
  expect(bytes.toString("latin1", 4, 8)).toBe("ftyp");
  expect(bytes.includes("avc1")).toBe(true);
  expect(bytes.byteLength).toBeLessThan(200_000);
});
