// Measures the memory that the worst pictures cost: that of the bot and its picture process together, as Linux counts
// it, with shared pages counted once.
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { processTreeMegabytes } from "../../bench/process-cost.ts";
import type { ActorFile } from "../../sandbox/discord/actors/member-types.ts";
import type { World } from "../../sandbox/world.ts";
import { drawNoise, drawPicture } from "./sent-pictures.ts";
import { openStyleWorld, photograph } from "./style-world.ts";
import { until } from "./until.ts";

const SAMPLE_MS = 50;
const DEADLINE_MS = 60_000;

export const isMemoryCounted = process.platform === "linux" && canCount();

function canCount(): boolean {
  try {
    return readFileSync("/proc/self/smaps_rollup", "utf8").includes("Pss_Anon:");
  } catch {
    return false;
  }
}

/** A small file with a picture of 144 megapixels. */
export async function drawBomb(): Promise<ActorFile> {
  const bomb = sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: "#fff" } }).png();
  return { name: "bomb.png", bytes: await bomb.toBuffer() };
}

/** A photograph whose second half is missing. */
export async function drawCut(): Promise<ActorFile> {
  return cutInHalf(await drawNoise(1_800, 1_350).jpeg().toBuffer());
}

function cutInHalf(bytes: Buffer): ActorFile {
  return { name: "cut.jpg", bytes: bytes.subarray(0, Math.floor(bytes.byteLength / 2)) };
}

/** The largest pictures that a member may send, of each kind. */
export async function drawWorst(): Promise<{ readonly pictures: ActorFile[]; readonly large: Buffer }> {
  const large = await sharp(await drawNoise(1_800, 1_350).png().toBuffer())
    .resize(7_200, 5_400, { kernel: "cubic" })
    .jpeg()
    .toBuffer();
  const pictures = [
    await drawBomb(),
    { name: "large.jpg", bytes: large },
    { name: "flat.png", bytes: await drawPicture(7_000, 5_500).png().toBuffer() },
    cutInHalf(large),
    { name: "text.png", bytes: Buffer.alloc(15_000_000, 0x61) },
  ];
  return { pictures, large };
}

/** Opens a world whose bot runs in its own process. */
export function openMemoryWorld(): Promise<World> {
  return openStyleWorld({
    bot: "process",
    collectsGarbage: true,
    clock: "running",
    settings: { attachmentSizeLimitBytes: 20 * 1_048_576 },
    env: { LOG_LEVEL: "info" },
  });
}

/**
 * Returns by how many megabytes the bot's memory rose above its initial level during `work`, at most. Pages of files do
 * not count: the bot's share of them depends on how many other tests run Node at the time.
 */
export async function growthDuring(world: World, work: () => Promise<void>): Promise<number> {
  const megabytes = (above?: number) => processTreeMegabytes(world.bot.pid, above, "Pss_Anon");
  const idle = megabytes();
  let peak = idle;
  const sampling = setInterval(() => {
    peak = Math.max(peak, megabytes(peak));
  }, SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  process.stdout.write(`an idle bot has ${Math.round(idle)} MB; at most it was ${Math.round(peak)} MB\n`);
  return peak - idle;
}

/** Restyles a picture; settles when the member has the result or the reason why there is none. */
export async function restyle(world: World, name: string, image: ActorFile): Promise<void> {
  const member = world.member(name);
  const within = { deadlineMs: DEADLINE_MS };
  const { message } = await member.slash(world.channels.general, "style", { image, style: "oil" }, within);
  await until(() => {
    const now = member.look(message);
    return now === undefined || now.ephemeral || now.attachments.length === 2;
  }, DEADLINE_MS);
}

/** Checks that the next picture works. */
export async function seePictureWork(world: World): Promise<void> {
  const { general } = world.channels;
  await world.member("Grace").slash(general, "style", { image: await photograph(), style: "comic" });
  await world.member("Grace").waitForMessage(general, ({ text }) => text.includes("### Comic"));
}
