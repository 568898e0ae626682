// A program of its own for tests: opens a database, spends as often as it is told, and tells how often it could.
import { createLog } from "../../src/core/log.ts";
import { systemClock } from "../../src/core/clock.ts";
import { openDatabase } from "../../src/database.ts";

const [url = "", limit = "", tries = ""] = process.argv.slice(2);
const log = createLog({ level: "silent", secrets: [] });
const database = await openDatabase({ url, clock: systemClock, log, exclusive: false });
process.send?.("ready");
await new Promise((resolve) => process.once("message", resolve));

let taken = 0;
await spendAs("somebody else");
taken = 0;
await spendAs("transport");
await database.close();
process.send?.(taken, () => process.disconnect?.());

/** Called twice: the first time opens all the connections there will be. */
async function spendAs(service: string): Promise<void> {
  await Promise.all(Array.from({ length: Number(tries) }, () => spendOnce(service)));
}

async function spendOnce(service: string): Promise<void> {
  const result = await database.spending.take({
    service,
    windowMs: 60_000,
    limit: Number(limit),
    purpose: "person",
    stepMs: 1,
    floors: { person: 0, board: 0 },
    leave: 0,
    weight: 1,
  });
  taken += Number(result.taken);
}
