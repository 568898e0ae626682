// Servers that the bot is removed from: remembered, spared for a week, then erased.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openJudgedWorld, reportJudgement } from "../support/judged-world.ts";

reportJudgement();

const DAY_MS = 24 * 3_600_000;

it("erases a server a week after the bot was removed, and no other", async () => {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-guilds-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = { DATABASE_URL: `sqlite:${join(folder, "signalbox.db")}` };
  await using world = await openJudgedWorld({ bot: "process", env });
  const memberIds = [world.member("Ada").id];
  const gone = world.discord.addGuild({ name: "Gone", memberIds });
  const away = world.discord.addGuild({ name: "Away", memberIds });
  world.discord.removeGuild(away, { unavailable: true });
  world.discord.removeGuild(gone);
  const linesAbout = (guildId: string, what: string) =>
    world.bot.log.filter((line) => line.includes(guildId) && line.includes(what));
  await expect.poll(() => linesAbout(gone.id, "left a server")).toHaveLength(1);

  for (const [afterMs, erased] of [
    [6 * DAY_MS, 0],
    [1 * DAY_MS, 1],
    [1 * DAY_MS, 1],
  ] as const) {
    await world.bot.stop();
    await world.clock.advance(afterMs);
    await world.bot.start();
    expect(linesAbout(gone.id, "was erased")).toHaveLength(erased);
  }
  expect(linesAbout(away.id, "left a server")).toEqual([]);
});
