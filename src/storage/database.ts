// What the bot remembers, behind one door: embedded for one process, PostgreSQL for several.
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { createLeftGuildsTable, type LeftGuildsTable } from "./left-guilds-table.ts";
import { migrate } from "./migrate.ts";
import { GUILD_ROWS, USER_ROWS, eraseRows, readRows, type KeptRows } from "./owned-rows.ts";
import type { Engine } from "./schema.ts";
import { createSpendingTable, type SpendingTable } from "./spending-table.ts";

/** An open database, up to date. Throws ServiceError `unavailable` of `storage` while its server is away. */
export interface Database {
  readonly spending: SpendingTable;
  readonly leftGuilds: LeftGuildsTable;
  /** Removes everything kept about a guild. */
  eraseGuild(guildId: string): Promise<void>;
  /** Removes everything kept about a person. */
  eraseUser(userId: string): Promise<void>;
  /** Everything kept about a person. */
  exportUser(userId: string): Promise<KeptRows>;
  close(): Promise<void>;
}

/** What a database is opened with. */
export interface DatabaseOptions {
  /** `sqlite:` and a file, `sqlite::memory:`, or `postgres://…` */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens a database and brings it up to date. Throws a ConfigError for one that cannot be used. */
export async function openDatabase({ url, clock, log }: DatabaseOptions): Promise<Database> {
  const engine = await openEngine(url, log);
  const { queries } = engine;
  try {
    await migrate(engine, clock);
  } catch (error) {
    await queries.destroy();
    throw error;
  }
  return {
    spending: createSpendingTable(engine),
    leftGuilds: createLeftGuildsTable(queries),
    eraseGuild: (guildId) => eraseRows(queries, GUILD_ROWS, guildId),
    eraseUser: (userId) => eraseRows(queries, USER_ROWS, userId),
    exportUser: (userId) => readRows(queries, USER_ROWS, userId),
    close: () => queries.destroy(),
  };
}

const SQLITE_SCHEME = "sqlite:";

/** Each engine's library is loaded only where it is used. */
export async function openEngine(url: string, log: Log): Promise<Engine> {
  if (url.startsWith(SQLITE_SCHEME)) {
    const { openSqlite } = await import("./sqlite.ts");
    return openSqlite(url.slice(SQLITE_SCHEME.length));
  }
  const { openPostgres } = await import("./postgres.ts");
  return openPostgres(url, log);
}
