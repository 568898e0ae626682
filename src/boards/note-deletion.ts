// A board's message that somebody deleted, or its channel: the board need not find that out when it next has something
// new to show. Where its message is to stand at present, another one soon takes its place; a person who wants none pauses
// or removes the board.
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { BoardRecord, BoardsTable } from "./boards-table.ts";
import { createSettingsReader } from "./boards.ts";
import type { Deletion } from "../core/ports.ts";
import { isRunning } from "../time/slots.ts";
import type { BoardSettings } from "./boards.ts";

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
  const readSettings = createSettingsReader(log);

  async function note(record: BoardRecord, settings: BoardSettings, isChannel: boolean): Promise<void> {
    const nowMs = clock.now();
    // A slot of its own, which nobody can have sent before: slots are whole minutes.
    const soonMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
    const isSoon = isChannel || isRunning(settings.schedule, nowMs);
    await table.loseMessage(record, isSoon ? soonMs : undefined);
  }

  return async ({ guildId, channelId, messageIds }: Deletion): Promise<void> => {
    try {
      for (const record of await table.inChannel(guildId, channelId)) {
        const isMeant = messageIds === "all" || messageIds.includes(record.messageId ?? "");
        const settings = isMeant ? readSettings(record) : undefined;
        if (settings !== undefined && (messageIds === "all" || isMissed(record, settings))) {
          await note(record, settings, messageIds === "all");
        }
      }
    } catch (error) {
      log.warn({ error, guild: guildId }, "deletion not recorded");
    }
  };
}

/** What was posted once and for all is not; nor is what the board itself takes away, to show something new below. */
function isMissed({ claimedSlotMs }: BoardRecord, { mode }: BoardSettings): boolean {
  return mode === "edit" || (mode === "replace" && claimedSlotMs === undefined);
}
