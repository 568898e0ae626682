// What the largest and the worst pictures cost in memory: the bot and its picture process together, by Linux's own
// account, which counts once what processes share.
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, it } from "vitest";
import type { ActorFile } from "../../sandbox/discord/actors/acts.ts";
import { processTreeMegabytes } from "../../bench/process-cost.ts";
import { reportJudgement } from "../support/judged-world.ts";
import { drawNoise, drawPicture } from "../support/sent-pictures.ts";
import { openStyleWorld, photograph } from "../support/style-world.ts";
import { until } from "../support/until.ts";

reportJudgement();

const MOST_MEGABYTES = 300;
const SAMPLE_MS = 50;
const isCounted = process.platform === "linux" && canCount();

function canCount(): boolean {
  try {
    return readFileSync("/proc/self/smaps_rollup", "utf8").includes("Pss:");
  } catch {
    return false;
  }
}

it.skipIf(!isCounted)(
  "stays within 300 MB of an idle bot, and the next picture works",
  async () => {
    await using world = await openStyleWorld({
      bot: "process",
      clock: "running",
      attachmentSizeLimitBytes: 20 * 1_048_576,
    });
    const { general } = world.channels;
    const bomb = sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: "#fff" } }).png();
    const large = await sharp(await drawNoise(1_800, 1_350).png().toBuffer())
      .resize(7_200, 5_400, { kernel: "cubic" })
      .jpeg()
      .toBuffer();
    const cut = large.subarray(0, Math.floor(large.byteLength / 2));
    const pictures = [
      { name: "bomb.png", bytes: await bomb.toBuffer() },
      { name: "large.jpg", bytes: large },
      { name: "flat.png", bytes: await drawPicture(7_000, 5_500).png().toBuffer() },
      { name: "cut.jpg", bytes: cut },
      { name: "text.png", bytes: Buffer.alloc(15_000_000, 0x61) },
    ];
    const idle = processTreeMegabytes(world.bot.pid);
    let peak = idle;
    const sampling = setInterval(() => {
      peak = Math.max(peak, processTreeMegabytes(world.bot.pid, peak));
    }, SAMPLE_MS);
    /** Settles when the member has the picture, or was told why there is none. */
    const answer = async (name: string, image: ActorFile) => {
      const member = world.member(name);
      const within = { deadlineMs: 60_000 };
      const { message } = await member.slash(general, "style", { image, style: "oil" }, within);
      await until(() => {
        const now = member.look(message);
        return now === undefined || now.ephemeral || now.attachments.length === 2;
      }, within.deadlineMs);
    };
    try {
      for (const image of pictures) {
        await Promise.all(["Ada", "Alan", "Mary"].map((name) => answer(name, image)));
      }
      world.style.canned = large;
      world.style.faults.add({ path: "/v1/process", do: "huge-result" });
      await answer("Grace", await photograph());
      await Promise.all(["Ada", "Alan", "Mary"].map(async (name) => answer(name, await photograph())));
    } finally {
      clearInterval(sampling);
    }
    expect(peak - idle).toBeLessThan(MOST_MEGABYTES);
    process.stdout.write(`an idle bot has ${Math.round(idle)} MB; at most it was ${Math.round(peak)} MB\n`);
    await world.member("Grace").slash(general, "style", { image: await photograph(), style: "comic" });
    await world.member("Grace").waitForMessage(general, ({ text }) => text.includes("### Comic"));
  },
  120_000,
);
