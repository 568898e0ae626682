// The process that runs the jobs is suspended for a minute, idle or while it sends, and then continues.
import { expect, it } from "vitest";
import { findPostgres } from "../support/databases.ts";
import { runFreeze } from "../support/frozen-leader.ts";

const FROZEN_MS = 60_000;
const postgres = await findPostgres();

it.skipIf(postgres.missing !== undefined).each([
  { isSending: false, held: 0 },
  // Two posts and two edits.
  { isSending: true, held: 4 },
])(
  "a leader that is suspended for a minute loses the jobs, and repeats nothing when it continues (%j)",
  { timeout: 400_000 },
  async ({ isSending, held }) => {
    await using database = await postgres.create();
    const report = await runFreeze(database.url, { frozenMs: FROZEN_MS, isSending });
    const { answer, ...figures } = report;
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(figures).toMatchObject({ broken: [], olderEdits: 0, hasHandedOver: true, unanswered: held });
    expect(answer).toMatch(/^### Departures from York/);
    expect(figures.slotsMeanwhile).toBeGreaterThan(0);
    expect(figures.frozenMs).toBeGreaterThanOrEqual(FROZEN_MS);
  },
);
