// The order of test files. It is a class because vitest requires one.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, as measured. They start first, so that nobody waits for them at the end. */
const SLOWEST = [
  "long/video-kills",
  "long/statement-faults-postgres",
  "long/boards",
  "long/fleet-chaos",
  "long/publish",
  "long/statement-faults-sqlite",
  "long/fault-campaign",
  "long/board-kills",
  "e2e/watch-morning",
  "e2e/board-kills",
  "e2e/style-bad-days",
  "e2e/board-clock-changes",
  "e2e/board-fleet",
  "browser/bot-life",
  "sandbox/main",
  "videos/publishing/crashes",
  "e2e/budget",
  "restoring",
  "e2e/video-fleet",
  "e2e/operators-year",
  "e2e/clock-jumps",
  "e2e/answer-kills",
  "e2e/styles",
  "videos/publishing/lost-answers",
  "database",
  "e2e/board-troubles",
  "e2e/places",
  "e2e/journey",
  "e2e/image",
  "watches/watch-cost",
  "e2e/first-start",
  "sandbox/transport/railway/timetable",
];

/** Files that mostly wait for time or for other processes; slowest first. */
const WAITING = [
  "e2e/clock-of-machine",
  "e2e/frozen-leader",
  "e2e/start",
  "e2e/app",
  "e2e/fault-campaign",
  "e2e/fleet-chaos",
  "e2e/statement-faults",
  "render/picture-process",
  "sandbox/control/faults",
  "browser/faults",
  "e2e/shard-fleet",
  "jobs/scheduler",
  "e2e/video-kills",
  "e2e/style",
  "browser/accessibility",
  "e2e/video-publish",
  "e2e/guilds",
  "browser/people",
  "e2e/round-trips",
  "e2e/video-mid-upload",
  "e2e/video-bad-input",
  "e2e/style-bad-pictures",
  "discord/messenger-rate",
  "storage/postgres-breaks",
  "storage/sqlite-lock",
  "sandbox/discord/gateway/reconnect",
  "browser/command-box",
  "browser/first-minute",
  "sandbox/discord/gateway/faults",
];

/** How many other files come between two of them: several at once would leave a core idle. */
const BETWEEN = 7;

/**
 * Slow files come first, then those that open a world, with waiting ones in between, so that every worker always has
 * something to do.
 */
export class WorldsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is a method of vitest's, and gives a new list
    const sorted = await super.sort(files);
    const waiting = WAITING.flatMap((name) => sorted.filter((file) => nameOf(file) === name));
    const others = sorted.filter((file) => !waiting.includes(file)).toSorted((a, b) => rankOf(a) - rankOf(b));
    const mixed = others.flatMap((file, index) =>
      index % BETWEEN === 0 ? [...waiting.splice(0, 1), file] : [file],
    );
    return [...mixed, ...waiting];
  }
}

function nameOf({ moduleId }: TestSpecification): string {
  return /\/test\/(.+)\.test\.ts$/.exec(moduleId)?.[1] ?? "";
}

function rankOf(file: TestSpecification): number {
  const name = nameOf(file);
  const rank = SLOWEST.indexOf(name);
  return rank >= 0 ? rank : /^(?:e2e|browser|long)\//.test(name) ? SLOWEST.length : SLOWEST.length + 1;
}
