// A program of its own for tests: opens a database, claims every board that is due and wants the lease, and tells what
// it got.
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/database.ts";

const NOW_MS = 10_000;
const [url = ""] = process.argv.slice(2);
const log = createLog({ level: "silent", secrets: [] });
const database = await openDatabase({ url, clock: systemClock, log, exclusive: false });
// Seen before anybody claims: all of them see the same.
const due = await database.boards.due(NOW_MS);
process.send?.("ready");
await new Promise((resolve) => process.once("message", resolve));

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
