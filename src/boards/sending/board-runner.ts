// The tick of boards: claims the slots that are due, asks what may be asked, delivers what changed, and records how each
// slot ended. Never loses or doubles a slot.
import { setImmediate } from "node:timers/promises";
import { CLOCK_TOLERANCE_MS, type Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { BoardsTable } from "../boards-table.ts";
import type { PublishingsTable } from "../publishings-table.ts";
import type { Connection, Messenger, PostedMessage } from "../../core/ports.ts";
import type { Reply } from "../../core/reply.ts";
import type { Stations } from "../../rail/stations.ts";
import { createAskForBoards, createPendingBoards, isAnswered, wantedBy } from "./pending-boards.ts";
import { createMaintenance } from "../../delivery/maintenance.ts";
import { messengerErrorOf } from "../../delivery/messenger-errors.ts";
import { retryStorage } from "../../delivery/retry-storage.ts";
import { LONGEST_WORK_MS, createBeginInTurn, createUnderWay, joinRuns } from "../../delivery/under-way.ts";
import type { BoardData } from "../planning/board-data.ts";
import type { NoticePlace } from "../board-notice-view.ts";
import type { PresentBoard } from "../board-post-view.ts";
import type { Subscription } from "../boards.ts";
import { createChannelNames, createPauseBoard } from "./pause-board.ts";
import { createSendBoard } from "./send-board.ts";
import { createSettingsReader } from "../board-settings.ts";
import { type FinalEnd, createDeliverSlot } from "./deliver-slot.ts";
import { type ClaimedSlot, type DueBoard, type SlotClaims, createSlotClaims } from "./slot-claims.ts";
import { nextSlot } from "../../time/slots.ts";

export interface BoardRunnerDeps {
  readonly boards: BoardsTable;
  readonly publishings: PublishingsTable;
  readonly data: BoardData;
  readonly connection: Pick<Connection, "channelName">;
  readonly messenger: Messenger;
  readonly present: PresentBoard;
  /**
   * Makes the notice that a board was paused, with a button to repair it. `others`: how many more of the subscriber's
   * stopped with it.
   */
  readonly notice: (board: Subscription, place: NoticePlace, others: number) => Reply;
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

/** The runner of one process. */
export function createBoardRunner(deps: BoardRunnerDeps) {
  const { boards, data, clock, log } = deps;
  const readSettings = createSettingsReader(log);
  const claims = createSlotClaims(boards, clock);
  const send = createSendBoard(deps);
  const inTurn = createBeginInTurn();
  const pending = createPendingBoards(deps, send, readSettings, inTurn);
  const deliver = createDeliverSlot(deps, send, claims);
  const channelNames = createChannelNames(deps.connection);
  const pause = createPauseBoard(deps, channelNames);
  const askFor = createAskForBoards(data, clock);
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
      await repairSchedules(
        deps,
        active.filter(({ record }) => !claims.has(record.id)),
      );
    }
    await boards.sweep(nowMs - KEEP_MS);
  });

  function readable(record: DueBoard["record"]): readonly DueBoard[] {
    const settings = readSettings(record);
    return settings === undefined ? [] : [{ record, settings }];
  }

  /** Claims as much of what is due as there is room for; `isMore` where some is left. */
  async function claimDue(): Promise<{ readonly slots: readonly ClaimedSlot[]; readonly isMore: boolean }> {
    // As many as there ever is room for, one more to know of, and those that are passed over.
    const records = await boards.due(clock.now(), MOST_AT_ONCE + 1 + unreadable);
    const due = records.filter(({ id }) => !claims.has(id)).flatMap(readable);
    const room = MOST_AT_ONCE - claims.count();
    const slots = room > 0 && due.length > 0 ? await claims.take(due.slice(0, room)) : [];
    return { slots, isMore: due.length > room };
  }

  async function work(slot: ClaimedSlot, asked: Promise<ReadonlySet<string>>): Promise<void> {
    try {
      const answered = await asked;
      await inTurn();
      const end = await deliver(slot);
      const last = end.end === "stopped" ? await pause(slot, end.because) : end;
      if (last !== undefined) {
        await retryStorage(
          clock,
          () => claims.isSafe(slot),
          () => recordOutcome(deps, claims, slot, last),
        );
        pending.note(slot, slot.slotMs, last.end === "done" && isAnswered(slot.settings, answered));
      }
    } catch (error) {
      log.error({ error, board: slot.record.id }, "board failed; its slot will be claimed again");
    } finally {
      claims.drop(slot);
    }
  }

  async function updatePending(asked: Promise<ReadonlySet<string>>): Promise<void> {
    try {
      await pending.flush(await asked);
    } catch (error) {
      log.error({ error }, "pending boards failed");
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
        const wanted = slots.flatMap(({ settings, slotMs }) => wantedBy(settings, slotMs));
        const asked = askFor([...wanted, ...pending.wanted()]);
        slots.forEach((slot) => underWay.add(work(slot, asked)));
        underWay.add(updatePending(asked));
      }
      if (underWay.size === 0) {
        return;
      }
      await underWay.shrinks(isMore ? MOST_AT_ONCE / 2 : 0, BEAT_MS);
    }
  }

  return {
    /**
     * Does what is due at this moment: a slot up to two minutes late is sent, an older one counted as missed. Settles
     * when all of it is done. Calls that overlap are not for one process: the second one joins the first. `progress` is
     * called as the work goes on, and no more where a piece of it never ends.
     */
    run: joinRuns(run),
  };
}

/** No claim is made for longer. */
const LONGEST_CLAIM_MS = 2 * 60_000;
/** Between so many the bot answers other people. */
const AT_ONCE = 50;

/**
 * Repairs boards that wait for a moment that their schedule does not name. Nobody postpones a slot on purpose: a clock
 * was far ahead when it was worked out, or when a process claimed a slot and died. `active`: boards that this process
 * does not work on.
 */
async function repairSchedules(
  { boards, clock, log }: BoardRunnerDeps,
  active: readonly DueBoard[],
): Promise<void> {
  for (const [index, { record, settings }] of active.entries()) {
    if (index % AT_ONCE === 0) {
      await setImmediate();
    }
    const nowMs = clock.now();
    const { id, nextSlotMs = Infinity, claimedUntilMs = -Infinity } = record;
    const isClaimWrong = claimedUntilMs > nowMs + LONGEST_CLAIM_MS;
    if (record.claimedSlotMs !== undefined && !isClaimWrong) {
      continue;
    }
    // A process whose clock is a little ahead may have had the slot of this very moment.
    const soonMs = nextSlot(settings.schedule, nowMs + CLOCK_TOLERANCE_MS);
    if (soonMs !== undefined && (nextSlotMs > soonMs || isClaimWrong)) {
      await boards.changeState(id, ["active"], {
        nextSlotMs: Math.min(nextSlotMs, soonMs),
        claimedSlotMs: undefined,
        claimedUntilMs: undefined,
      });
      log.warn({ board: id }, "board schedule repaired");
    }
  }
}

/** A tick is ten seconds: what is released now is due at the next. */
const RETRY_MS = 5_000;
/** Longer waits are cut: the slot has to end one way or the other. */
const LONGEST_RETRY_MS = 60_000;

/** Records how a slot ended, and deletes a message that nobody keeps any more. */
async function recordOutcome(
  deps: BoardRunnerDeps,
  claims: SlotClaims,
  slot: ClaimedSlot,
  end: FinalEnd,
): Promise<void> {
  const { record, slotMs } = slot;
  switch (end.end) {
    case "done":
      await claims.finish(slot, end.outcome);
      if (end.posted !== undefined) {
        await deleteStray(deps, slot, end.posted);
      }
      return;
    case "missed":
      deps.log.info({ board: record.id, slotMs }, "board slot missed");
      await claims.finish(slot, { missed: slot.missed + 1, lastMissedMs: slotMs });
      return;
    case "later":
      await claims.release(
        slot,
        Math.min(Math.max(end.waitMs ?? 0, RETRY_MS), LONGEST_RETRY_MS),
        end.isUnsent,
      );
      return;
  }
}

/** Somebody removed the board, or moved it, while its message was on its way: then that message is nobody's. */
async function deleteStray(
  { boards, messenger, log }: BoardRunnerDeps,
  { record, settings, slotMs }: ClaimedSlot,
  posted: PostedMessage,
): Promise<void> {
  const now = await boards.get(record.id);
  const isKept = now !== undefined && now.state !== "removed" && now.messageId === posted.messageId;
  const isTakenOver = now?.state === "active" && now.claimedSlotMs === slotMs;
  if (settings.mode === "post" || isKept || isTakenOver) {
    return;
  }
  const error = await messengerErrorOf(() => messenger.delete(posted));
  if (error !== undefined) {
    log.warn({ error, board: record.id, message: posted.messageId }, "stray message not deleted");
  }
}
