// The inspector's fault switches for the style and the video service, each met by a member's picture or video;
// afterwards the bot answers as before.
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { readSample } from "../../sandbox/page/read-sample.ts";
import type { World } from "../../sandbox/world.ts";
import { noChromium, PAGE_TESTS, useVisit } from "../support/browser.ts";
import { meetEach, openFaults, seeAnswer } from "../support/fault-switches.ts";

/** Real milliseconds to wait for an action that meets a fault. */
const WAIT = { deadlineMs: 6_000 };

/** A small picture: what becomes of it does not matter here. */
function drawSmall(): Promise<Uint8Array> {
  return sharp({ create: { width: 64, height: 64, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
}

async function restyle(world: World, bytes: Uint8Array): Promise<void> {
  const image = { name: "sea.jpg", bytes };
  await world.member("Ada").slash(world.channels.general, "style", { image, style: "watercolour" }, WAIT);
}

async function publish(world: World, bytes: Uint8Array, round: number): Promise<void> {
  const ada = world.member("Ada");
  const file = { name: `train-${round}.mp4`, bytes };
  const card = await ada.slash(world.channels.general, "video publish", { file }, WAIT);
  await ada.click(card.message, "Publish now", WAIT);
}

describe.skipIf(noChromium)("the fault switches of services", PAGE_TESTS, () => {
  const here = useVisit();

  it("cause each one-off fault of the style service once, and the bot continues", async () => {
    const visit = here();
    const page = await openFaults(visit);
    const picture = await drawSmall();
    visit.world.style.canned = picture;
    await meetEach(visit, page, "style", () => restyle(visit.world, picture));
    await seeAnswer(page, "/help ");
    expect(visit.world.bot.isRunning).toBe(true);
  });

  it("cause each one-off fault of the video service once, and the bot continues", async () => {
    const visit = here();
    const page = await openFaults(visit);
    const film = await readSample("passing-train.mp4");
    await meetEach(visit, page, "video", (_page, round) => publish(visit.world, film, round));
    await seeAnswer(page, "/help ");
    expect(visit.world.bot.isRunning).toBe(true);
  });
});
