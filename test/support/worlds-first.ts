// The order of test files. A class, since vitest wants one.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Those that take longest, as measured: nobody waits for them in the end. Those that mostly wait and those that compute
 * take turns.
 */
const SLOWEST = [
  "long/video-kills",
  "long/statement-faults-postgres",
  "long/boards",
  "long/fleet-chaos",
  "long/publish",
  "long/statement-faults-sqlite",
  "long/fault-campaign",
  "long/board-kills",
  "e2e/fleet-chaos",
  "e2e/watch-morning",
  "e2e/start",
  "e2e/video-kills",
  "e2e/statement-faults",
  "browser/faults",
  "e2e/clock-of-machine",
  "e2e/board-kills",
  "e2e/style-bad-days",
  "e2e/board-clock-changes",
  "e2e/board-fleet",
  "browser/bot-life",
  "e2e/frozen-leader",
  "browser/service-faults",
  "e2e/app",
  "sandbox/main",
  "e2e/fault-campaign",
  "videos/publishing/crashes",
  "e2e/budget",
  "restoring",
  "e2e/video-mid-upload",
  "e2e/video-fleet",
  "e2e/operators-year",
  "e2e/style",
  "e2e/shard-fleet",
  "e2e/clock-jumps",
  "sandbox/control/faults",
  "e2e/answer-kills",
  "e2e/styles",
  "videos/publishing/lost-answers",
  "jobs/scheduler",
  "database",
  "e2e/guilds",
  "browser/accessibility",
  "e2e/board-troubles",
  "e2e/video-publish",
  "e2e/places",
  "e2e/journey",
  "e2e/image",
  "render/picture-process",
  "e2e/round-trips",
  "watches/watch-cost",
  "e2e/first-start",
  "sandbox/transport/railway/timetable",
];

/** Slow ones come first, then whatever drives a world: in the end no worker waits with nothing else to do. */
export class WorldsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is a method of vitest's, and gives a new list
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  if (project.name === "alone") {
    return -1; // Among the others it would cost a worker what that has loaded.
  }
  const name = /\/test\/(.+)\.test\.ts$/.exec(moduleId)?.[1] ?? "";
  const rank = SLOWEST.indexOf(name);
  return rank >= 0 ? rank : /^(?:e2e|browser|long)\//.test(name) ? SLOWEST.length : SLOWEST.length + 1;
}
