// A bad morning of one train: its watcher is told each thing once, line by line, whatever is killed or lost in between.
import { describe, expect, it } from "vitest";
import type { World } from "../../sandbox/world.ts";
import { reportChecks } from "../support/checked-world.ts";
import {
  becomesTrue,
  counts,
  countSounds,
  DATE,
  EDITING,
  expected,
  playMorning,
  tickUntil,
  MINUTE_MS,
  MORNING,
  openFolder,
  openMorning,
  POSTING,
  SOUNDS,
  told,
  UID,
} from "../support/watch-morning.ts";
import { watchSettled } from "../support/until.ts";

reportChecks();

/** Subscribes #trains to a board of the same trains, as Grace. */
async function subscribe(world: World): Promise<void> {
  const grace = world.member("Grace");
  const options = { station: "York", to: "Leeds", every: "1", view: "text" };
  const asked = await grace.slash(world.channels.trains, "board subscribe", options);
  await grace.click(asked.message, "Save");
}

const boardsOf = (world: World) => world.member("Ada").messages(world.channels.trains);

/** Removes what only rail data says: the reason for a delay, and the second end of a train that divides. */
function withoutExtras(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => !line.startsWith("-# Because of"))
    .map((line) => line.replace(" and Manchester Victoria", ""));
}

describe("a bad morning", () => {
  it("is reported in one message, line by line, with a sound for the delay and one for the cancellation", async () => {
    await using world = await openMorning();
    const sounds = countSounds(world);
    expect(await playMorning(world)).toEqual(MORNING.map(expected));
    expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
    expect(sounds()).toBe(SOUNDS);
    const list = await world.member("Mary").slash(world.channels.trains, "watch list");
    expect(list.text).toMatch(/You're not watching anything yet/);
  });

  it("is reported the same way if boards do not identify trains", async () => {
    await using world = await openMorning({ TRANSPORT_DIALECT: "specification" });
    expect(await playMorning(world)).toEqual(MORNING.map(expected));
    expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
  });

  it("is not reported to a person who chose to watch the replacement bus", async () => {
    await using world = await openMorning({}, "inside", []);
    world.transport.trains.order(UID, DATE, { bus: true });
    await tickUntil(world, "08:00");
    const mary = world.member("Mary");
    const options = { station: "York", view: "text" };
    const board = await mary.slash(world.channels.trains, "departures", options);
    const card = await mary.select(board.message, "Open a train…", ["08:16 Liverpool Lime Street"]);
    expect(card.text).toContain("bus");
    await mary.click(card.message, "Watch");
    await tickUntil(world, "08:05");
    expect(told(world)).toEqual([]);
  });

  it("is not reported to a person who chose the bus from several trains", async () => {
    await using world = await openMorning({}, "inside", []);
    world.transport.trains.order(UID, DATE, { bus: true });
    await tickUntil(world, "08:00");
    const mary = world.member("Mary");
    const around = { station: "York", to: "Leeds", time: "8:10" };
    const several = await mary.slash(world.channels.trains, "watch train", around);
    const preview = await mary.select(several.message, "Pick a train…", ["08:16 Liverpool Lime Street"]);
    await mary.click(preview.message, "Save");
    await tickUntil(world, "08:05");
    expect(told(world)).toEqual([]);
  });

  it("names a replacement bus in the preview, and finds it again if boards do not identify trains", async () => {
    await using world = await openMorning({ TRANSPORT_DIALECT: "specification" }, "inside", []);
    world.transport.trains.order(UID, DATE, { bus: true });
    await tickUntil(world, "08:00");
    const mary = world.member("Mary");
    const options = { station: "York", to: "Liverpool", time: "8:16" };
    const preview = await mary.slash(world.channels.trains, "watch train", options);
    expect(preview.text).toContain("🚌 This is a replacement bus.");
    await mary.click(preview.message, "Save");
    await tickUntil(world, "08:10");
    expect(told(world)).toEqual([]);
  });

  it("is reported the same way by rail data, and a board shows it", async () => {
    await using world = await openMorning({}, "inside", ["Mary"], ["rail-data"]);
    await subscribe(world);
    expect((await playMorning(world)).map(withoutExtras)).toEqual(MORNING.map(expected));
    expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
    expect(boardsOf(world)).toMatchObject([
      { text: expect.stringMatching(/As of 08:\d\d .* Rail Delivery Group/) },
    ]);
  });

  it("is reported the same way, also on a board, if rail data fails in the middle and recovers", async () => {
    await using world = await openMorning({}, "inside", ["Mary"], ["transport", "rail-data"]);
    const { railData } = world;
    await subscribe(world);
    const sources: (string | undefined)[] = [];
    const read = await playMorning(world, async ({ time }) => {
      const boards = boardsOf(world);
      expect(boards).toHaveLength(time === "07:20" ? 0 : 1);
      // Nothing else is asked while rail data answers.
      expect(world.transport.ledger.length > 0).toBe(time > "07:40");
      sources.push(...boards.map(({ text }) => /transportapi|Rail Delivery Group/.exec(text)?.[0]));
      if (time === "07:40") {
        railData.faults.add({ path: /./, do: "503", times: Infinity });
      } else if (time === "08:00") {
        railData.faults.clear();
      }
    });
    expect(read.map(withoutExtras)).toEqual(MORNING.map(expected));
    expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
    const [railway, other] = ["Rail Delivery Group", "transportapi"];
    expect(sources).toEqual([railway, railway, other, other, other, railway, railway]);
  });

  it("is reported the same way if the bot restarts before every step", async () => {
    await using folder = await openFolder();
    await using world = await openMorning({ DATABASE_URL: folder.url });
    const sounds = countSounds(world);
    const read = await playMorning(world, async () => {
      await world.bot.stop();
      await world.bot.start();
    });
    expect(read).toEqual(MORNING.map(expected));
    expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
    expect(sounds()).toBe(SOUNDS);
  });

  it.each(["drop-after", "500"] as const)(
    "is reported the same way if Discord's answer to every step meets the fault %s",
    async (fault) => {
      await using world = await openMorning();
      const sounds = countSounds(world);
      const read = await playMorning(world, async () => {
        world.discord.faults.add({ ...POSTING, do: fault });
        world.discord.faults.add({ ...EDITING, do: fault });
      });
      expect(read).toEqual(MORNING.map(expected));
      expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
      expect(sounds()).toBe(SOUNDS);
    },
  );

  it("is reported the same way if the bot is killed while it reports the first and the last step", async () => {
    await using folder = await openFolder();
    await using world = await openMorning({ DATABASE_URL: folder.url }, "process");
    const steps = MORNING.filter(({ says }) => says.length > 0);
    const deadly = new Set([steps.at(0), steps.at(-1)]);
    const read = await playMorning(world, async (step) => {
      if (!deadly.has(step)) {
        return;
      }
      const isFirst = told(world).length === 0;
      const hung = world.discord.faults.add({ ...(isFirst ? POSTING : EDITING), do: "hang-after" });
      // The service is asked again within two minutes.
      for (let minutes = 0; minutes < 2 && hung.hits === 0; minutes += 1) {
        await world.clock.advance(MINUTE_MS);
        // If the request hangs, the tick never ends: the bot is killed in the middle of it.
        const isOver = watchSettled(world.tick());
        await becomesTrue(() => isOver() || hung.hits > 0, 10_000);
      }
      expect(hung.hits).toBe(1);
      await world.bot.kill();
      hung.remove();
      await world.bot.start();
    });
    expect(read).toEqual(MORNING.map(expected));
    expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
    expect(world.bot.log.filter((line) => line.includes("message recovered"))).toHaveLength(1);
  }, 180_000);
});
