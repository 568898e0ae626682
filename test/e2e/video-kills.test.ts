// A short campaign; test/long has the long one.
import { expect, it } from "vitest";
import { reportChecks } from "../support/checked-world.ts";
import { runVideoKills } from "../support/video-kills.ts";

reportChecks();

/** With this seed, each kill comes in the middle of an upload. */
const SEED = 7;
const DAYS = 1;

it.each(["simple", "chunked"] as const)(
  "publishes each video once or not at all, and reports that correctly, through kills and lost answers (%s)",
  { timeout: 300_000 },
  async (way) => {
    const report = await runVideoKills(SEED, DAYS, way);
    expect(report.broken, `seed ${SEED}`).toEqual([]);
    expect(report.leaks).toEqual([]);
    // The test proves little unless some kills hit work in progress, and some faults occurred.
    expect(report.sprung).toBeGreaterThan(DAYS / 2);
    expect(report.faultsMet).toBeGreaterThan(0);
  },
);
