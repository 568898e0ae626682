// Hundreds of kills and lost answers: each video is published once or not at all, the bot reports that correctly, and
// no secret is written anywhere.
import { expect, it } from "vitest";
import { runVideoKills } from "../support/video-kills.ts";

const SEEDS = [1, 2];
const DAYS = 40;

it.each(SEEDS.flatMap((seed) => (["simple", "chunked"] as const).map((way) => [way, seed] as const)))(
  "publishes each video once or not at all through forty bad days (%s), seed %d",
  { timeout: 1_800_000 },
  async (way, seed) => {
    const { broken, leaks, ...counts } = await runVideoKills(seed, DAYS, way);
    process.stdout.write(`videos: ${JSON.stringify(counts)}\n`);
    expect(broken, `seed ${seed}`).toEqual([]);
    expect(leaks).toEqual([]);
    expect(counts.kills).toBeGreaterThanOrEqual(DAYS);
    expect(counts.underWay).toBeGreaterThan(counts.kills / 3);
    expect(counts.faultsMet).toBeGreaterThan(DAYS / 4);
  },
);
