// An incident is claimed before anything is sent for it. Each change names the revision that it follows.
import { sql } from "kysely";
import { type Row, putIfAbsent, readRows, toRow } from "../storage/row.ts";
import type { Engine, Queries } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly incidents: Row<IncidentRecord>;
  }
}

/** Times are milliseconds since the epoch; `undefined` is null in the database. */
export interface IncidentRecord {
  readonly watchId: string;
  /** The UK day, "YYYY-MM-DD", or a number for disruptions. */
  readonly day: string;
  /** Stored so that the incident is erased with the watch. */
  readonly ownerId: string;
  /** `undefined` if the watch notifies by DM. */
  readonly guildId: string | undefined;
  readonly revision: number;
  /** JSON for `parseKnowledge` of train-knowledge.ts. */
  readonly knowledge: string;
  /** By the database's clock; `undefined` if there is no claim or it has expired. */
  readonly claimedUntilMs: number | undefined;
  /** Since when its message may have been sent; set while the outcome is unknown. */
  readonly postingSinceMs: number | undefined;
  /** The current message. For a DM, the channel is the person's DM channel. */
  readonly channelId: string | undefined;
  readonly messageId: string | undefined;
  /** `undefined` if it is unknown what the message shows. */
  readonly shownHash: string | undefined;
  /** When its day was over and everything was reported; `undefined` until then. */
  readonly closedAtMs: number | undefined;
}

export type IncidentKey = Pick<IncidentRecord, "watchId" | "day">;

/** An absent field stays unchanged, `undefined` clears the column. */
export type IncidentChanges = Partial<
  Omit<IncidentRecord, "watchId" | "day" | "ownerId" | "guildId" | "revision" | "claimedUntilMs">
> & {
  /** How long to claim the incident from now; `undefined` ends the claim. */
  readonly claimForMs?: number | undefined;
};

/** `undefined` if there was no row. */
export interface IncidentWrite extends IncidentKey {
  readonly seenRevision: number | undefined;
  readonly changes: IncidentChanges & Pick<IncidentRecord, "knowledge">;
}

export function incidentKey({ watchId, day }: IncidentKey): string {
  return `${watchId} ${day}`;
}

export type IncidentsTable = ReturnType<typeof createIncidentsTable>;

export function createIncidentsTable(engine: Engine) {
  const { queries, now, lock } = engine;
  return {
    /** Oldest day first. */
    ofWatch: (watchId: string) =>
      readRows<IncidentRecord>(
        queries.selectFrom("incidents").selectAll().where("watchId", "=", watchId).orderBy("day"),
      ),

    /** Oldest day first. */
    due: (nowMs: number) =>
      readRows<IncidentRecord>(
        queries
          .selectFrom("incidents")
          .innerJoin("watches", "watches.id", "incidents.watchId")
          .selectAll("incidents")
          .where("watches.state", "=", "active")
          .where((eb) => eb.or([eb("watches.nextAtMs", "is", null), eb("watches.nextAtMs", "<=", nowMs)]))
          .select(
            sql<
              number | null
            >`case when ${sql.ref("incidents.claimedUntilMs")} > ${now()} then ${sql.ref("incidents.claimedUntilMs")} end`.as(
              "claimedUntilMs",
            ),
          )
          .orderBy("incidents.day"),
      ),

    /**
     * Writes, in one transaction, those that nobody else changed and whose watches are active. Returns the
     * keys, by {@link incidentKey}, of those that succeeded. A new row gets revision 1; each change adds 1.
     */
    write: (writes: readonly IncidentWrite[]): Promise<ReadonlySet<string>> =>
      queries.transaction().execute(async (transaction) => {
        await lock(transaction, "write");
        const owners = await readOwners(
          transaction,
          writes.map(({ watchId }) => watchId),
        );
        const written = new Set<string>();
        for (const write of writes) {
          const owner = owners.get(write.watchId);
          if (owner !== undefined && (await writeOne(engine, transaction, write, owner))) {
            written.add(incidentKey(write));
          }
        }
        return written;
      }),

    /** Changes a row if it is still at this revision, whatever the state of its watch. Returns `false` otherwise. */
    finish: (seen: IncidentKey & Pick<IncidentRecord, "revision">, changes: IncidentChanges) =>
      update(engine, queries, seen, changes),
  };
}

type Owner = Pick<IncidentRecord, "ownerId" | "guildId">;

async function readOwners(
  transaction: Queries,
  watchIds: readonly string[],
): Promise<ReadonlyMap<string, Owner>> {
  if (watchIds.length === 0) {
    return new Map();
  }
  const rows = await transaction
    .selectFrom("watches")
    .select(["id", "ownerId", "guildId"])
    .where("id", "in", watchIds)
    .where("state", "=", "active")
    .execute();
  return new Map(rows.map(({ id, ownerId, guildId }) => [id, { ownerId, guildId: guildId ?? undefined }]));
}

async function writeOne(
  engine: Engine,
  transaction: Queries,
  { watchId, day, seenRevision, changes }: IncidentWrite,
  owner: Owner,
): Promise<boolean> {
  if (seenRevision !== undefined) {
    return update(engine, transaction, { watchId, day, revision: seenRevision }, changes);
  }
  const row = { ...toRow(owner), ...rowOf(engine, changes), watchId, day, revision: 1 };
  return putIfAbsent(transaction, "incidents", row, "watchId", "day");
}

function rowOf<T extends IncidentChanges>({ now }: Engine, changes: T) {
  const { claimForMs, ...others } = changes;
  const claimedUntilMs = claimForMs === undefined ? null : sql<number>`${now()} + ${sql.lit(claimForMs)}`;
  return { ...toRow(others), ...("claimForMs" in changes && { claimedUntilMs }) };
}

async function update(
  engine: Engine,
  queries: Queries,
  { watchId, day, revision }: IncidentKey & Pick<IncidentRecord, "revision">,
  changes: IncidentChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable("incidents")
    .set({ ...rowOf(engine, changes), revision: revision + 1 })
    .where((eb) => eb.and({ watchId, day, revision }))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
