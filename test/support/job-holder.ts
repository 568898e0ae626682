// A program for tests: runs one job, which either hangs or reports that it ran. The process ends if the job is stuck.
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { startJobs } from "../../src/jobs/scheduler.ts";
import { createLeaseCoordinator } from "../../src/jobs/lease-coordinator.ts";
import { openDatabase } from "../../src/database.ts";

const [url = "", hangs = ""] = process.argv.slice(2);
const clock = systemClock;
const log = createLog({ level: "silent", secrets: [] });
const { leases } = await openDatabase({ url, clock, log });
const jobs = startJobs({
  jobs: [
    {
      name: "test",
      pattern: "* * * * * *",
      stuckAfterMs: 2_000,
      async run() {
        process.send?.("ran");
        await (hangs === "hangs" ? new Promise(() => undefined) : undefined);
      },
    },
  ],
  coordinator: createLeaseCoordinator({ leases, isOutdated: async () => false, log }),
  clock,
  log,
  // As the bot does. Otherwise a renewal under way could take the lease again after it was released.
  onStuck: () => void jobs.stop(1_000).finally(() => process.exit(1)),
});
process.send?.("ready");
