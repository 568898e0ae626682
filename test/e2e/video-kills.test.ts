// The short campaign; test/long has the long one.
import { expect, it } from "vitest";
import { reportJudgement } from "../support/judged-world.ts";
import { runVideoKills } from "../support/video-kills.ts";

reportJudgement();

/** Each of its kills comes in the middle of a video's upload. */
const SEED = 7;
const DAYS = 1;

it.each(["simple", "chunked"] as const)(
  "publishes each video once or not at all, and reports that correctly, through kills and lost answers (%s)",
  { timeout: 300_000 },
  async (way) => {
    const report = await runVideoKills(SEED, DAYS, way);
    expect(report.broken, `seed ${SEED}`).toEqual([]);
    expect(report.leaks).toEqual([]);
    // It would prove little if nobody had been caught in the act, and nothing had gone wrong.
    expect(report.sprung).toBeGreaterThan(DAYS / 2);
    expect(report.faultsMet).toBeGreaterThan(0);
  },
);
