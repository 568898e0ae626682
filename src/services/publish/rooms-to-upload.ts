// How many files this process sends at once, and whose turn it is: a server with many waits behind one with a first.
import type { PublicationRecord } from "../../storage/publications-table.ts";

/** The places of one process. */
export interface UploadRooms {
  /** How many are taken. */
  readonly taken: number;
  /** Takes one, or says that there is none. */
  take(record: Pick<PublicationRecord, "id" | "guildId">): boolean;
  /** Gives back what it had, if anything; says whether it had one. */
  giveBack(id: string): boolean;
  /** Those that may go first, first: of the servers that have least on its way. */
  inTurn(waiting: readonly PublicationRecord[]): readonly PublicationRecord[];
}

/** Enough for a line, and few enough for a small machine. */
const MOST_AT_ONCE = 2;

/** Makes them, all free. */
export function createUploadRooms(): UploadRooms {
  const guilds = new Map<string, string>();

  function countOf(guildId: string): number {
    return guilds.values().reduce((count, id) => count + (id === guildId ? 1 : 0), 0);
  }

  return {
    get taken() {
      return guilds.size;
    },
    take({ id, guildId }) {
      if (!guilds.has(id) && guilds.size >= MOST_AT_ONCE) {
        return false;
      }
      guilds.set(id, guildId);
      return true;
    },
    giveBack: (id) => guilds.delete(id),
    inTurn(waiting) {
      const before = new Map<string, number>();
      const placed = waiting.map((record) => {
        const place = before.get(record.guildId) ?? countOf(record.guildId);
        before.set(record.guildId, place + 1);
        return { record, place };
      });
      // Equal places stay in order: the longest due first.
      return placed.toSorted((a, b) => a.place - b.place).map(({ record }) => record);
    },
  };
}
