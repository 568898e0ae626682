import sharp from "sharp";
import { expect, it } from "vitest";
import type { Samples } from "../../../sandbox/control/api/samples.ts";
import { openWorld } from "../../../sandbox/world.ts";
import { openControl } from "./ask-control.ts";

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

it("the video is one", async () => {
  await using world = await openWorld({ bot: "none" });
  await using control = await openControl(world);
  const bytes = Buffer.from(await (await control.raw("/samples/passing-train.mp4")).arrayBuffer());
  expect(bytes.toString("latin1", 4, 8)).toBe("ftyp");
  expect(bytes.includes("avc1")).toBe(true);
});
