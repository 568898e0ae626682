// Reads the settings of thousands of boards again and again, but parses each text once.
import { LRUCache } from "lru-cache";
import type { Log } from "../../core/log.ts";
import type { BoardRecord } from "../../storage/boards-table.ts";
import { parseBoardSettings } from "../boards/board-settings.ts";
import type { BoardSettings } from "../boards/boards.ts";

/** Gives a board's settings; `undefined` for what cannot be read, which is a bug and is logged once. */
export type ReadSettings = (board: Pick<BoardRecord, "id" | "settings">) => BoardSettings | undefined;

/** About a kilobyte each. */
const MOST_KEPT = 5_000;

/** Makes a reader with a memory of its own. */
export function createSettingsReader(log: Log): ReadSettings {
  const known = new LRUCache<string, { readonly settings: BoardSettings | undefined }>({ max: MOST_KEPT });

  function parse({ id, settings }: Pick<BoardRecord, "id" | "settings">): BoardSettings | undefined {
    try {
      return parseBoardSettings(settings);
    } catch (error) {
      log.error({ error, board: id }, "a board's settings cannot be read; it does not run");
      return undefined;
    }
  }

  return (board) => {
    const entry = known.get(board.settings) ?? { settings: parse(board) };
    known.set(board.settings, entry);
    return entry.settings;
  };
}
