// Which rows belong to a guild or to a person, so that all of them can be shown and erased. A test reads the schema
// and fails for a column with such an id that is missing here.
import { sql } from "kysely";
import { type Row, readRows, toRow } from "./row.ts";
import type { Engine, Queries, Schema } from "./schema.ts";

export interface OwnedColumn {
  readonly table: keyof Schema;
  readonly column: string;
  /**
   * What erasing takes away: the whole row; only the id in it, where the row is of use to others as well; or neither, and
   * only what is named below.
   */
  readonly erase: "row" | "id" | "nothing";
  /** Where only the id is taken away: rows that go all the same. */
  readonly exceptWhere?: { readonly column: string; readonly isOneOf: readonly string[] };
  /** Where the row stays: what goes all the same. */
  readonly alongWith?: string;
  /** What is shown to nobody: credentials, and who others are. */
  readonly hidden?: readonly string[];
}

/** Tables with rows of a guild. */
export const GUILD_ROWS: readonly OwnedColumn[] = [
  { table: "leftGuilds", column: "guildId", erase: "row" },
  { table: "guildUses", column: "guildId", erase: "row" },
  // A block lasts until the owner ends it, also for a server that has long left.
  { table: "blockedGuilds", column: "guildId", erase: "nothing", alongWith: "name" },
  { table: "boards", column: "guildId", erase: "row" },
  { table: "publishings", column: "guildId", erase: "row" },
  { table: "watches", column: "guildId", erase: "row" },
  // Where a person asked for a watch of their own is nothing of the server's but its name.
  { table: "watches", column: "askedGuildId", erase: "id", alongWith: "askedChannelId" },
  { table: "incidents", column: "guildId", erase: "row" },
  { table: "publications", column: "guildId", erase: "row" },
  { table: "videoAccounts", column: "guildId", erase: "row" },
  { table: "videoSettings", column: "guildId", erase: "row" },
  { table: "videoActs", column: "guildId", erase: "row" },
  { table: "videoSamples", column: "guildId", erase: "row" },
  // For as long as there are backups from before.
  { table: "erasures", column: "guildId", erase: "nothing" },
];

/** Tables with rows of a person. */
export const USER_ROWS: readonly OwnedColumn[] = [
  // A board is its server's, not its creator's; a draft is nobody else's yet.
  { table: "boards", column: "createdBy", erase: "id", exceptWhere: { column: "state", isOneOf: ["draft"] } },
  { table: "recentChoices", column: "userId", erase: "row" },
  { table: "watches", column: "ownerId", erase: "row" },
  { table: "incidents", column: "ownerId", erase: "row" },
  // What waits for approval goes too: without a name, nobody could tell that it is not its submitter who approves it.
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

/** Rows as they are kept, by table. Tables without any are left out. */
type OwnedRows = Readonly<Record<string, readonly unknown[]>>;

export type StoredData = ReturnType<typeof createStoredData>;

/** What is kept of guilds and of people, in all tables. Throws as queries do. */
export function createStoredData(engine: Engine) {
  const { queries } = engine;
  return {
    /** Every guild of which anything is kept, those that left included. */
    guildIds: () =>
      readOwners(
        queries,
        GUILD_ROWS.filter(({ erase }) => erase !== "nothing"),
      ),
    eraseGuild: (guildId: string) => eraseRows(engine, GUILD_ROWS, { guildId, userId: undefined }),
    /** What a person made for a guild stays, without their name on it. */
    eraseUser: (userId: string) => eraseRows(engine, USER_ROWS, { userId, guildId: undefined }),
    /** Everything kept about a person, except credentials, links to files and others' ids. */
    exportUser: (userId: string) => readOwned(queries, USER_ROWS, userId),
  };
}

/** Removes what is kept of one owner at once, or nothing. That it was done is kept for as long as backups are. */
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

/** Gives all rows of one owner, without what is hidden in them. */
async function readOwned(queries: Queries, places: readonly OwnedColumn[], id: string): Promise<OwnedRows> {
  const found: Record<string, readonly unknown[]> = {};
  for (const { table, column, hidden = [] } of places) {
    const { rows } = await sql<
      Record<string, unknown>
    >`select * from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(queries);
    if (rows.length > 0) {
      const shown = rows.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name))),
      );
      found[table] = [...(found[table] ?? []), ...shown];
    }
  }
  return found;
}

/** Everyone of whom something is kept in these places, each once. */
async function readOwners(queries: Queries, places: readonly OwnedColumn[]): Promise<readonly string[]> {
  const owners = new Set<string>();
  for (const { table, column } of places) {
    const { rows } = await sql<{
      id: string | null;
    }>`select distinct ${sql.ref(column)} as id from ${sql.table(table)}`.execute(queries);
    for (const { id } of rows) {
      if (id !== null) {
        owners.add(id);
      }
    }
  }
  return [...owners];
}

// Who was erased lately. A backup may still contain them: once it is restored, they are erased again.

declare module "./schema.ts" {
  interface Schema {
    readonly erasures: Row<Erasure>;
  }
}

/** Of a server or of a person. */
export interface Erasure {
  readonly guildId: string | undefined;
  readonly userId: string | undefined;
  readonly atMs: number;
}

export function createErasuresTable(queries: Queries) {
  return {
    /** Of several times, the last one counts. */
    async note(erasure: Erasure): Promise<void> {
      await queries
        .insertInto("erasures")
        .values(toRow(erasure))
        .onConflict((conflict) =>
          conflict
            .column(erasure.guildId === undefined ? "userId" : "guildId")
            .doUpdateSet({ atMs: erasure.atMs }),
        )
        .execute();
    },
    all: () => readRows<Erasure>(queries.selectFrom("erasures").selectAll()),
    async forget(beforeMs: number): Promise<void> {
      await queries.deleteFrom("erasures").where("atMs", "<", beforeMs).execute();
    },
  };
}
