// A board's message that somebody deleted, or its channel: the board need not find that out when it next has something
// new to show. Where its message is to stand at present, another one soon takes its place; a person who wants none pauses
// or removes the board.
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { BoardsTable } from "./boards-table.ts";
import type { Deletion } from "../core/ports.ts";
import { isRunning } from "../time/slots.ts";
import { type Subscription, createBoardReader } from "./boards.ts";

const MINUTE_MS = 60_000;

/** Notes deletions. It never throws: what is lost here is found at the board's next change. */
export function createDeletionHandler({
  table,
  clock,
  log,
}: {
  readonly table: Pick<BoardsTable, "activeChannels" | "inChannel" | "forgetMessage">;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const read = createBoardReader(log);
  let known: { readonly ids: Promise<ReadonlySet<string>>; readonly readAtMs: number } | undefined;

  /**
   * In a busy server, messages are deleted all the time, hardly ever where a board is: those must not cost a query each. A
   * board that is younger than this knowledge notices a deletion when it next changes.
   */
  async function hasBoards(channelId: string): Promise<boolean> {
    const nowMs = clock.now();
    if (known === undefined || Math.abs(nowMs - known.readAtMs) >= MINUTE_MS) {
      known = { ids: readChannels(), readAtMs: nowMs };
    }
    return (await known.ids).has(channelId);
  }

  async function readChannels(): Promise<ReadonlySet<string>> {
    try {
      return new Set(await table.activeChannels());
    } catch (error) {
      known = undefined;
      throw error;
    }
  }

  return async ({ guildId, channelId, messageIds }: Deletion): Promise<void> => {
    const isChannel = messageIds === "all";
    const nowMs = clock.now();
    // A slot of its own, which nobody can have sent before: slots are whole minutes.
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

/** What was posted once and for all is not; nor is what the board itself takes away, to show something new below. */
function mustRepost({ claimedSlotMs, settings: { mode } }: Subscription): boolean {
  return mode === "edit" || (mode === "replace" && claimedSlotMs === undefined);
}
