// The memory for a picture that is large only once it is decoded, and for a truncated one; test/long has the worst of
// every kind.
import { expect, it } from "vitest";
import { reportChecks } from "../support/checked-world.ts";
import {
  drawBomb,
  drawCut,
  growthDuring,
  isMemoryCounted,
  openMemoryWorld,
  restyle,
  seePictureWork,
} from "../support/style-memory.ts";

reportChecks();

it.skipIf(!isMemoryCounted)(
  "bad pictures need less than 300 MB more than an idle bot, and the next picture works",
  async () => {
    await using world = await openMemoryWorld();
    const pictures = [await drawBomb(), await drawCut()];
    const growth = await growthDuring(world, async () => {
      for (const image of pictures) {
        await restyle(world, "Ada", image);
      }
    });
    expect(growth).toBeLessThan(300);
    await seePictureWork(world);
  },
);
