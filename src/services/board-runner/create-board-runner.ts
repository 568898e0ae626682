// The tick of boards, put together: what is due is claimed, asked for, settled, and its outcome written down.
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { BoardsTable } from "../../storage/boards-table.ts";
import type { PublishingsTable } from "../../storage/publishings-table.ts";
import type { Connection, Messenger } from "../../core/ports.ts";
import type { Stations } from "../stations/stations.ts";
import { createAskForBoards } from "./ask-for-boards.ts";
import { createChannelNames } from "./channel-names.ts";
import { retryStorage } from "../sending/retry-storage.ts";
import { createBeginInTurn } from "../sending/begin-in-turn.ts";
import { createHousekeeping } from "../sending/housekeeping.ts";
import { joinRuns } from "../sending/join-runs.ts";
import type { BoardData } from "../board-data/board-data.ts";
import { createMendSlots } from "./mend-slots.ts";
import { createOwedBoards, isAnswered } from "./owed-boards.ts";
import { createPauseBoard } from "./pause-board.ts";
import type { BoardRunner, PresentBoard, PresentNotice } from "./run-boards.ts";
import { createSendBoard } from "./send-board.ts";
import { createSettingsReader } from "./settings-reader.ts";
import { createSettleSlot } from "./settle-slot.ts";
import type { DueBoard, HeldSlot } from "./held-slot.ts";
import { createSlotClaims } from "./slot-claims.ts";
import { createUnderWay, LONGEST_WORK_MS } from "../sending/under-way.ts";
import { createWriteDown } from "./write-down.ts";

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
  const owed = createOwedBoards({ boards, data, send, readSettings, inTurn, log });
  const settle = createSettleSlot({ ...deps, send, claims });
  const channelNames = createChannelNames(deps.connection);
  const pause = createPauseBoard({ ...deps, channelNames });
  const writeDown = createWriteDown({ boards, messenger, claims, log });
  const askFor = createAskForBoards(data, clock);
  const mendSlots = createMendSlots(deps);
  const underWay = createUnderWay(clock);

  let unreadable = 0;

  const keepHouse = createHousekeeping({ clock, log, of: "boards" }, async (nowMs, isAnew) => {
    const records = await boards.active();
    const active = records.flatMap(readable);
    unreadable = records.length - active.length;
    data.plan(active.map(({ record: { id }, settings }) => ({ id, settings })));
    const ids = new Set(active.map(({ record }) => record.id));
    owed.keepOnly(ids);
    claims.keepOnly(ids);
    channelNames.keep(active.map(({ record }) => record.channelId));
    if (isAnew) {
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
        owed.note(slot, slot.slotMs, last.end === "done" && isAnswered(slot.settings, answered));
      }
    } catch (error) {
      log.error({ error, board: slot.record.id }, "a board failed; its slot is taken up again soon");
    } finally {
      claims.drop(slot);
    }
  }

  async function payOwed(asked: Promise<ReadonlySet<string>>): Promise<void> {
    try {
      await owed.pay(await asked);
    } catch (error) {
      log.error({ error }, "boards that waited for data failed");
    }
  }

  async function run(progress: () => void): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      if (underWay.longestMs() < LONGEST_WORK_MS) {
        progress();
      }
      await keepHouse();
      await claims.renew();
      const { slots, isMore } = await claimDue();
      if (isFirst || slots.length > 0) {
        const asked = askFor(slots, owed.wanted());
        slots.forEach((slot) => underWay.add(work(slot, asked)));
        underWay.add(payOwed(asked));
      }
      if (underWay.size === 0) {
        return;
      }
      await underWay.shrinks(isMore ? MOST_AT_ONCE / 2 : 0, BEAT_MS);
    }
  }

  return { run: joinRuns(run) };
}
