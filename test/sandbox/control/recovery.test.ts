// The fault switches of a server, each turned on for one call that a member's command causes; afterwards the bot answers
// as before.
import sharp from "sharp";
import { expect, it } from "vitest";
import type { FaultState, Target } from "../../../sandbox/control/api/faults.ts";
import { readSample } from "../../../sandbox/page/read-sample.ts";
import { openWorld, type World } from "../../../sandbox/world.ts";
import { openControl, type Control } from "./ask-control.ts";

/** Longer than any service asks the bot to wait. */
const LATER_MS = 2 * 3_600_000;

/** Real milliseconds to wait for an answer that a fault may prevent. */
const WAIT = { deadlineMs: 6_000 };

/** Real milliseconds for a try, and for what follows once the member has an answer. */
const TRY_MS = 15_000;
const SOON_MS = 4_000;

/** How often a member tries: a service that asked the bot to wait is not asked at once. */
const TRIES = 6;

/** None of these stations was asked for before, so each question goes upstream. */
const STATIONS = ["Leeds", "Hull", "Derby", "Crewe", "Ely", "Bath Spa", "Stafford", "Selby", "Malton"];

const film = await readSample("passing-train.mp4");
const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: "teal" } })
  .jpeg()
  .toBuffer();

/** What a member does to cause a call of a service; `round` counts from 0. It may fail or never be answered. */
type Meet = (world: World, round: number) => Promise<unknown>;

const askAbout: Meet = (world) => world.member("Ada").slash(world.channels.general, "about", {}, WAIT);

const TARGETS: Partial<Readonly<Record<Target, Meet>>> = {
  discord: askAbout,
  gateway: askAbout,
  transport: (world, round) => {
    const station = STATIONS[round % STATIONS.length] ?? "";
    return world.member("Ada").slash(world.channels.general, "departures", { station }, WAIT);
  },
  style: (world) => {
    const image = { name: "sea.jpg", bytes: picture };
    return world.member("Ada").slash(world.channels.general, "style", { image, style: "watercolour" }, WAIT);
  },
  video: async (world, round) => {
    const ada = world.member("Ada");
    const file = { name: `train-${round}.mp4`, bytes: film };
    const card = await ada.slash(world.channels.general, "video publish", { file }, WAIT);
    await ada.click(card.message, "Publish now", WAIT);
  },
};

it.each(Object.entries(TARGETS))("the bot continues after each one-off fault of %s", async (target, meet) => {
  await using world = await openWorld({ clock: "running" });
  await using control = await openControl(world);
  world.style.canned = picture;
  const { switches: all } = await control.get<FaultState>("/faults");
  const switches = all.filter((one) => one.target === target && one.kind === "lasting");
  expect(switches).not.toEqual([]);
  const acts: Promise<unknown>[] = [];
  for (const { id } of switches) {
    await control.post("/faults", { switchId: id, times: 1 });
    for (let isMet = false, tries = 1; !isMet; tries += 1) {
      expect(tries, `${id} is not met`).toBeLessThanOrEqual(TRIES);
      const act = meet(world, acts.length).catch(() => undefined);
      acts.push(act);
      // A deferred answer comes before the call, so the clock waits for the call too.
      isMet = await Promise.race([isOver(control, TRY_MS), act.then(() => isOver(control, SOON_MS))]);
      await world.clock.advance(LATER_MS);
    }
  }
  await Promise.all(acts);
  const { text } = await world.member("Ada").slash(world.channels.general, "help");
  expect(text).toContain("departures");
});

/** Whether the fault has affected its call within this time, in real milliseconds. */
function isOver(control: Control, timeout: number): Promise<boolean> {
  return expect
    .poll(async () => (await control.get<FaultState>("/faults")).active, { timeout })
    .toEqual([])
    .then(
      () => true,
      () => false,
    );
}
