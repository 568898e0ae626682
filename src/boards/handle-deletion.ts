// A board notices immediately that its message is gone, and soon posts another during its hours.
import type { BoardsTable } from "./boards-table.ts";
import type { Deletion, Platform } from "../core/ports.ts";
import { isRunning } from "../time/slots.ts";
import { MINUTE_MS } from "../time/wall-clock.ts";
import { type Subscription, createBoardReader } from "./boards.ts";

/** Never throws: if it fails, the board notices the deletion at its next change. */
export function createDeletionHandler(
  deps: Pick<Platform, "clock" | "log"> & {
    readonly table: Pick<BoardsTable, "activeChannels" | "inChannel" | "forgetMessage">;
  },
) {
  const { table, clock, log } = deps;
  const read = createBoardReader(log);
  let known: { readonly ids: Promise<ReadonlySet<string>>; readonly readAtMs: number } | undefined;

  /**
   * As of at most a minute ago: busy servers delete messages all the time, rarely in channels with boards,
   * and that must not cost a query each. A board that is newer than the list notices a deletion at its next
   * change.
   */
  async function hasBoards(channelId: string): Promise<boolean> {
    const nowMs = clock.now();
    if (known === undefined || Math.abs(nowMs - known.readAtMs) >= MINUTE_MS) {
      known = { ids: table.activeChannels().then((ids) => new Set(ids)), readAtMs: nowMs };
    }
    try {
      return (await known.ids).has(channelId);
    } catch (error) {
      known = undefined;
      throw error;
    }
  }

  return async ({ guildId, channelId, messageIds }: Deletion): Promise<void> => {
    const isChannel = messageIds === "all";
    const nowMs = clock.now();
    // The next whole minute, since slots are whole minutes: no message can have been sent for that slot yet.
    const soonMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
    try {
      if (!isChannel && !(await hasBoards(channelId))) {
        return;
      }
      for (const board of read(await table.inChannel(guildId, channelId))) {
        if (isChannel || (messageIds.includes(board.messageId ?? "") && mustRepost(board))) {
          const isSoon = isChannel || isRunning(board.settings.schedule, nowMs);
          await table.forgetMessage(board, isSoon ? soonMs : undefined);
        }
      }
    } catch (error) {
      log.warn({ error, guild: guildId }, "deletion not recorded");
    }
  };
}

/** A board that posts each time does not. Nor does one that deleted the old message itself, to replace it. */
function mustRepost({ claimedSlotMs, settings: { mode } }: Subscription): boolean {
  return mode === "edit" || (mode === "replace" && claimedSlotMs === undefined);
}
