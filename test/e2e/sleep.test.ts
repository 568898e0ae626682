// A machine that sleeps for days and wakes: the bot's process is suspended while time passes at Discord.
import { describe, expect, it } from "vitest";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

const MINUTE_MS = 60_000;
const SLEEP_MS = 3 * 24 * 60 * MINUTE_MS;

/** Real milliseconds: less than any wait for a timer takes, but enough for a busy machine. */
const AT_ONCE = { deadlineMs: 2_500 };

describe.each(["kept", "broken"])(
  "a machine that slept for three days, with its connection %s",
  (connection) => {
    it("answers members at once, and posts no slot late", async () => {
      await using world = await openCheckedWorld({ bot: "process", at: "2026-11-18T17:20:00Z" });
      const { trains } = world.channels;
      const [ada, grace] = [world.member("Ada"), world.member("Grace")];
      /** The messages that answer no interaction. */
      const posts = () =>
        world
          .member("Mary")
          .messages(trains)
          .filter(({ because }) => because === undefined);
      const asked = await grace.slash(trains, "board subscribe", {
        station: "York",
        every: "5",
        mode: "post",
      });
      await grace.click(asked.message, "Save");
      await world.clock.advance(5 * MINUTE_MS);
      await world.bot.tick();
      expect(posts()).toHaveLength(1);
      await world.clock.advance(3 * MINUTE_MS);

      const { pid } = world.bot;
      if (pid === undefined) {
        throw new Error("the bot has no process of its own");
      }
      process.kill(pid, "SIGSTOP");
      const sleeping = world.clock.advance(SLEEP_MS);
      if (connection === "broken") {
        world.discord.gateway.dropSockets();
      }
      process.kill(pid, "SIGCONT");
      await sleeping;
      await expect.poll(() => world.discord.gateway.hasSession(undefined)).toBe(true);

      const answer = await ada.slash(trains, "departures", { station: "York", view: "text" }, AT_ONCE);
      expect(answer.text).toContain("Departures from York");
      await world.bot.tick();
      expect(posts()).toHaveLength(1);
      await world.clock.advance(2 * MINUTE_MS);
      await world.bot.tick();
      expect(posts()).toHaveLength(2);
      expect(posts().at(-1)?.text).toMatch(/As of 17:30/);
      const list = await grace.slash(trains, "board list", {}, AT_ONCE);
      const week = await grace.click(list.message, "Last 7 days");
      expect(week.text).toMatch(/missed, because I was offline/);
    });
  },
);
