// The process that runs the jobs is stopped by SIGSTOP and woken later, in real time. Checked against what Discord has
// seen.
import { setTimeout as pause } from "node:timers/promises";
import { vi } from "vitest";
import type { BotControl } from "../../sandbox/bot/control.ts";
import type { World } from "../../sandbox/world.ts";
import { openBoardFleet, type BoardFleet } from "./board-fleet.ts";
import { subscribeBoard, watchBoardPosts, type BoardPost } from "./board-posts.ts";

export interface Freeze {
  /** The minimum duration in real time. */
  readonly frozenMs: number;
  /**
   * Whether it is stopped after Discord received its messages and edits but before it got the answers; otherwise while
   * it is idle.
   */
  readonly isSending: boolean;
}

/** The result of a freeze. */
export interface FreezeReport {
  /**
   * One line for each slot of a posting board without exactly one message, and for each board that keeps a message but
   * does not have exactly one.
   */
  readonly broken: readonly string[];
  /** Edits that replaced newer data by older data. */
  readonly olderEdits: number;
  /** Slots of the posting boards while it was stopped. */
  readonly slotsMeanwhile: number;
  /** Messages and edits without an answer when it was stopped. */
  readonly unanswered: number;
  /** The answer to a member of its own server after it woke. */
  readonly answer: string;
  /** Whether the other process runs the jobs at the end, according to both. */
  readonly hasHandedOver: boolean;
  readonly frozenMs: number;
}

const MINUTE_MS = 60_000;
const MODES = ["post", "edit", "replace"] as const;
const WAIT = { timeout: 90_000, interval: 50 };
/** Late enough that the lease expires and the other process ticks before the next slot. */
const BEFORE_SLOT_MS = 25_000;
/** Less than clocks may differ. */
const STEP_MS = 4_000;
const WRITES = [
  { method: "POST", path: "/channels/:c/messages" },
  { method: "PATCH", path: "/channels/:c/messages/:m" },
] as const;

/**
 * Runs boards of every mode in the servers of both processes, each minute, and stops the process that runs the jobs.
 */
export async function runFreeze(databaseUrl: string, freeze: Freeze): Promise<FreezeReport> {
  await using fleet = await openBoardFleet(databaseUrl, { clock: "running" });
  const { world, elsewhere } = fleet;
  const posts = watchBoardPosts(world);
  const boards: { readonly id: string; readonly mode: (typeof MODES)[number] }[] = [];
  for (const channel of [world.channels.trains, elsewhere]) {
    for (const mode of MODES) {
      const options = { station: "York", mode, every: "1 minute", view: "text" };
      boards.push({ id: await subscribeBoard(world, channel, options), mode });
    }
  }
  const posting = boards.filter(({ mode }) => mode === "post").map(({ id }) => id);
  const isPosted = (slotMs: number) => posting.every((id) => ofSlot(posts.ever, id, slotMs).length > 0);

  const firstMs = await turnBefore(fleet, 0);
  const { runner, other } = fleet.roles();
  await vi.waitUntil(() => isPosted(firstMs), WAIT);

  const held = await prepare(fleet, runner, freeze);
  signal(runner, "SIGSTOP");
  const stoppedAtMs = world.clock.now();
  const newestAsOf = () => editsOf(fleet).reduce((newest, { asOf }) => (asOf > newest ? asOf : newest), "");
  const stoppedAsOf = newestAsOf();
  const unanswered = held.reduce((sum, { hits }) => sum + hits, 0);
  // The answers to messages now wait in its sockets; those to edits never come.
  held[0]?.remove();
  await vi.waitUntil(() => other.log.some((line) => line.includes("this process runs the jobs now")), WAIT);
  const nextMs = (Math.floor(stoppedAtMs / MINUTE_MS) + 1) * MINUTE_MS;
  await vi.waitUntil(() => isPosted(nextMs), WAIT);
  await vi.waitUntil(() => {
    // A message is edited only if there is something new to show: each minute, a train is later than before.
    delayTrain(world, stoppedAtMs);
    return !freeze.isSending || newestAsOf() > stoppedAsOf;
  }, WAIT);
  await pause(Math.max(0, stoppedAtMs + freeze.frozenMs - world.clock.now()));
  const wokenAtMs = world.clock.now();
  signal(runner, "SIGCONT");

  const answer = await askUntilAnswered(fleet, runner);
  // Everything that it was still doing is sent or abandoned after two slots.
  await turnBefore(fleet, 0);
  const lastMs = await turnBefore(fleet, 0);
  await vi.waitUntil(() => isPosted(lastMs), WAIT);

  const slots = Array.from(
    { length: Math.floor((lastMs - firstMs) / MINUTE_MS) + 1 },
    (_, index) => firstMs + index * MINUTE_MS,
  );
  return {
    broken: boards.flatMap(({ id, mode }) =>
      mode === "post"
        ? slots
            .map((slotMs) => ofSlot(posts.ever, id, slotMs).length)
            .flatMap((count, index) => (count === 1 ? [] : [`post ${id}, slot ${index}: ${count} messages`]))
        : posts.standing(id).length === 1 && isOnceEach(posts.ever, id)
          ? []
          : [`${mode} ${id}: ${posts.standing(id).length} messages stand`],
    ),
    olderEdits: countOlderEdits(fleet),
    slotsMeanwhile: slots.filter((slotMs) => slotMs > stoppedAtMs && slotMs < wokenAtMs).length,
    unanswered,
    answer,
    hasHandedOver: fleet.roles().runner === other,
    frozenMs: wokenAtMs - stoppedAtMs,
  };
}

/**
 * Advances the clock to this long before the next slot, in steps too small for the processes to suspect a wrong clock.
 * Returns the slot.
 */
async function turnBefore({ world, bots }: BoardFleet, beforeMs: number): Promise<number> {
  const { clock } = world;
  const slotMs = (Math.floor((clock.now() + beforeMs) / MINUTE_MS) + 1) * MINUTE_MS;
  const endMs = slotMs - beforeMs;
  while (clock.now() < endMs) {
    await clock.set(Math.min(clock.now() + STEP_MS, endMs));
    await Promise.all(bots.map((bot) => bot.tick()));
  }
  return slotMs;
}

/** Brings the runner to the point at which it is stopped. Returns the faults that hold its answers back. */
async function prepare(fleet: BoardFleet, runner: BotControl, { isSending }: Freeze) {
  const { clock, discord } = fleet.world;
  await turnBefore(fleet, isSending ? STEP_MS : BEFORE_SLOT_MS);
  if (!isSending) {
    return [];
  }
  const held = WRITES.map((write) => discord.faults.add({ ...write, do: "hang-after", times: 2 }));
  await clock.advance(STEP_MS);
  void runner.tick();
  await vi.waitUntil(() => held.every(({ hits }) => hits === 2), WAIT);
  return held;
}

/**
 * Delays the first train that leaves York after `sinceMs` by half an hour, plus a minute for each minute since then.
 */
function delayTrain({ clock, transport: { timetable, trains } }: World, sinceMs: number): void {
  const visits = timetable.trainsAt("YRK", sinceMs + 2 * MINUTE_MS, sinceMs + 60 * MINUTE_MS);
  const next = visits.find(
    ({ train, at }) => train.mode === "train" && train.calls[at]?.departMs !== undefined,
  );
  if (next === undefined) {
    throw new Error("no train leaves York within the hour");
  }
  const delayMinutes = 30 + Math.floor((clock.now() - sinceMs) / MINUTE_MS);
  trains.order(next.train.uid, next.train.serviceDate, { delayMinutes, cancelled: false });
}

function signal({ pid }: BotControl, name: "SIGSTOP" | "SIGCONT"): void {
  if (pid === undefined) {
    throw new Error("the bot does not run in a process of its own");
  }
  process.kill(pid, name);
}

/** Asks as a member of the bot's own server until the bot answers. */
async function askUntilAnswered({ world, bots, elsewhere }: BoardFleet, bot: BotControl): Promise<string> {
  const channel = bot === bots[0] ? world.channels.general : elsewhere;
  const options = { station: "York", view: "text" };
  const ask = () => world.member("Mary").slash(channel, "departures", options);
  return vi.waitFor(async () => (await ask()).text, WAIT);
}

function ofSlot(ever: readonly BoardPost[], id: string, slotMs: number): readonly BoardPost[] {
  return ever.filter((post) => post.boardId === id && post.slotMs === slotMs);
}

function isOnceEach(ever: readonly BoardPost[], id: string): boolean {
  const slots = ever.filter(({ boardId }) => boardId === id).map(({ slotMs }) => slotMs);
  return new Set(slots).size === slots.length;
}

/** The edits of boards, with the time of the data that each shows. */
function editsOf({ world: { discord } }: BoardFleet) {
  return discord.requests.flatMap(({ method, path, body }) => {
    const asOf = /As of (\d\d:\d\d)/.exec(JSON.stringify(body) ?? "")?.[1];
    return method === "PATCH" && asOf !== undefined ? [{ path, asOf }] : [];
  });
}

function countOlderEdits(fleet: BoardFleet): number {
  const shown = new Map<string, string>();
  let older = 0;
  for (const { path, asOf } of editsOf(fleet)) {
    older += asOf < (shown.get(path) ?? asOf) ? 1 : 0;
    shown.set(path, asOf);
  }
  return older;
}
