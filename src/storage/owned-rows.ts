// Lists the rows that belong to a guild or to a person, so that all of them can be exported and erased. A test reads
// the schema and fails if a column with such an id is missing here.
import { sql } from "kysely";
import { type Row, put, readRows, toRow } from "./row.ts";
import type { AnyRow, Engine, Queries, Schema } from "./schema.ts";

export interface OwnedColumn {
  readonly table: keyof Schema;
  readonly column: string;
  /** The whole row; only the owner's id, if others still need the row; or only the column that `alongWith` names. */
  readonly erase: "row" | "id" | "nothing";
  /** Rows that are deleted even if `erase` is `id`. */
  readonly exceptWhere?: { readonly column: string; readonly isOneOf: readonly string[] };
  /** A column that is erased even though the row stays. */
  readonly alongWith?: string;
  /** Columns that are not exported: credentials, links to files, and other people's ids. */
  readonly hidden?: readonly string[];
}

export const GUILD_ROWS: readonly OwnedColumn[] = [
  { table: "leftGuilds", column: "guildId", erase: "row" },
  { table: "guildUses", column: "guildId", erase: "row" },
  // A block lasts until the bot's owner ends it, even if the bot left the server long ago.
  { table: "blockedGuilds", column: "guildId", erase: "nothing", alongWith: "name" },
  { table: "boards", column: "guildId", erase: "row" },
  { table: "publishings", column: "guildId", erase: "row" },
  { table: "watches", column: "guildId", erase: "row" },
  // For a person's own watch, only the place where they created it belongs to the server.
  { table: "watches", column: "askedGuildId", erase: "id", alongWith: "askedChannelId" },
  { table: "incidents", column: "guildId", erase: "row" },
  { table: "publications", column: "guildId", erase: "row" },
  { table: "videoAccounts", column: "guildId", erase: "row" },
  { table: "videoSettings", column: "guildId", erase: "row" },
  { table: "videoActs", column: "guildId", erase: "row" },
  { table: "videoSamples", column: "guildId", erase: "row" },
  // Kept as long as there are backups from before the erasure.
  { table: "erasures", column: "guildId", erase: "nothing" },
];

export const USER_ROWS: readonly OwnedColumn[] = [
  // A board belongs to its server and not to its creator; only a draft belongs to the creator.
  { table: "boards", column: "createdBy", erase: "id", exceptWhere: { column: "state", isOneOf: ["draft"] } },
  { table: "recentChoices", column: "userId", erase: "row" },
  { table: "watches", column: "ownerId", erase: "row" },
  { table: "incidents", column: "ownerId", erase: "row" },
  // One that waits for approval goes too: without its submitter's id, nobody may approve it any more.
  {
    table: "publications",
    column: "submittedBy",
    erase: "id",
    exceptWhere: { column: "state", isOneOf: ["draft", "awaiting-approval"] },
    hidden: ["fileUrl", "decidedBy"],
  },
  { table: "publications", column: "decidedBy", erase: "id", hidden: ["fileUrl", "submittedBy"] },
  { table: "videoAccounts", column: "linkedBy", erase: "id", hidden: ["sealedToken"] },
  { table: "videoActs", column: "actorId", erase: "id" },
  { table: "erasures", column: "userId", erase: "nothing" },
];

/** Rows by table. Tables without rows are omitted. */
type OwnedRows = Readonly<Record<string, readonly unknown[]>>;

export type StoredData = ReturnType<typeof createStoredData>;

/** Reads and erases the data of guilds and of people in all tables. Throws as queries do. */
export function createStoredData(engine: Engine) {
  const { queries } = engine;
  return {
    /** Returns every guild with rows of its own, including those that the bot has left. */
    guildIds: () => readGuildIds(queries),
    eraseGuild: (guildId: string) => eraseRows(engine, GUILD_ROWS, { guildId, userId: undefined }),
    /** Erases a person's data. What they created for a guild stays, without their id. */
    eraseUser: (userId: string) => eraseRows(engine, USER_ROWS, { userId, guildId: undefined }),
    /** Returns all data of a person, except credentials, links to files and other people's ids. */
    exportUser: (userId: string) => readUserRows(queries, userId),
  };
}

/** Erases the data of one owner, all or nothing. The erasure itself is recorded for as long as backups are kept. */
async function eraseRows(
  { queries, lock }: Engine,
  places: readonly OwnedColumn[],
  owner: Omit<Erasure, "atMs">,
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    const atMs = await lock(transaction, "write");
    for (const place of places) {
      await eraseFrom(transaction, place, owner.guildId ?? owner.userId ?? "");
    }
    await createErasuresTable(transaction).note({ ...owner, atMs });
  });
}

async function eraseFrom(transaction: Queries, place: OwnedColumn, id: string): Promise<void> {
  const { erase, exceptWhere, alongWith } = place;
  const table = sql.table(place.table);
  const isOwners = sql`${sql.ref(place.column)} = ${id}`;
  if (erase === "row") {
    await sql`delete from ${table} where ${isOwners}`.execute(transaction);
    return;
  }
  if (exceptWhere !== undefined) {
    const isException = sql`${sql.ref(exceptWhere.column)} in (${sql.join(exceptWhere.isOneOf)})`;
    await sql`delete from ${table} where ${isOwners} and ${isException}`.execute(transaction);
  }
  if (alongWith !== undefined) {
    await sql`update ${table} set ${sql.ref(alongWith)} = null where ${isOwners}`.execute(transaction);
  }
  if (erase === "id") {
    await sql`update ${table} set ${sql.ref(place.column)} = null where ${isOwners}`.execute(transaction);
  }
}

/** Returns all rows of a person without their hidden columns. */
async function readUserRows(queries: Queries, id: string): Promise<OwnedRows> {
  const found: Record<string, readonly unknown[]> = {};
  for (const { table, column, hidden = [] } of USER_ROWS) {
    const { rows } = await sql<AnyRow>`
      select * from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(queries);
    if (rows.length > 0) {
      const shown = rows.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name))),
      );
      found[table] = [...(found[table] ?? []), ...shown];
    }
  }
  return found;
}

async function readGuildIds(queries: Queries): Promise<readonly string[]> {
  const ids = new Set<string | null>();
  for (const { table, column } of GUILD_ROWS.filter(({ erase }) => erase === "row")) {
    const { rows } = await sql<{ id: string | null }>`
      select distinct ${sql.ref(column)} as id from ${sql.table(table)}`.execute(queries);
    rows.forEach(({ id }) => ids.add(id));
  }
  return [...ids].filter((id) => id !== null);
}

// Recent erasures. A backup may still contain the erased rows: after it is restored, they are erased again.

declare module "./schema.ts" {
  interface Schema {
    readonly erasures: Row<Erasure>;
  }
}

export interface Erasure {
  readonly guildId: string | undefined;
  readonly userId: string | undefined;
  readonly atMs: number;
}

export function createErasuresTable(queries: Queries) {
  return {
    /** Records an erasure; if the owner was erased before, the new time replaces the old one. */
    note: (erasure: Erasure) =>
      put(queries, "erasures", toRow(erasure), erasure.guildId === undefined ? "userId" : "guildId"),
    all: () => readRows<Erasure>(queries.selectFrom("erasures").selectAll()),
    async forget(beforeMs: number): Promise<void> {
      await queries.deleteFrom("erasures").where("atMs", "<", beforeMs).execute();
    },
  };
}
