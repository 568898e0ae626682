// A bad morning of one train, controlled through the stand-in's signaller, and the messages that its watchers get.
import { mkdtempDisposable } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import type { BotPlace } from "../../sandbox/bot/control.ts";
import type { SourceName } from "../../sandbox/options.ts";
import type { TrainOrder } from "../../sandbox/transport/railway/orders.ts";
import type { World } from "../../sandbox/world.ts";
import { tickThrough } from "./board-ticks.ts";
import { openCheckedWorld } from "./checked-world.ts";
import { MEMORY_FOLDER } from "./memory-folder.ts";

export const MINUTE_MS = 60_000;
export const DATE = "2026-11-18";
/** The 08:16 from York to Liverpool via Leeds, from platform 6. */
export const UID = "W48723";
/** The flag of a message without a notification sound. */
const SILENT = 1 << 12;

const HEAD = "### 08:16 York → Leeds, Wed 18 Nov";
const BUTTONS = "[⏸️ Pause] [⏹️ Stop]";
const OVER = "-# This watch is over.";

export const POSTING = { method: "POST", path: "/channels/:c/messages" };
export const EDITING = { method: "PATCH", path: "/channels/:c/messages/:m" };

export interface Step {
  /** The time at which the message is checked; the order applies since the previous step. */
  readonly time: string;
  readonly order: TrainOrder;
  /** The lines between the message's heading and its buttons; empty if there is no message. */
  readonly says: readonly string[];
}

/** The train is late, later, on another platform, cancelled, back to normal, replaced by a bus, gone. */
export const MORNING: readonly Step[] = [
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
    says: [
      "**Cancelled**.",
      "The next one that runs: **08:17** to Blackpool North, on time from platform 10.",
    ],
  },
  {
    time: "08:00",
    order: { cancelled: false, delayMinutes: 0, platforms: { YRK: "6" } },
    says: ["✅ **Back to normal**: on time from platform 6."],
  },
  { time: "08:08", order: { bus: true }, says: ["🚌 **A bus runs instead** at 08:16."] },
  { time: "08:20", order: {}, says: ["The replacement bus has left.", OVER] },
];

/** Opens a world in which Mary, or others, watch the train with a ping, and the train is on time. */
export async function openMorning(
  env: Readonly<Record<string, string>> = {},
  bot: BotPlace = "inside",
  names: readonly string[] = ["Mary"],
  sources: readonly SourceName[] = ["transport"],
): Promise<World> {
  const world = await openCheckedWorld({
    bot,
    sources,
    at: `${DATE}T07:10:00Z`,
    env: { TRANSPORT_DIALECT: "public", ...env },
  });
  world.transport.trains.order(UID, DATE, { delayMinutes: 0 });
  const options = { station: "York", time: "8:16", to: "Leeds", ping: true };
  for (const name of names) {
    const member = world.member(name);
    const asked = await member.slash(world.channels.trains, "watch train", options);
    await member.click(asked.message, "Save");
  }
  await world.tick();
  return world;
}

/** Advances the clock to a time, with a tick each minute. */
export async function tickUntil(world: World, time: string): Promise<void> {
  const endMs = Date.parse(`${DATE}T${time}:00Z`);
  while (world.clock.now() < endMs) {
    await world.clock.set(Math.min(endMs, (Math.floor(world.clock.now() / MINUTE_MS) + 1) * MINUTE_MS));
    await tickThrough(world);
  }
}

/** Waits in real time; returns whether the condition was met. */
export async function becomesTrue(isMet: () => boolean, timeoutMs: number): Promise<boolean> {
  try {
    await vi.waitUntil(isMet, { timeout: timeoutMs, interval: 2 });
    return true;
  } catch {
    return false;
  }
}

/** The lines of the messages to a member after the first one, without the age of the data. */
export function told(world: World, name = "Mary"): readonly string[] {
  const member = world.member(name);
  const lines = world.transcript(member.dm(), member).map((line) => line.trim());
  const second = lines.findIndex((line, index) => index > 0 && line.startsWith("Signalbox"));
  return second < 0 ? [] : lines.slice(second + 1).filter((line) => !line.startsWith("-# As of"));
}

/** The lines that a step must show. */
export function expected({ says }: Step): readonly string[] {
  return says.length === 0 ? [] : [HEAD, ...says, ...(says.includes(OVER) ? [] : [BUTTONS])];
}

/** Counts the messages besides the first one, and those of them with a sound. */
export function counts(world: World, name = "Mary"): { readonly messages: number; readonly sounds: number } {
  const member = world.member(name);
  const [, ...messages] = member.messages(member.dm());
  const sounds = messages.filter(({ flags }) => (flags & SILENT) === 0).length;
  return { messages: messages.length, sounds };
}

/** Counts the messages with a sound to a member from now on, including those that are deleted later. */
export function countSounds(world: World, name = "Mary"): () => number {
  const { id: channelId } = world.member(name).dm();
  let sounds = 0;
  world.discord.changes.listen((change) => {
    if (change.type === "message-created" && change.message.channelId === channelId) {
      sounds += Number((change.message.flags & SILENT) === 0);
    }
  });
  return () => sounds;
}

/** The sounds of a morning: when the train is late, and when it is cancelled. */
export const SOUNDS = 2;

/** Creates a database that outlives its bot. */
export async function openFolder() {
  const folder = await mkdtempDisposable(join(MEMORY_FOLDER, "signalbox-watch-"));
  return { url: `sqlite:${join(folder.path, "signalbox.db")}`, [Symbol.asyncDispose]: () => folder.remove() };
}

/** Plays the whole morning. Returns what Mary could read at the end of each step. */
export async function playMorning(
  world: World,
  before?: (step: Step) => Promise<void>,
): Promise<readonly (readonly string[])[]> {
  const read: (readonly string[])[] = [];
  for (const step of MORNING) {
    world.transport.trains.order(UID, DATE, step.order);
    await before?.(step);
    await tickUntil(world, step.time);
    read.push(told(world));
  }
  return read;
}
