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
export function createNoteDeletion({
  table,
  clock,
  log,
}: {
  readonly table: Pick<BoardsTable, "inChannel" | "loseMessage">;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const read = createBoardReader(log);

  return async ({ guildId, channelId, messageIds }: Deletion): Promise<void> => {
    const isChannel = messageIds === "all";
    const nowMs = clock.now();
    // A slot of its own, which nobody can have sent before: slots are whole minutes.
    const soonMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
    try {
      for (const board of read(await table.inChannel(guildId, channelId))) {
        if (isChannel || (messageIds.includes(board.messageId ?? "") && isMissed(board))) {
          const isSoon = isChannel || isRunning(board.settings.schedule, nowMs);
          await table.loseMessage(board, isSoon ? soonMs : undefined);
        }
      }
    } catch (error) {
      log.warn({ error, guild: guildId }, "deletion not recorded");
    }
  };
}

/** What was posted once and for all is not; nor is what the board itself takes away, to show something new below. */
function isMissed({ claimedSlotMs, settings: { mode } }: Subscription): boolean {
  return mode === "edit" || (mode === "replace" && claimedSlotMs === undefined);
}
