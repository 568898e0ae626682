// The tick of boards, put together: what is due is claimed, asked for, settled, and its outcome written down.
import { setImmediate } from "node:timers/promises";
import { CLOCK_TOLERANCE_MS, type Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { BoardsTable } from "../boards-table.ts";
import type { PublishingsTable } from "../publishings-table.ts";
import { type Connection, type Messenger, MessengerError, type PostedMessage } from "../../core/ports.ts";
import type { Stations } from "../../rail/stations.ts";
import { createAskForBoards, createPendingBoards, isAnswered } from "./pending-boards.ts";
import { createChannelNames } from "../board-channels.ts";
import { retryStorage } from "../../delivery/retry-storage.ts";
import { LONGEST_WORK_MS, createBeginInTurn, createUnderWay, joinRuns } from "../../delivery/under-way.ts";
import { createMaintenance } from "../../delivery/maintenance.ts";
import type { BoardData } from "../planning/board-data.ts";
import { createPauseBoard } from "./pause-board.ts";
import { createSendBoard } from "./send-board.ts";
import { createSettingsReader } from "../board-settings.ts";
import { type Settled, createSettleSlot } from "./settle-slot.ts";
import { type DueBoard, type HeldSlot, type SlotClaims, createSlotClaims } from "./slot-claims.ts";
import { nextSlot } from "../../time/slots.ts";
import type { Reply } from "../../core/reply.ts";
import type { BoardContent, Subscription } from "../boards.ts";

/** What the runner stands on. */
export interface BoardRunnerDependencies {
  readonly boards: BoardsTable;
  readonly publishings: PublishingsTable;
  readonly data: BoardData;
  readonly connection: Pick<Connection, "channelName">;
  readonly messenger: Messenger;
  readonly present: PresentBoard;
  readonly notice: PresentNotice;
  readonly stations: Pick<Stations, "byCrs">;
  readonly clock: Clock;
  readonly log: Log;
}

/** While work goes on, so often claims are renewed and what has become due meanwhile is begun. */
const BEAT_MS = 10_000;
/** Boards worked on at once: ten seconds' worth of Discord's limit, so that what is claimed is soon sent. */
const MOST_AT_ONCE = 500;
/** Promised in `Boards`: drafts wait, and removed boards can be brought back, for an hour. */
const KEEP_MS = 3_600_000;

/** Makes the runner of one process. */
export function createBoardRunner(deps: BoardRunnerDependencies): BoardRunner {
  const { boards, data, messenger, clock, log } = deps;
  const readSettings = createSettingsReader(log);
  const claims = createSlotClaims({ boards, clock });
  const send = createSendBoard(deps);
  const inTurn = createBeginInTurn();
  const pending = createPendingBoards({ boards, data, send, readSettings, inTurn, log });
  const settle = createSettleSlot({ ...deps, send, claims });
  const channelNames = createChannelNames(deps.connection);
  const pause = createPauseBoard({ ...deps, channelNames });
  const writeDown = createWriteDown({ boards, messenger, claims, log });
  const askFor = createAskForBoards(data, clock);
  const mendSlots = createMendSlots(deps);
  const underWay = createUnderWay(clock);

  let unreadable = 0;

  const maintain = createMaintenance({ clock, log, of: "boards" }, async (nowMs, isAfterJump) => {
    const records = await boards.active();
    const active = records.flatMap(readable);
    unreadable = records.length - active.length;
    data.plan(active.map(({ record: { id }, settings }) => ({ id, settings })));
    const ids = new Set(active.map(({ record }) => record.id));
    pending.keepOnly(ids);
    claims.keepOnly(ids);
    channelNames.keep(active.map(({ record }) => record.channelId));
    if (isAfterJump) {
      await mendSlots(active.filter(({ record }) => !claims.isHeld(record.id)));
    }
    await boards.sweep(nowMs - KEEP_MS);
  });

  function readable(record: DueBoard["record"]): readonly DueBoard[] {
    const settings = readSettings(record);
    return settings === undefined ? [] : [{ record, settings }];
  }

  /** Claims as much of what is due as there is room for; `isMore` where some is left. */
  async function claimDue(): Promise<{ readonly slots: readonly HeldSlot[]; readonly isMore: boolean }> {
    // As many as there ever is room for, one more to know of, and those that are passed over.
    const records = await boards.due(clock.now(), MOST_AT_ONCE + 1 + unreadable);
    const due = records.filter(({ id }) => !claims.isHeld(id)).flatMap(readable);
    const room = MOST_AT_ONCE - claims.count();
    const slots = room > 0 && due.length > 0 ? await claims.take(due.slice(0, room)) : [];
    return { slots, isMore: due.length > room };
  }

  async function work(slot: HeldSlot, asked: Promise<ReadonlySet<string>>): Promise<void> {
    try {
      const answered = await asked;
      await inTurn();
      const end = await settle(slot);
      const last = end.end === "stopped" ? await pause(slot, end.because) : end;
      if (last !== undefined) {
        await retryStorage(
          clock,
          () => claims.isSafe(slot),
          () => writeDown(slot, last),
        );
        pending.note(slot, slot.slotMs, last.end === "done" && isAnswered(slot.settings, answered));
      }
    } catch (error) {
      log.error({ error, board: slot.record.id }, "a board failed; its slot is taken up again soon");
    } finally {
      claims.drop(slot);
    }
  }

  async function updatePending(asked: Promise<ReadonlySet<string>>): Promise<void> {
    try {
      await pending.pay(await asked);
    } catch (error) {
      log.error({ error }, "boards that waited for data failed");
    }
  }

  async function run(progress: () => void): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      if (underWay.longestMs() < LONGEST_WORK_MS) {
        progress();
      }
      await maintain();
      await claims.renew();
      const { slots, isMore } = await claimDue();
      if (isFirst || slots.length > 0) {
        const asked = askFor(slots, pending.wanted());
        slots.forEach((slot) => underWay.add(work(slot, asked)));
        underWay.add(updatePending(asked));
      }
      if (underWay.size === 0) {
        return;
      }
      await underWay.shrinks(isMore ? MOST_AT_ONCE / 2 : 0, BEAT_MS);
    }
  }

  return { run: joinRuns(run) };
}

// Boards that wait for a moment that their schedule does not name. Nobody puts a slot off on purpose: a clock was far
// ahead when it was worked out, or when somebody claimed a slot and died.

/** What mending stands on. */
export interface MendSlotsDependencies {
  readonly boards: Pick<BoardsTable, "changeState">;
  readonly clock: Clock;
  readonly log: Log;
}

/** No claim is made for longer. */
const LONGEST_CLAIM_MS = 2 * 60_000;
/** Between so many the bot hears other people. */
const AT_ONCE = 50;

/** Makes what mends boards that are active and that this process does not work on. */
function createMendSlots({ boards, clock, log }: MendSlotsDependencies) {
  async function mend({ record, settings }: DueBoard): Promise<void> {
    const nowMs = clock.now();
    const { id, nextSlotMs = Infinity, claimedUntilMs = -Infinity } = record;
    const isClaimWrong = claimedUntilMs > nowMs + LONGEST_CLAIM_MS;
    if (record.claimedSlotMs !== undefined && !isClaimWrong) {
      return;
    }
    // A process whose clock is a little ahead may have had the slot of this very moment.
    const soonMs = nextSlot(settings.schedule, nowMs + CLOCK_TOLERANCE_MS);
    if (soonMs === undefined || (nextSlotMs <= soonMs && !isClaimWrong)) {
      return;
    }
    await boards.changeState(id, ["active"], {
      nextSlotMs: Math.min(nextSlotMs, soonMs),
      claimedSlotMs: undefined,
      claimedUntilMs: undefined,
    });
    log.warn({ board: id }, "a board waited for a moment that its schedule does not name");
  }

  return async (active: readonly DueBoard[]): Promise<void> => {
    for (const [index, board] of active.entries()) {
      if (index % AT_ONCE === 0) {
        await setImmediate();
      }
      await mend(board);
    }
  };
}

// The outcome of a slot goes into the database, and a message that nobody keeps any more goes away.

/** What writing down stands on. */
export interface WriteDownDependencies {
  readonly boards: Pick<BoardsTable, "get">;
  readonly messenger: Pick<Messenger, "delete">;
  readonly claims: Pick<SlotClaims, "finish" | "giveBack">;
  readonly log: Log;
}

/** A tick is ten seconds: what is given back now is due at the next. */
const RETRY_MS = 5_000;
/** Longer waits are cut: the slot has to be settled one way or the other. */
const LONGEST_RETRY_MS = 60_000;

/** Makes what writes down how slots ended. */
function createWriteDown({ boards, messenger, claims, log }: WriteDownDependencies) {
  /** Somebody removed the board, or moved it, while its message was on its way: then that message is nobody's. */
  async function takeBackStray({ record, settings, slotMs }: HeldSlot, posted: PostedMessage): Promise<void> {
    const now = await boards.get(record.id);
    const isKept = now !== undefined && now.state !== "removed" && now.messageId === posted.messageId;
    const isInOtherHands = now?.state === "active" && now.claimedSlotMs === slotMs;
    if (settings.mode === "post" || isKept || isInOtherHands) {
      return;
    }
    try {
      await messenger.delete(posted);
    } catch (error) {
      if (!(error instanceof MessengerError)) {
        throw error;
      }
      log.warn({ error, board: record.id, message: posted.messageId }, "a stray message is not deleted");
    }
  }

  return async (slot: HeldSlot, end: Settled): Promise<void> => {
    const { record, slotMs } = slot;
    switch (end.end) {
      case "done":
        await claims.finish(slot, end.outcome);
        if (end.posted !== undefined) {
          await takeBackStray(slot, end.posted);
        }
        return;
      case "missed":
        log.info({ board: record.id, slotMs }, "a board missed its slot");
        await claims.finish(slot, { missed: slot.missed + 1, lastMissedMs: slotMs });
        return;
      case "later":
        await claims.giveBack(slot, waitMs(end.waitMs), end.isUnsent);
        return;
    }
  };
}

function waitMs(askedMs = 0): number {
  return Math.min(Math.max(askedMs, RETRY_MS), LONGEST_RETRY_MS);
}

// The tick of boards: finds what is due, asks what may be asked, and sends what changed. Never loses or doubles a slot.

/** A board's content made ready to be sent. */
export interface PresentedBoard {
  /** The same for the same words and picture, however old the data: who shows it already need not be told again. */
  readonly hash: string;
  /** Made when it is needed, once for all boards with this content. */
  readonly reply: () => Promise<Reply>;
}

/** Makes a message of a board. `slotMs` goes into its components, by which the message is found again. */
export type PresentBoard = (
  content: BoardContent,
  board: Pick<Subscription, "id"> & { readonly slotMs: number },
) => PresentedBoard;

/**
 * Makes the notice that a board was paused, with a button to repair it. `others`: how many more of the subscriber's
 * stopped with it.
 */
export type PresentNotice = (board: Subscription, place: NoticePlace, others: number) => Reply;

/** What the board's server and channel are called; absent where nobody knows, or where it need not be said. */
export interface NoticePlace {
  readonly guild?: string | undefined;
  readonly channel?: string | undefined;
}

/** The running of boards. */
interface BoardRunner {
  /**
   * Does what is due at this moment: a slot up to two minutes late is sent, an older one counted as missed. Settles
   * when all of it is done. Calls that overlap are not for one process: the second one joins the first. `progress` is
   * called as the work goes on, and no more where a piece of it never ends.
   */
  run(progress?: () => void): Promise<void>;
}
