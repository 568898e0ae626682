import sharp from "sharp";
import { expect, it } from "vitest";
import type { Samples } from "../../../sandbox/control/api/samples.ts";
import { openWorld } from "../../../sandbox/world.ts";
import { openControl } from "./ask-control.ts";

/** The boxes of an MP4 at one level: name, beginning and end of what is in it. */
function boxesOf(bytes: Buffer, from = 0, to = bytes.length): { name: string; from: number; to: number }[] {
  const boxes = [];
  for (let at = from; at < to; at += bytes.readUInt32BE(at)) {
    boxes.push({
      name: bytes.toString("latin1", at + 4, at + 8),
      from: at + 8,
      to: at + bytes.readUInt32BE(at),
    });
  }
  return boxes;
}

it("a picture and a video are there to attach", async () => {
  await using world = await openWorld({ bot: "none" });
  await using control = await openControl(world);
  const { samples } = await control.get<Samples>("/samples");
  expect(samples.map(({ kind, contentType }) => [kind, contentType])).toEqual([
    ["picture", "image/jpeg"],
    ["video", "video/mp4"],
  ]);
  for (const { url, name, sizeBytes, contentType } of samples) {
    const answer = await control.raw(`/${url.replace("_sandbox/", "")}`);
    const bytes = await answer.arrayBuffer();
    expect([name, bytes.byteLength, answer.headers.get("content-type")]).toEqual([
      name,
      sizeBytes,
      contentType,
    ]);
    expect(sizeBytes).toBeLessThan(200_000);
  }
  expect((await control.raw("/samples/other.jpg")).status).toBe(404);
});

it("the picture is one", async () => {
  await using world = await openWorld({ bot: "none" });
  await using control = await openControl(world);
  const bytes = await (await control.raw("/samples/night-train.jpg")).arrayBuffer();
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg", width: 1200, height: 800 });
});

it("the video's table leads to each of its pictures, and nothing else is in it", async () => {
  await using world = await openWorld({ bot: "none" });
  await using control = await openControl(world);
  const bytes = Buffer.from(await (await control.raw("/samples/passing-train.mp4")).arrayBuffer());
  const top = boxesOf(bytes);
  expect(top.map(({ name }) => name)).toEqual(["ftyp", "moov", "mdat"]);
  const inside = (path: string) =>
    path
      .split(" ")
      .reduce((box, name) => boxesOf(bytes, box.from, box.to).find((one) => one.name === name) ?? box, {
        name: "",
        from: 0,
        to: bytes.length,
      });
  const table = "moov trak mdia minf stbl";
  const [sizes, offsets, data] = [inside(`${table} stsz`), inside(`${table} stco`), inside("mdat")];
  const count = bytes.readUInt32BE(sizes.from + 8);
  expect([count, bytes.readUInt32BE(offsets.from + 8)]).toEqual([50, data.from]);
  let at = data.from;
  const kinds = Array.from({ length: count }, (_, index) => {
    const size = bytes.readUInt32BE(sizes.from + 12 + 4 * index);
    expect(bytes.readUInt32BE(at)).toBe(size - 4);
    const kind = bytes.readUInt8(at + 4) & 31;
    at += size;
    return kind;
  });
  // A whole picture, then changes; no more bytes than the table knows of.
  expect([kinds[0], new Set(kinds.slice(1)), at]).toEqual([5, new Set([1]), data.to]);
});
