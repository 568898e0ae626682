import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { replaceRows } from "../../src/storage/copy-rows.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openEngine } from "../../src/storage/open-engine.ts";

const surroundings = { clock: systemClock, log: createLog({ level: "silent", secrets: [] }) };

async function openEmpty() {
  const engine = await openEngine({ url: "sqlite::memory:", ...surroundings });
  onTestFinished(() => engine.queries.destroy());
  await migrate(engine, surroundings);
  return engine;
}

it("calls the guard again when the copy has been read, right before the commit", async () => {
  const [from, to] = [await openEmpty(), await openEmpty()];
  const acts: string[] = [];
  const rows: typeof to.rows = (...asked) => {
    acts.push("copy read");
    return to.rows(...asked);
  };
  const guard = async () => void acts.push("guard called");
  await replaceRows({ from, to: { ...to, rows }, tables: ["leftGuilds"], guard });
  expect(acts).toEqual(["guard called", "copy read", "guard called"]);
});
