// Claims due slots, asks their questions as far as the plan allows, and delivers each slot once.
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { CLOCK_TOLERANCE_MS } from "../../core/clock.ts";
import { limitEntries } from "../../core/cache-options.ts";
import { type Meter, noMeter } from "../../core/meter.ts";
import { type BoardsTable, NO_CLAIM, type RunningRecord } from "../boards-table.ts";
import type { PublishingsTable } from "../publishings-table.ts";
import type { Connection, Platform, PostedMessage } from "../../core/ports.ts";
import type { Stations } from "../../rail/stations.ts";
import { createAskForBoards, createPendingBoards, isAnswered, wantedBy } from "./pending-boards.ts";
import { MAX_AT_ONCE, createClaims, createMaintenance, createRun } from "../../delivery/runner.ts";
import { createStartQueue } from "../../core/runs.ts";
import type { BoardData } from "../planning/board-data.ts";
import { type PresentBoard, isShownClosed } from "../board-post-view.ts";
import { deleteKeptMessage, markPaused, showClosed } from "../kept-message.ts";
import { UNDO_WINDOW_MS } from "../board-states.ts";
import { addOutcome } from "../slot-history.ts";
import { type ChannelNames, createPauseBoard } from "./pause-board.ts";
import { type BoardSettings, MAX_CACHED, type Subscription, createBoardReader } from "../boards.ts";
import { type SlotEnd, createDeliverSlot } from "./deliver-slot.ts";
import { type ClaimedSlot, createSlotClaims } from "./slot-claims.ts";
import { isRunning, nextSlot } from "../../time/slots.ts";

export interface BoardRunnerDependencies extends Pick<Platform, "messenger" | "clock" | "log"> {
  readonly table: BoardsTable;
  readonly publishings: PublishingsTable;
  readonly data: BoardData;
  readonly connection: Pick<Connection, "channelName">;
  readonly present: PresentBoard;
  readonly stations: Pick<Stations, "byCrs">;
  /** Default: nothing is counted. */
  readonly meter?: Meter;
}

export function createBoardRunner(deps: BoardRunnerDependencies) {
  const { table, connection, data, clock, log, meter = noMeter } = deps;
  const read = createBoardReader(log);
  const slots = createSlotClaims(table, clock);
  const claims = createClaims({ write: slots.write, clock, log });
  const waitForTurn = createStartQueue();
  const deliver = createDeliverSlot(deps, claims.isSafe);
  const pending = createPendingBoards(readIdle, deliver);
  const channelNames: ChannelNames = new LRUCache(limitEntries(MAX_CACHED));
  const pause = createPauseBoard(deps, channelNames);
  const askFor = createAskForBoards(data, clock);

  let unreadable = 0;
  /** The ids of boards whose hours are over and whose messages do not say so yet. */
  let idsToClose: string[] = [];

  const maintain = createMaintenance({ clock, log, of: "boards" }, async (nowMs, isAfterJump) => {
    const records = await table.active();
    const active = read(records);
    unreadable = records.length - active.length;
    await data.plan(active.map(({ settings }) => settings));
    pending.keepOnly(new Set(active.map(({ id }) => id)));
    for (const { channelId } of active) {
      channelNames.set(channelId, connection.channelName(channelId) ?? channelNames.get(channelId));
    }
    const free = active.filter(({ id }) => !claims.has(id));
    idsToClose = free.filter((board) => isToClose(board, nowMs)).map(({ id }) => id);
    if (isAfterJump) {
      await repairSchedules(deps, free);
    }
    await table.sweep(nowMs - UNDO_WINDOW_MS);
  });

  /** Reads a board once other work has had its turn; `undefined` if the board is not active or a process works on it. */
  async function readIdle(id: string): Promise<Subscription | undefined> {
    await waitForTurn();
    const record = await table.get(id);
    return record?.state === "active" && record.claimedSlotMs === undefined ? read([record])[0] : undefined;
  }

  /** Makes the message say that the board is outside its hours; otherwise it would look live. */
  async function markClosed(id: string): Promise<void> {
    const board = await readIdle(id);
    if (board !== undefined && isToClose(board, clock.now())) {
      await showClosed(deps, board);
    }
  }

  /** Claims as many due boards as there is room for, and begins work on them; returns whether some are left. */
  async function step(isFirst: boolean): Promise<boolean> {
    // One more than there is room for, to see whether others are left; and the unreadable ones, which `read` leaves out.
    const first = await table.due(clock.now(), MAX_AT_ONCE + 1 + unreadable);
    const due = read(first.filter(({ id }) => !claims.has(id)));
    const room = claims.room();
    const taken = await claims.take(due.slice(0, room).map((board) => slots.slotOf(board)));
    if (isFirst || taken.length > 0) {
      const wanted = taken.flatMap(({ board, slotMs }) => wantedBy(board.settings, slotMs));
      const asked = askFor([...wanted, ...pending.wanted()]);
      taken.forEach((slot) => claims.begin(slot, () => work(slot, asked)));
      claims.begin(PENDING, async () => pending.flush(await asked));
    }
    // Due boards come before these.
    for (const id of idsToClose.splice(0, claims.room()).filter((each) => !claims.has(each))) {
      claims.begin(id, () => markClosed(id));
    }
    return due.length > room || idsToClose.length > 0;
  }

  async function work(slot: ClaimedSlot, asked: Promise<ReadonlySet<string>>): Promise<void> {
    const answered = await asked;
    await waitForTurn();
    const end = await deliver.slot(slot);
    const last = end.end === "stopped" ? await pause(slot, end.because) : end;
    if (last === undefined) {
      meter.count("board_slots_total", { outcome: "stopped" });
    } else {
      const { settings } = slot.board;
      const isCurrent = isAnswered(settings, answered);
      const shown = (isCurrent ? undefined : data.staleReason(settings)) ?? "shown";
      const outcome = last.end === "missed" ? last.because : shown;
      const history = addOutcome(slot.history ?? slot.board.history, outcome, slot.slotMs);
      await claims.record(slot, () => recordEnd(slot, last, history));
      pending.note(slot.board, slot.slotMs, last.end === "done" && isCurrent);
    }
  }

  /**
   * Also deletes a message that no longer belongs to a board. Counts last, because it is called again if the database
   * fails.
   */
  async function recordEnd(
    slot: ClaimedSlot,
    end: Exclude<SlotEnd, { readonly end: "stopped" }>,
    history: string,
  ): Promise<void> {
    const { key, slotMs, missed } = slot;
    switch (end.end) {
      case "done": {
        if ((await table.finish(key, slotMs, { ...end.outcome, history })) === "paused") {
          await markPaused(deps, key);
        }
        if (end.posted !== undefined) {
          await deleteStray(deps, slot, end.posted);
        }
        const outcome = end.outcome.lastSentMs === undefined ? "unchanged" : "sent";
        meter.count("board_slots_total", { outcome });
        meter.count("board_slots_total", { outcome: "missed" }, missed);
        meter.time("board_slot_delay_seconds", {}, clock.now() - slotMs);
        return;
      }
      case "missed":
        log.info({ board: key, guild: slot.board.guildId, slotMs }, "board slot missed");
        await table.finish(key, slotMs, {
          missed: slot.board.missed + missed + 1,
          lastMissedMs: slotMs,
          history,
        });
        meter.count("board_slots_total", { outcome: "missed" }, missed + 1);
        return;
      case "later":
        await slots.release(slot, end);
        return;
    }
  }

  return {
    /** A slot over two minutes late is missed, but an interval edit may wait until the next slot. */
    run: createRun({ claims, maintain, step }),
  };
}

/** An active board with the columns that are read each minute. */
type RunningBoard = Omit<RunningRecord, "settings"> & { readonly settings: BoardSettings };

/** A message does not say "Back at …" until this long after it was last sent or refreshed. */
const SHOWN_FOR_MS = 10 * 60_000;

/** Whether an active board's hours are over and the message that it keeps does not say so yet. */
function isToClose(board: RunningBoard, nowMs: number): boolean {
  const { mode, schedule } = board.settings;
  const { timing } = schedule;
  const { messageId, claimedSlotMs, nextSlotMs = -Infinity, lastSentMs = -Infinity } = board;
  return (
    mode !== "post" &&
    "every" in timing &&
    messageId !== undefined &&
    claimedSlotMs === undefined &&
    !isShownClosed(board) &&
    nextSlotMs > nowMs + timing.every * 60_000 &&
    nowMs >= lastSentMs + SHOWN_FOR_MS &&
    !isRunning(schedule, nowMs)
  );
}

/** The key of the work on all pending boards; no board has this id. */
const PENDING = "pending boards";

/** Every claim is shorter than this. */
const LONGEST_CLAIM_MS = 2 * 60_000;
/** After this many boards, the event loop gets a turn, so that the bot can answer members meanwhile. */
const AT_ONCE = 50;

/** Repairs what a clock far ahead has written. `active`: boards that this process does not work on. */
async function repairSchedules(
  { table, clock, log }: BoardRunnerDependencies,
  active: readonly RunningBoard[],
): Promise<void> {
  for (const [index, board] of active.entries()) {
    if (index % AT_ONCE === 0) {
      await setImmediate();
    }
    const nowMs = clock.now();
    const { id, settings, claimedSlotMs, nextSlotMs = Infinity, claimedUntilMs = -Infinity } = board;
    const isClaimWrong = claimedUntilMs > nowMs + LONGEST_CLAIM_MS;
    if (claimedSlotMs !== undefined && !isClaimWrong) {
      continue;
    }
    // A process whose clock is slightly ahead may already have worked on the slot that comes right now.
    const soonMs = nextSlot(settings.schedule, nowMs + CLOCK_TOLERANCE_MS);
    if (soonMs !== undefined && (nextSlotMs > soonMs || isClaimWrong)) {
      await table.changeState(id, ["active"], {
        nextSlotMs: Math.min(nextSlotMs, soonMs),
        ...NO_CLAIM,
      });
      log.warn({ board: id }, "board schedule repaired");
    }
  }
}

/** Deletes a message whose board somebody removed or moved while it was being sent. */
async function deleteStray(
  deps: BoardRunnerDependencies,
  { board, slotMs }: ClaimedSlot,
  posted: PostedMessage,
): Promise<void> {
  const now = await deps.table.get(board.id);
  const isKept = now !== undefined && now.state !== "removed" && now.messageId === posted.messageId;
  const isTakenOver = now?.state === "active" && now.claimedSlotMs === slotMs;
  if (!isKept && !isTakenOver) {
    await deleteKeptMessage(deps, { ...board, ...posted });
  }
}
