// A program for tests: opens a database that other processes open too. After each message, it takes one step: counts as
// many calls as the plan allows, reads which boards are due, then claims all of these and the lease.
import { once } from "node:events";
import { createLog } from "../../src/core/log.ts";
import { systemClock } from "../../src/core/clock.ts";
import { openDatabase } from "../../src/database.ts";

const NOW_MS = 10_000;
const [url = "", limit = "", tries = ""] = process.argv.slice(2);
const log = createLog({ level: "silent", secrets: [] });
const database = await openDatabase({ url, clock: systemClock, log, exclusive: false });
process.send?.("ready");

await once(process, "message");
// The first calls open all connections.
await spendAs("somebody else");
process.send?.(await spendAs("transport"));

await once(process, "message");
// Read before anybody claims, so all processes see the same.
const due = await database.boards.due(NOW_MS);
process.send?.("seen");

await once(process, "message");
const claimed: string[] = [];
for (const board of due) {
  const times = { slotMs: NOW_MS, nextSlotMs: undefined };
  const claim = {
    id: board.id,
    seen: board,
    missed: 0,
    lastMissedMs: undefined,
    history: undefined,
    ...times,
  };
  claimed.push(...(await database.boards.claim([claim], 180_000)).keys());
}
const leased = await database.leases.take("ticks", `process ${process.pid}`, 20_000);
await database.close();
process.send?.({ claimed, leased }, () => process.disconnect?.());

/** Returns how many calls were allowed. */
async function spendAs(service: string): Promise<number> {
  const results = await Promise.all(
    Array.from({ length: Number(tries) }, () =>
      database.spending.take({
        service,
        windowMs: 60_000,
        limit: Number(limit),
        purpose: "person",
        stepMs: 1,
        floors: { person: 0, board: 0 },
        leave: 0,
        weight: 1,
      }),
    ),
  );
  return results.filter(({ taken }) => taken).length;
}
