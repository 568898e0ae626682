// The memory for the largest and the worst pictures if three members send them at once.
import { expect, it } from "vitest";
import { reportChecks } from "../support/checked-world.ts";
import {
  drawWorst,
  growthDuring,
  isMemoryCounted,
  openMemoryWorld,
  restyle,
  seePictureWork,
} from "../support/style-memory.ts";
import { photograph } from "../support/style-world.ts";

reportChecks();

const MEMBERS = ["Ada", "Alan", "Mary"];

it.skipIf(!isMemoryCounted)(
  "the worst pictures need less than 300 MB more than an idle bot, and the next picture works",
  async () => {
    await using world = await openMemoryWorld();
    const { pictures, large } = await drawWorst();
    const growth = await growthDuring(world, async () => {
      for (const image of pictures) {
        await Promise.all(MEMBERS.map((name) => restyle(world, name, image)));
      }
      world.style.canned = large;
      world.style.faults.add({ path: "/v1/process", do: "huge-result" });
      await restyle(world, "Grace", await photograph());
      await Promise.all(MEMBERS.map(async (name) => restyle(world, name, await photograph())));
    });
    expect(growth).toBeLessThan(300);
    await seePictureWork(world);
  },
);
