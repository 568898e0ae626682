// Videos of two bots on one PostgreSQL: if one is killed during an upload, the other continues it, and the video is
// published once.
import { expect, it } from "vitest";
import type { BotControl } from "../../sandbox/bot/control.ts";
import type { Channel } from "../../sandbox/discord/entities.ts";
import { openBoardFleet } from "../support/board-fleet.ts";
import { findPostgres } from "../support/databases.ts";
import { reportChecks } from "../support/checked-world.ts";
import { until } from "../support/until.ts";
import { createPassingTime } from "../support/video-time.ts";
import { film, waitForText } from "../support/video-world.ts";

reportChecks();

const postgres = await findPostgres();

it.skipIf(postgres.missing !== undefined)(
  "two bots publish each video of both servers once, whichever of them is killed during an upload",
  { timeout: 120_000 },
  async () => {
    await using database = await postgres.create();
    await using fleet = await openBoardFleet(database.url, {
      env: { VIDEO_UPLOAD: "chunked" },
      video: { windowBytes: () => 15_000 },
      settings: { buckets: { "*": { limit: 1_000, windowMs: 1_000 } } },
    });
    const { world, bots, elsewhere } = fleet;
    const time = createPassingTime(world, bots);
    const grace = world.member("Grace");
    const published = (channel: Channel, title: string) =>
      grace.messages(channel).filter(({ text }) => text.includes(title) && text.includes("✅ Published"));

    async function publishThroughDeath(
      bot: BotControl,
      channel: Channel,
      title: string,
      fault: { readonly path: RegExp; readonly do: "hang" | "hang-after" },
    ): Promise<void> {
      const held = world.video.faults.add(fault);
      const card = await grace.slash(channel, "video publish", { file: film(), title });
      await grace.click(card.message, "Publish now");
      expect(await time.until(() => held.hits > 0)).toBe(true);
      await bot.kill();
      // The killed bot had the upload: nobody waits for the answer any more.
      await until(() => !world.video.calls.isAwaited(Infinity));
      held.remove();
      expect(await time.until(() => published(channel, title).length > 0)).toBe(true);
      // The other bot has published it, because this one is still down.
      expect(bot.isRunning).toBe(false);
      await fleet.restart(bot);
    }

    const [first, second] = bots;
    const { general } = world.channels;
    await publishThroughDeath(first, general, "One", { path: /transfer$/, do: "hang" });
    await publishThroughDeath(second, elsewhere, "Two", { path: /finish$/, do: "hang-after" });

    expect(world.video.videos().map(({ title }) => title)).toEqual(["One", "Two"]);
    for (const [channel, title] of [
      [general, "One"],
      [elsewhere, "Two"],
    ] as const) {
      const own = grace.messages(channel).filter(({ author, ephemeral }) => author.bot && !ephemeral);
      expect(own).toHaveLength(1);
      expect(published(channel, title)).toHaveLength(1);
    }

    // A video in a direct message reaches the first bot; the second one looks after the server.
    const dm = grace.dm();
    await grace.attach(dm, "", [film("By_letter.mp4")]);
    const choice = await waitForText(world, grace, dm, /Which server is it for/);
    const chosen = await grace.select(choice, "Pick a server…", ["Elsewhere"]);
    expect(chosen.text).toContain("Publish “By letter”?");
    await grace.click(chosen.message, "Publish now");
    expect(await time.until(() => published(dm, "By letter").length > 0)).toBe(true);
    expect(world.video.videos()).toHaveLength(3);
  },
);
