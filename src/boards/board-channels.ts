// Which channels have active boards. In a busy server messages are deleted all the time, hardly ever in such a channel:
// those must not cost a query each.
import type { Clock } from "../core/clock.ts";
import type { BoardsTable } from "./boards-table.ts";
import type { Connection } from "../core/ports.ts";

/** The channels with active boards, of all processes. */
export interface BoardChannels {
  /**
   * Boards that this process activates or moves by {@link BoardChannels.table} are known at once, those of other
   * processes within a minute. Throws as the database does.
   */
  has(channelId: string): Promise<boolean>;
  /** The table, by which changes of a board's state are noticed. */
  readonly table: BoardsTable;
}

const REFRESH_MS = 60_000;

export function createBoardChannels(table: BoardsTable, clock: Clock): BoardChannels {
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
    async has(channelId) {
      const nowMs = clock.now();
      if (known === undefined || Math.abs(nowMs - known.readAtMs) >= REFRESH_MS) {
        known = { ids: read(), readAtMs: nowMs };
      }
      return (await known.ids).has(channelId);
    },
    table: {
      ...table,
      async changeState(...change) {
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

export interface ChannelNames {
  /** Takes over what these are called now, and forgets all others. One that is gone keeps the name that it had. */
  keep(channelIds: Iterable<string>): void;
  /** `undefined` for one that this process never saw. */
  get(channelId: string): string | undefined;
}

export function createChannelNames({ channelName }: Pick<Connection, "channelName">): ChannelNames {
  let names: ReadonlyMap<string, string> = new Map();
  return {
    keep(channelIds) {
      const kept = new Map<string, string>();
      for (const id of channelIds) {
        const name = channelName(id) ?? names.get(id);
        if (name !== undefined) {
          kept.set(id, name);
        }
      }
      names = kept;
    },
    get: (channelId) => names.get(channelId),
  };
}
