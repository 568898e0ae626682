// Checks whether a board kept its guarantees through bad days.
import type { BoardSettings } from "../../src/boards/boards.ts";
import type { BoardRecord } from "../../src/boards/boards-table.ts";
import type { Tick } from "./board-bad-day.ts";
import type { BoardPost } from "./board-posts.ts";

/** A board that is due every second minute. */
export interface KeptBoard {
  readonly id: string;
  readonly mode: BoardSettings["mode"];
  readonly isEven: boolean;
}

/** The bot never sends a slot later than this. */
const LATEST_MS = 2 * 60_000;
/** How long a request is retried. */
const INSISTENCE_MS = 10_000;
/** How long the claim of a dead process blocks others. */
const CLAIM_MS = 30_000;
/** How long until data that a dead process had asked for is asked for again, or done without. */
const DATA_MS = 100_000;

/** All evidence about a board at the end. */
export interface Evidence {
  readonly board: Pick<KeptBoard, "id" | "mode">;
  readonly record: BoardRecord | undefined;
  readonly slots: readonly number[];
  /** The minute in which a member saved it: a message is posted then too, unless a slot of its schedule came first. */
  readonly savedMs?: number;
  readonly ever: readonly BoardPost[];
  readonly standing: readonly BoardPost[];
  readonly ticks: readonly Tick[];
}

/** Lists the broken guarantees; for a posting board, also counts its slots and the missed ones. */
export function checkBoard({ board: { id, mode }, record, slots, savedMs, ever, standing, ticks }: Evidence) {
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
    broken.push(`${mode} ${id}: ${live.length} messages are left, of ${ever.length}`);
  }
  if (mode === "edit" && ever.length !== 1) {
    broken.push(`${mode} ${id}: there were ${ever.length} messages`);
  }
  return { broken, slots: mode === "post" ? slots.length : 0, missed: unsent.length };
}

/**
 * Whether a tick could have sent a slot: late enough that no dead process holds the slot or its data, early enough to
 * be on time, and undisturbed for as long as a claim lasts.
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
