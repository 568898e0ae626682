// Used when more boards are due at once than Discord can take in time. Boards that edit one message at an interval are spread
// over that interval, and of the boards that are due, the most urgent go first.
import type { Clock } from "../../core/clock.ts";
import type { BoardRecord } from "../boards-table.ts";
import { askKey, asksOf } from "../planning/board-data.ts";
import { MINUTE_MS } from "../../time/wall-clock.ts";
import type { RunningBoard } from "./slot-claims.ts";

/** How many boards may be due at once: two minutes of Discord's limit, less what others send meanwhile. */
const MOST_AT_ONCE = 5_000;
/** How many boards of one question stay together, so that one answer serves them: as many as go out in ten seconds. */
const OF_ONE_QUESTION = 500;
/** The longest delay: a board that comes every six hours must not be hours late. */
const LONGEST_SPREAD_MINUTES = 60;
/** A server counts as in use if somebody used the bot there within this time. */
const USED_MS = 24 * 60 * MINUTE_MS;
/** Places are worked out again after this time, or when this part of the boards is new: 10,000 boards take 0.1 s. */
const PLANNED_FOR_MS = 10 * MINUTE_MS;
const NEW_PART = 0.01;

/** The fields of a due board's row that decide when its turn is. */
export type DueTime = Pick<BoardRecord, "id" | "messageId" | "nextSlotMs" | "claimedSlotMs">;

export type Spread = ReturnType<typeof createSpread>;

/** `lastUses`: when somebody last used the bot, by server. */
export function createSpread({
  lastUses,
  clock,
  mostAtOnce = MOST_AT_ONCE,
}: {
  readonly lastUses: () => Promise<ReadonlyMap<string, number>>;
  readonly clock: Clock;
  readonly mostAtOnce?: number | undefined;
}) {
  /** The boards that are spread: how much later than scheduled each comes, and whether its server is in use. */
  let places: ReadonlyMap<string, { readonly phaseMs: number; readonly isUsed: boolean }> = new Map();

  /** When the places were worked out last, and for how many boards. */
  let planned = { count: 0, atMs: -Infinity };

  /** 0 for the first message of a board, because somebody waits for it. */
  const phaseMs = ({ id, messageId }: Pick<DueTime, "id" | "messageId">): number =>
    messageId === undefined ? 0 : (places.get(id)?.phaseMs ?? 0);

  /** When a board's turn comes. A slot on a whole minute, as schedules have them, does not include the phase yet. */
  function promisedMs(due: DueTime): number {
    const { nextSlotMs = -Infinity } = due;
    return nextSlotMs % MINUTE_MS === 0 ? nextSlotMs + phaseMs(due) : nextSlotMs;
  }

  const slotMs = (due: DueTime): number => due.claimedSlotMs ?? promisedMs(due);

  /** The smallest goes first: boards that must keep their minute or were begun, then those of servers in use, then others. */
  function rank({ id, messageId, claimedSlotMs }: DueTime): number {
    const place = places.get(id);
    return place === undefined || messageId === undefined || claimedSlotMs !== undefined
      ? 0
      : place.isUsed
        ? 1
        : 2;
  }

  return {
    phaseMs,
    promisedMs,
    /** Whether a board's turn has come. */
    isTurn: (due: DueTime): boolean => due.claimedSlotMs !== undefined || promisedMs(due) <= clock.now(),
    /** The most urgent first. */
    inOrder: <T extends DueTime>(due: readonly T[]): readonly T[] =>
      due.toSorted((a, b) => rank(a) - rank(b) || slotMs(a) - slotMs(b)),

    /** Plans the phases of all running boards. Throws as the database does. */
    async plan(active: readonly RunningBoard[]): Promise<void> {
      const isRecent = clock.elapsed() < planned.atMs + PLANNED_FOR_MS;
      if (isRecent && Math.abs(active.length - planned.count) <= NEW_PART * planned.count) {
        return;
      }
      const isCrowded = countTogether(active) > mostAtOnce;
      const uses = isCrowded ? await lastUses() : new Map<string, number>();
      planned = { count: active.length, atMs: clock.elapsed() };
      const usedSinceMs = clock.now() - USED_MS;
      places = new Map(
        (isCrowded ? phasesOf(active) : []).map(([{ record }, ms]) => [
          record.id,
          { phaseMs: ms, isUsed: (uses.get(record.guildId) ?? -Infinity) >= usedSinceMs },
        ]),
      );
    },
  };
}

/** How many boards are due in the fullest minute: all that come at an interval, and the most that share a fixed time. */
function countTogether(active: readonly RunningBoard[]): number {
  const at = new Map<string, number>();
  let even = 0;
  for (const { timing } of active.map(({ settings }) => settings.schedule)) {
    if ("every" in timing) {
      even += 1;
    } else {
      timing.at.forEach((time) => at.set(time, (at.get(time) ?? 0) + 1));
    }
  }
  return even + Math.max(0, ...at.values());
}

/** Spreads the boards that edit one message evenly over their interval. Boards of one question stay together. */
function phasesOf(active: readonly RunningBoard[]): readonly (readonly [RunningBoard, number])[] {
  const byInterval = Map.groupBy(active, ({ settings: { mode, schedule } }) =>
    mode === "edit" && "every" in schedule.timing ? schedule.timing.every : undefined,
  );
  return [...byInterval].flatMap(([every, boards]) => {
    if (every === undefined) {
      return [];
    }
    const spanMs = Math.min(every, LONGEST_SPREAD_MINUTES) * MINUTE_MS;
    const byQuestion = Map.groupBy(
      boards.toSorted((a, b) => (a.record.id < b.record.id ? -1 : 1)),
      ({ settings }) => asksOf(settings).map(askKey).join(),
    );
    const inOrder = [...byQuestion].toSorted(([a], [b]) => (a < b ? -1 : 1));
    let placed = 0;
    return inOrder.flatMap(([, ofQuestion]) => {
      const startMs = (index: number): number => ((placed + index) / boards.length) * spanMs;
      const spread = ofQuestion.map((board, index) => {
        const ms = Math.floor(startMs(index - (index % OF_ONE_QUESTION)));
        // Never a whole minute: whole minutes mark slots that do not include the phase yet.
        return [board, ms % MINUTE_MS === 0 ? ms + 1 : ms] as const;
      });
      placed += ofQuestion.length;
      return spread;
    });
  });
}
