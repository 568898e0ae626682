// The process that runs the jobs is stopped by SIGSTOP and wakes after a while, on the machine's own time. The judge is
// what Discord has seen.
import { setTimeout as pause } from "node:timers/promises";
import { vi } from "vitest";
import type { BotControl } from "../../sandbox/bot/control.ts";
import type { World } from "../../sandbox/world.ts";
import { openBoardFleet, type BoardFleet } from "./board-fleet.ts";
import { subscribeBoard, watchBoardPosts, type BoardPost } from "./board-posts.ts";

export interface Freeze {
  /** At least; in real time. */
  readonly frozenMs: number;
  /** Whether it is stopped while Discord has its messages and edits, and it has no answers; otherwise while it is idle. */
  readonly isSending: boolean;
}

/** What is known in the end. */
export interface FreezeReport {
  /** A line for each slot of a posting board that has not one message, and for each kept message that is not one. */
  readonly broken: readonly string[];
  /** Edits that showed older data than the message showed before. */
  readonly olderEdits: number;
  /** Slots of the posting boards that came while it was stopped. */
  readonly slotsMeanwhile: number;
  /** Of messages and edits, when it was stopped. */
  readonly unanswered: number;
  /** What a member of its own server read when it was awake again. */
  readonly answer: string;
  /** Whether the other process runs the jobs in the end, by the word of both. */
  readonly hasHandedOver: boolean;
  readonly frozenMs: number;
}

const MINUTE_MS = 60_000;
const MODES = ["post", "edit", "replace"] as const;
const WAIT = { timeout: 90_000, interval: 50 };
/** The lease has run out, and the other process has ticked, when the next slot comes. */
const BEFORE_SLOT_MS = 25_000;
/** Less than two clocks may lie apart. */
const STEP_MS = 4_000;
const WRITES = [
  { method: "POST", path: "/channels/:c/messages" },
  { method: "PATCH", path: "/channels/:c/messages/:m" },
] as const;

/** Boards of every mode in the servers of both processes, each minute; the runner of the jobs is stopped in between. */
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
  const unanswered = held.reduce((sum, { met }) => sum + met, 0);
  // Answers to messages wait in its sockets, those to edits never come.
  held[0]?.remove();
  await vi.waitUntil(() => other.log.some((line) => line.includes("this process runs the jobs now")), WAIT);
  const nextMs = (Math.floor(stoppedAtMs / MINUTE_MS) + 1) * MINUTE_MS;
  await vi.waitUntil(() => isPosted(nextMs), WAIT);
  await vi.waitUntil(() => {
    // A message is edited only where there is something new to show: each minute, a train is later than before.
    delayTrain(world, stoppedAtMs);
    return !freeze.isSending || newestAsOf() > stoppedAsOf;
  }, WAIT);
  await pause(Math.max(0, stoppedAtMs + freeze.frozenMs - world.clock.now()));
  const wokenAtMs = world.clock.now();
  signal(runner, "SIGCONT");

  const answer = await askUntilAnswered(fleet, runner);
  // Whatever it still had in hand is sent or given up after two slots.
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
 * Turns the clock to so long before the next slot, in steps that no two processes mistake for a wrong clock; gives
 * the slot.
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

/** Brings the runner to where it is stopped; gives what keeps its answers back. */
async function prepare(fleet: BoardFleet, runner: BotControl, { isSending }: Freeze) {
  const { clock, discord } = fleet.world;
  await turnBefore(fleet, isSending ? STEP_MS : BEFORE_SLOT_MS);
  if (!isSending) {
    return [];
  }
  const held = WRITES.map((write) => discord.faults.add({ ...write, do: "hang-after", times: 2 }));
  await clock.advance(STEP_MS);
  void runner.tick();
  await vi.waitUntil(() => held.every(({ met }) => met === 2), WAIT);
  return held;
}

/** Delays the first train that leaves York after a moment by half an hour, and by a minute more for each since then. */
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

/** A member of the bot's own server asks until it is there again. */
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

/** Each edit of a board, with the time of its data, which stands in it. */
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
