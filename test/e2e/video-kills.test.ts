// The short campaign; test/long has the long one.
import { expect, it } from "vitest";
import { reportJudgement } from "../support/judged-world.ts";
import { runVideoKills } from "../support/video-kills.ts";

reportJudgement();

const SEED = 1;
const DAYS = 4;

it.each(["simple", "chunked"] as const)(
  "publishes each video once or not at all, and tells the truth about it, through kills and lost answers (%s)",
  { timeout: 180_000 },
  async (way) => {
    const report = await runVideoKills(SEED, DAYS, way);
    expect(report.broken, `seed ${SEED}`).toEqual([]);
    expect(report.leaks).toEqual([]);
    // It would prove little if nobody had been caught in the act, and nothing had gone wrong.
    expect(report.sprung).toBeGreaterThan(DAYS / 2);
    expect(report.faultsMet).toBeGreaterThan(0);
  },
);
