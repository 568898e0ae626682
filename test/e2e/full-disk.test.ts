// The bot on a disk that fills up.
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { mountSmallDisk } from "../support/small-disk.ts";

reportChecks();

it("tells members that its disk is full, logs it once, and recovers when there is space", async ({
  skip,
}) => {
  await using parent = await mkdtempDisposable(join(tmpdir(), "signalbox-full-disk-"));
  await using disk = await mountSmallDisk(parent.path);
  if (disk === undefined) {
    skip("this user may not mount a disk");
    return;
  }
  const env = { DATABASE_URL: `sqlite:${join(disk.folder, "signalbox.db")}` };
  await using world = await openCheckedWorld({ env, clock: "running" });
  const ask = (command: string, options = {}) =>
    world.member("Ada").slash(world.channels.trains, command, options);

  await disk.fill();
  const refused = await ask("departures", { station: "YRK" });
  expect(refused.message.ephemeral).toBe(true);
  expect(refused.text).toMatch(/^My disk is full/);
  expect((await ask("help")).text).not.toMatch(/disk/);
  const failed = world.bot.log.filter(
    (line) => line.includes("disk full") && line.includes('"task":"departures"'),
  );
  expect(failed).toHaveLength(1);
  expect(failed[0]).toContain("storage: unavailable: disk full");
  expect(world.transport.ledger).toHaveLength(0);

  await disk.free();
  expect((await ask("departures", { station: "YRK" })).text).toContain("York");
});
