// A bad morning of one train, turned by the signaller of the stand-in: what its watcher is told, line by line, and told
// once, whatever dies and whatever is lost in between.
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { BotPlace } from "../../sandbox/bot/control.ts";
import type { TrainOrder } from "../../sandbox/transport/railway/orders.ts";
import type { World } from "../../sandbox/world.ts";
import { openJudgedWorld, reportJudgement } from "../support/judged-world.ts";

reportJudgement();

const MINUTE_MS = 60_000;
const DATE = "2026-11-18";
/** York 08:16 to Liverpool by way of Leeds, from platform 6. */
const UID = "W48723";
/** A message that makes no sound. */
const SILENT = 1 << 12;

const HEAD = "### 08:16 York → Leeds, Wed 18 Nov";
const BUTTONS = "[⏸️ Pause] [⏹️ Stop]";
const OVER = "-# I watch it no longer.";

const POSTING = { method: "POST", path: "/channels/:c/messages" };
const EDITING = { method: "PATCH", path: "/channels/:c/messages/:m" };

interface Step {
  /** When it is looked at; what was ordered holds since the step before. */
  readonly time: string;
  readonly order: TrainOrder;
  /** What the message says between its heading and its buttons; empty where there is none. */
  readonly says: readonly string[];
}

/** Late, later, another platform, cancelled, recovered, replaced by a bus, gone. */
const MORNING: readonly Step[] = [
  { time: "07:20", order: { delayMinutes: 4 }, says: [] },
  {
    time: "07:30",
    order: { delayMinutes: 7 },
    says: ["**7 min late**, expected at **08:23** from platform 6."],
  },
  {
    time: "07:40",
    order: { delayMinutes: 14 },
    says: ["**14 min late**, expected at **08:30** from platform 6."],
  },
  {
    time: "07:48",
    order: { platforms: { YRK: "9" } },
    says: ["**14 min late**, expected at **08:30** from platform 9.", "**Platform 9** instead of 6."],
  },
  {
    time: "07:54",
    order: { cancelled: true },
    says: ["**Cancelled**.", "The next that runs: **08:17** to Blackpool North, on time from platform 8."],
  },
  {
    time: "08:00",
    order: { cancelled: false, delayMinutes: 0, platforms: { YRK: "6" } },
    says: ["✅ **All is well again**: on time from platform 6."],
  },
  { time: "08:08", order: { bus: true }, says: ["🚌 **A bus runs instead** at 08:16."] },
  { time: "08:20", order: {}, says: ["The bus in its place has left.", OVER] },
];

/** A world in which Mary watches the train, with a ping, and its train runs to time. */
async function openMorning(
  env: Readonly<Record<string, string>> = {},
  bot: BotPlace = "inside",
): Promise<World> {
  const world = await openJudgedWorld({
    bot,
    at: `${DATE}T07:10:00Z`,
    env: { TRANSPORT_DIALECT: "public", ...env },
  });
  const mary = world.member("Mary");
  world.transport.trains.order(UID, DATE, { delayMinutes: 0 });
  const options = { station: "York", time: "8:16", to: "Leeds", ping: true };
  const asked = await mary.slash(world.channels.trains, "watch train", options);
  await mary.click(asked.message, "Save");
  await world.tick();
  return world;
}

/** Lets minutes pass, as the bot lives through them. */
async function liveUntil(world: World, time: string): Promise<void> {
  const endMs = Date.parse(`${DATE}T${time}:00Z`);
  while (world.clock.now() < endMs) {
    await world.clock.set(Math.min(endMs, (Math.floor(world.clock.now() / MINUTE_MS) + 1) * MINUTE_MS));
    await tick(world);
  }
}

/** A tick that waits for time to pass before it tries something again gets it, a second after the other. */
async function tick(world: World): Promise<void> {
  let isOver = false;
  const ticking = world.tick().finally(() => (isOver = true));
  while (!(await comesTrue(() => isOver, 200))) {
    await world.clock.advance(1_000);
  }
  await ticking;
}

/** Waits in real time; says whether it came true. */
async function comesTrue(isSo: () => boolean, timeoutMs: number): Promise<boolean> {
  try {
    await vi.waitUntil(isSo, { timeout: timeoutMs, interval: 2 });
    return true;
  } catch {
    return false;
  }
}

/** What the messages after the first one say to Mary, line by line; the age of the data is left out. */
function told(world: World): readonly string[] {
  const mary = world.member("Mary");
  const lines = world.transcript(mary.dm(), mary).map((line) => line.trim());
  const second = lines.findIndex((line, index) => index > 0 && line.startsWith("Signalbox"));
  return second < 0 ? [] : lines.slice(second + 1).filter((line) => !line.startsWith("-# As of"));
}

/** How a step is to be read there. */
function expected({ says }: Step): readonly string[] {
  return says.length === 0 ? [] : [HEAD, ...says, ...(says.includes(OVER) ? [] : [BUTTONS])];
}

/** Messages beside the first one, and how many of them made a sound. */
function counts(world: World): { readonly messages: number; readonly sounds: number } {
  const mary = world.member("Mary");
  const [, ...messages] = mary.messages(mary.dm());
  const sounds = messages.filter(({ flags }) => (flags & SILENT) === 0).length;
  return { messages: messages.length, sounds };
}

/** A database that outlives its bot. */
async function openFolder() {
  const folder = await mkdtempDisposable(join(tmpdir(), "signalbox-watch-"));
  return { url: `sqlite:${join(folder.path, "signalbox.db")}`, [Symbol.asyncDispose]: () => folder.remove() };
}

/** Lives through the whole morning; gives what was to be read at the end of each step. */
async function live(
  world: World,
  before?: (step: Step) => Promise<void>,
): Promise<readonly (readonly string[])[]> {
  const read: (readonly string[])[] = [];
  for (const step of MORNING) {
    world.transport.trains.order(UID, DATE, step.order);
    await before?.(step);
    await liveUntil(world, step.time);
    read.push(told(world));
  }
  return read;
}

describe("a bad morning", () => {
  it("is told in one message with one sound, line by line", async () => {
    await using world = await openMorning();
    expect(await live(world)).toEqual(MORNING.map(expected));
    expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
    const list = await world.member("Mary").slash(world.channels.trains, "watch list");
    expect(list.text).toMatch(/You watch nothing yet/);
  });

  it("is told so where the board gives trains no names", async () => {
    await using world = await openMorning({ TRANSPORT_DIALECT: "specification" });
    const read = await live(world);
    expect(read.slice(0, 6)).toEqual(MORNING.slice(0, 6).map(expected));
    expect(read[6]).toContain("🚌 **A bus runs instead** at 08:16.");
    // It does not tell when a bus has left.
    await liveUntil(world, "08:25");
    expect(told(world)).toEqual(MORNING.slice(-1).flatMap(expected));
    expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
  });

  it("is told so where the bot starts anew before every step", async () => {
    await using folder = await openFolder();
    await using world = await openMorning({ DATABASE_URL: folder.url });
    const read = await live(world, async () => {
      await world.bot.stop();
      await world.bot.start();
    });
    expect(read).toEqual(MORNING.map(expected));
    expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
  });

  it.each(["500-after", "drop-after", "500", "drop"] as const)(
    "is told so where Discord's answer to every step meets %s",
    async (fault) => {
      await using world = await openMorning();
      const read = await live(world, async () => {
        world.discord.faults.add({ ...POSTING, do: fault });
        world.discord.faults.add({ ...EDITING, do: fault });
      });
      expect(read).toEqual(MORNING.map(expected));
      expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
    },
  );

  it("is told so where the bot is killed while it tells each step", async () => {
    await using folder = await openFolder();
    await using world = await openMorning({ DATABASE_URL: folder.url }, "process");
    const read = await live(world, async ({ says }) => {
      if (says.length === 0) {
        return;
      }
      const isFirst = told(world).length === 0;
      const hung = world.discord.faults.add({ ...(isFirst ? POSTING : EDITING), do: "hang-after" });
      // The service is asked again within two minutes.
      for (let minutes = 0; minutes < 2 && hung.met === 0; minutes += 1) {
        await world.clock.advance(MINUTE_MS);
        let isOver = false;
        // Where it hangs it never ends: the bot is killed in the middle of it.
        void world.tick().then(
          () => (isOver = true),
          () => (isOver = true),
        );
        await comesTrue(() => isOver || hung.met > 0, 10_000);
      }
      expect(hung.met).toBe(1);
      await world.bot.kill();
      hung.remove();
      await world.bot.start();
    });
    expect(read).toEqual(MORNING.map(expected));
    expect(counts(world)).toEqual({ messages: 1, sounds: 1 });
    expect(world.bot.log.filter((line) => line.includes("was found again"))).toHaveLength(1);
  }, 180_000);
});
