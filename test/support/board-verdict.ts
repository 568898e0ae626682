// Whether a board has kept its promises through bad days.
import type { BoardMode } from "../../src/boards/boards.ts";
import type { BoardRecord } from "../../src/boards/boards-table.ts";
import type { Tick } from "./board-bad-day.ts";
import type { BoardPost } from "./board-posts.ts";

/** A board that comes every second minute. */
export interface KeptBoard {
  readonly id: string;
  readonly mode: BoardMode;
  readonly isEven: boolean;
}

/** As promised: no slot is sent later. */
const LATEST_MS = 2 * 60_000;
/** A request is tried again for so long. */
const INSISTENCE_MS = 10_000;
/** A process that died keeps others from its slots for so long. */
const CLAIM_MS = 30_000;
/** And the data that it took with it is asked for again, or done without, after so long. */
const DATA_MS = 100_000;

/** What is known of a board in the end. */
export interface Evidence {
  readonly board: Pick<KeptBoard, "id" | "mode">;
  readonly record: BoardRecord | undefined;
  readonly slots: readonly number[];
  /** The minute in which a member saved it: it comes then too, unless a slot of its schedule was quicker. */
  readonly savedMs?: number;
  readonly ever: readonly BoardPost[];
  readonly standing: readonly BoardPost[];
  readonly ticks: readonly Tick[];
}

/** Finds what was broken; for a board that posts, also how many slots it had and how many it missed. */
export function judgeBoard({ board: { id, mode }, record, slots, savedMs, ever, standing, ticks }: Evidence) {
  const broken: string[] = [];
  const say = (slotMs: number, what: string) =>
    broken.push(`${mode} ${id}, slot ${new Date(slotMs).toISOString()}: ${what}`);
  for (const slotMs of new Set([...slots, ...ever.map((post) => post.slotMs)])) {
    const own = ever.filter((post) => post.slotMs === slotMs);
    if (own.length > 1) {
      say(slotMs, `${own.length} messages`);
    }
    if (!slots.includes(slotMs) && slotMs !== savedMs) {
      say(slotMs, "a message, but it is no slot");
    }
    if (own.some(({ atMs }) => atMs - slotMs > LATEST_MS + INSISTENCE_MS)) {
      say(slotMs, "sent too late");
    }
  }
  const sent = new Set(ever.map(({ slotMs }) => slotMs));
  const unsent = mode === "post" ? slots.filter((slotMs) => !sent.has(slotMs)) : [];
  for (const slotMs of unsent.filter((each) => couldBeSent(each, ticks))) {
    say(slotMs, "lost");
  }
  if (mode === "post" && record?.missed !== unsent.length) {
    broken.push(
      `${mode} ${id}: ${unsent.length} slots without a message, ${record?.missed} counted as missed`,
    );
  }
  const live = standing.map(({ message }) => message.id);
  if (mode === "post" ? live.length !== ever.length : live.join() !== String(record?.messageId)) {
    broken.push(`${mode} ${id}: ${live.length} messages stand, of ${ever.length}`);
  }
  if (mode === "edit" && ever.length !== 1) {
    broken.push(`${mode} ${id}: there were ${ever.length} messages`);
  }
  return { broken, slots: mode === "post" ? slots.length : 0, missed: unsent.length };
}

/**
 * Whether a tick came for a slot that could send it: so late that whoever held the slot or its data is out of the way,
 * early enough, and undisturbed for as long as a claim lasts.
 */
function couldBeSent(slotMs: number, ticks: readonly Tick[]): boolean {
  return ticks.some(
    ({ fromMs, toMs, isCalm }) =>
      isCalm &&
      fromMs >= slotMs + DATA_MS &&
      toMs < slotMs + LATEST_MS &&
      ticks.every((other) => other.isCalm || other.fromMs > fromMs || other.toMs + CLAIM_MS <= fromMs),
  );
}
