// The process that runs the jobs is suspended for longer than its lease, then continues. test/long suspends it for a
// minute.
import { expect, it } from "vitest";
import { findPostgres } from "../support/databases.ts";
import { runFreeze } from "../support/frozen-leader.ts";
import { reportChecks } from "../support/checked-world.ts";

reportChecks();

const postgres = await findPostgres();

it.skipIf(postgres.missing !== undefined)(
  "a leader that is suspended loses the jobs, and repeats nothing when it continues",
  { timeout: 180_000 },
  async () => {
    await using database = await postgres.create();
    const report = await runFreeze(database.url, { frozenMs: 0, isSending: false });
    expect(report).toMatchObject({ broken: [], olderEdits: 0, hasHandedOver: true });
    expect(report.answer).toMatch(/^### Departures from York/);
    expect(report.slotsMeanwhile).toBeGreaterThan(0);
  },
);
