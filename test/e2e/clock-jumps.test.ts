// The clock of the bot's machine jumps: members are answered, and boards, watches and videos continue.
import { describe, expect, it } from "vitest";
import { reportChecks } from "../support/checked-world.ts";
import { openJumpWorld } from "../support/jump-world.ts";
import { film } from "../support/video-world.ts";

reportChecks();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const JUMPS = [
  ["ahead by ten days", 10 * DAY_MS],
  ["back by an hour", -HOUR_MS],
] as const;

/** Real milliseconds within which a member must be answered. */
const AT_ONCE = { deadlineMs: 1_000 };

/** A time at which nothing is due. */
const EVENING = "2026-11-18T17:20:00Z";
const MORNING = "2026-11-18T07:20:00Z";

/** The 08:16 from York to Liverpool via Leeds, on weekdays. */
const UID = "W48723";

describe.each(JUMPS)("after a clock has jumped %s", (_, jumpMs) => {
  it("members are answered at once, with cached and with new data", async () => {
    await using all = await openJumpWorld({ jumpMs });
    const { world, jump } = all;
    const ada = world.member("Ada");
    const { trains } = world.channels;
    await ada.slash(trains, "departures", { station: "YRK" });
    await ada.slash(trains, "about");
    await jump();
    const known = await ada.slash(trains, "departures", { station: "YRK" }, AT_ONCE);
    expect(known.text).toContain("York");
    expect((await ada.slash(trains, "arrivals", { station: "LDS" }, AT_ONCE)).text).toContain("Leeds");
    const about = await ada.slash(trains, "about", {}, AT_ONCE);
    expect(about.text).toMatch(/Uptime\*\* less than a minute/);
    expect((await ada.click(known.message, "Refresh", AT_ONCE)).text).toContain("York");
  });

  it("skipped slots of boards are not posted late, and the next one is posted", async () => {
    await using all = await openJumpWorld({ jumpMs, at: EVENING });
    const { world, jump, pass, tick } = all;
    const grace = world.member("Grace");
    const { trains } = world.channels;
    const options = { station: "York", every: "5", mode: "post", view: "text" };
    const asked = await grace.slash(trains, "board subscribe", options);
    await grace.click(asked.message, "Save");
    await pass(8 * MINUTE_MS);
    const posted = () => world.member("Mary").messages(trains).length;
    // The first one was posted when the board was saved.
    expect(posted()).toBe(2);
    await jump();
    await tick();
    await pass(MINUTE_MS);
    expect(posted()).toBe(2);
    await pass(MINUTE_MS);
    expect(posted()).toBe(3);
    await pass(10 * MINUTE_MS);
    expect(posted()).toBe(5);
    expect(world.member("Mary").messages(trains).at(-1)?.text).toMatch(/As of 17:40/);
  });

  it("a video that is being processed is reported once it is published", async () => {
    await using all = await openJumpWorld({ jumpMs, video: { processingMs: 40_000 } });
    const { world, jump, pass, passUntil } = all;
    const grace = world.member("Grace");
    const { general } = world.channels;
    const card = await grace.slash(general, "video publish", { file: film() });
    await grace.click(card.message, "Publish now");
    await passUntil(grace, general, /Uploaded\. Processing/);
    await jump();
    await pass(2 * MINUTE_MS);
    expect(grace.messages(general).at(-1)?.text).toMatch(/Published/);
    expect(world.video.videos()).toHaveLength(1);
  });

  it("a scheduled video is published once", async () => {
    await using all = await openJumpWorld({ jumpMs });
    const { world, jump, pass, passUntil } = all;
    const grace = world.member("Grace");
    const { general } = world.channels;
    const card = await grace.slash(general, "video publish", { file: film(), publish_at: "in 30 minutes" });
    await grace.click(card.message, "Schedule");
    await passUntil(grace, general, /Ready\. It goes out/);
    await jump();
    // After a jump back, the video waits for its original time, which is now up to 90 minutes away.
    await pass(jumpMs > 0 ? MINUTE_MS : 100 * MINUTE_MS);
    expect(grace.messages(general).at(-1)?.text).toMatch(/Published/);
    expect(world.video.videos()).toHaveLength(1);
  });
});

it.each([["ahead by a day", DAY_MS] as const, ...JUMPS])(
  "after a clock has jumped %s, a watch continues, with one message for each day",
  async (_, jumpMs) => {
    await using all = await openJumpWorld({ jumpMs, at: MORNING });
    const { world, jump, pass } = all;
    const mary = world.member("Mary");
    const way = { from: "York", to: "Leeds", hours: "07:00-09:30" };
    const asked = await mary.slash(world.channels.trains, "watch commute", way);
    await mary.click(asked.message, "Save");
    const late = (date: string, delayMinutes: number) =>
      world.transport.trains.order(UID, date, { delayMinutes });
    late("2026-11-18", 14);
    await pass(5 * MINUTE_MS);
    const told = () => mary.messages(mary.dm()).map(({ text }) => text);
    expect(told()).toEqual([expect.anything(), expect.stringMatching(/Wed 18 Nov\n.*\*\*14 min late/)]);
    late("2026-11-18", 25);
    late("2026-11-19", 7);
    await jump();
    await pass(5 * MINUTE_MS);
    const [, first = "", ...others] = told();
    // The tenth day is a Saturday, when nothing is watched. Trains that left long ago are not reported.
    const next = [expect.stringMatching(/Thu 19 Nov\n.*\*\*7 min late/)];
    expect(others).toEqual(jumpMs === DAY_MS ? next : []);
    expect(first).toMatch(jumpMs < 0 ? /\*\*25 min late/ : /14 min late/);
  },
);

describe.each(JUMPS)("while a clock is wrong after a jump %s", (_, jumpMs) => {
  it("members are answered at once, although their interactions are from another time", async () => {
    await using all = await openJumpWorld({ jumpMs: 0, at: EVENING });
    const { world, setWrong, pass } = all;
    const ada = world.member("Ada");
    const { trains } = world.channels;
    await ada.slash(trains, "departures", { station: "YRK", view: "text" });
    await setWrong(jumpMs);
    for (const station of ["YRK", "LDS", "MAN"]) {
      const asked = { station, view: "text" };
      expect((await ada.slash(trains, "departures", asked, AT_ONCE)).text).toMatch(/Departures/);
      await pass(MINUTE_MS);
    }
    expect((await ada.slash(trains, "help", {}, AT_ONCE)).text).not.toBe("");
  });

  it("boards continue on schedule once it is right again", async () => {
    await using all = await openJumpWorld({ jumpMs: 0, at: EVENING });
    const { world, setWrong, pass } = all;
    const grace = world.member("Grace");
    const { trains } = world.channels;
    const options = { station: "York", every: "5", mode: "post", view: "text" };
    const asked = await grace.slash(trains, "board subscribe", options);
    await grace.click(asked.message, "Save");
    const posts = () => world.member("Mary").messages(trains);
    await pass(8 * MINUTE_MS);
    await setWrong(jumpMs);
    await pass(20 * MINUTE_MS);
    await setWrong(-jumpMs);
    const before = posts().length;
    // The clock is right again at 17:48; the next slots are 17:50 and 17:55.
    await pass(10 * MINUTE_MS);
    expect(posts()).toHaveLength(before + 2);
    expect(posts().at(-1)?.text).toMatch(/As of 17:55/);
  });

  it.runIf(jumpMs > 0)("a video that is published meanwhile is reported", async () => {
    await using all = await openJumpWorld({ jumpMs: 0 });
    const { world, setWrong, pass, passUntil } = all;
    const grace = world.member("Grace");
    const { general } = world.channels;
    const card = await grace.slash(general, "video publish", { file: film(), publish_at: "in 30 minutes" });
    await grace.click(card.message, "Schedule");
    await passUntil(grace, general, /Ready\. It goes out/);
    await setWrong(jumpMs);
    await pass(HOUR_MS);
    expect(grace.messages(general).at(-1)?.text).toMatch(/Published/);
    expect(world.video.videos()).toHaveLength(1);
  });
});
