// A board's message that somebody deleted, or its channel: the board need not find that out when it next has something
// new to show. Where its message is to stand at present, another one soon takes its place; a person who wants none pauses
// or removes the board.
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { BoardRecord, BoardsTable } from "./boards-table.ts";
import { createSettingsReader } from "./board-settings.ts";
import type { Deletion } from "../core/ports.ts";
import { isRunning } from "../time/slots.ts";
import type { BoardSettings } from "./boards.ts";

const MINUTE_MS = 60_000;

/** Notes deletions. It never throws: what is lost here is found at the board's next change. */
export function createNoteDeletion({
  table,
  channels,
  clock,
  log,
}: {
  readonly table: Pick<BoardsTable, "inChannel" | "loseMessage">;
  readonly channels: Pick<BoardChannels, "has">;
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
      if (!(await channels.has(channelId))) {
        return;
      }
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

const REFRESH_MS = 60_000;

export type BoardChannels = ReturnType<typeof createBoardChannels>;

/**
 * Which channels have active boards, of all processes. In a busy server messages are deleted all the time, hardly ever in
 * such a channel: those must not cost a query each.
 */
export function createBoardChannels(table: BoardsTable, clock: Clock) {
  let known: { readonly ids: Promise<ReadonlySet<string>>; readonly readAtMs: number } | undefined;

  async function read(): Promise<ReadonlySet<string>> {
    try {
      return new Set(await table.activeChannels());
    } catch (error) {
      known = undefined;
      throw error;
    }
  }

  return {
    /**
     * Boards that this process activates or moves by {@link BoardChannels.table} are known at once, those of other
     * processes within a minute. Throws as the database does.
     */
    async has(channelId: string): Promise<boolean> {
      const nowMs = clock.now();
      if (known === undefined || Math.abs(nowMs - known.readAtMs) >= REFRESH_MS) {
        known = { ids: read(), readAtMs: nowMs };
      }
      return (await known.ids).has(channelId);
    },

    /** The table, by which changes of a board's state are noticed. */
    table: {
      ...table,
      async changeState(...change: Parameters<BoardsTable["changeState"]>) {
        try {
          return await table.changeState(...change);
        } finally {
          // Also where its answer was lost: it may have been made.
          known = undefined;
        }
      },
    },
  };
}
