// Tokens are encrypted, so the database alone is of no use to a thief.
import { type Row, countRows, fromRow, put, readRows, toRow } from "../storage/row.ts";
import { type AuditRecord, withAuditRecords } from "./video-records-table.ts";
import { isBotInGuild } from "../storage/left-guilds-table.ts";
import type { Queries } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly videoAccounts: Row<VideoAccountRecord>;
  }
}

/** One per server. Times are milliseconds since the epoch. */
export interface VideoAccountRecord {
  readonly guildId: string;
  readonly accountId: string;
  readonly name: string | undefined;
  /** Encrypted by `createSecretBox` of src/core. */
  readonly sealedToken: string;
  /** Permissions by the service's names, separated by spaces; may be empty. */
  readonly missing: string;
  readonly linkedBy: string | undefined;
  readonly linkedAtMs: number;
  readonly endsAtMs: number | undefined;
  /** Why the service no longer accepts it; `undefined` while it does. */
  readonly brokenBecause: string | undefined;
  readonly checkedAtMs: number;
}

/** The account of a server that the bot has left is not found: nobody may use it until the bot is back. */
export function createVideoAccountsTable(queries: Queries) {
  return {
    async get(guildId: string): Promise<VideoAccountRecord | undefined> {
      const row = await queries
        .selectFrom("videoAccounts")
        .selectAll()
        .where("guildId", "=", guildId)
        .where(isBotInGuild("videoAccounts.guildId"))
        .executeTakeFirst();
      return row && fromRow<VideoAccountRecord>(row);
    },
    put: (account: VideoAccountRecord, auditRecords: readonly AuditRecord[] = []) =>
      withAuditRecords(queries, auditRecords, async (within) => {
        await put(within, "videoAccounts", toRow(account), "guildId");
        return true;
      }),
    /** Returns whether it was still the one linked at `linkedAtMs`. */
    change: (
      { guildId, linkedAtMs }: Pick<VideoAccountRecord, "guildId" | "linkedAtMs">,
      changes: Partial<Pick<VideoAccountRecord, "name" | "endsAtMs" | "brokenBecause" | "checkedAtMs">>,
      auditRecords: readonly AuditRecord[] = [],
    ): Promise<boolean> =>
      withAuditRecords(queries, auditRecords, async (within) => {
        const { numUpdatedRows } = await within
          .updateTable("videoAccounts")
          .set(toRow(changes))
          .where((eb) => eb.and({ guildId, linkedAtMs }))
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      }),
    /** Returns whether it was still the one linked at `linkedAtMs`. */
    remove: (
      { guildId, linkedAtMs }: Pick<VideoAccountRecord, "guildId" | "linkedAtMs">,
      auditRecords: readonly AuditRecord[] = [],
    ): Promise<boolean> =>
      withAuditRecords(queries, auditRecords, async (within) => {
        const { numDeletedRows } = await within
          .deleteFrom("videoAccounts")
          .where((eb) => eb.and({ guildId, linkedAtMs }))
          .executeTakeFirstOrThrow();
        return numDeletedRows > 0n;
      }),
    countBroken: () =>
      countRows(
        queries
          .selectFrom("videoAccounts")
          .where("brokenBecause", "is not", null)
          .where(isBotInGuild("videoAccounts.guildId")),
      ),
    /** Includes servers that the bot has left. */
    async guildIds(): Promise<ReadonlySet<string>> {
      const rows = await queries.selectFrom("videoAccounts").select("guildId").execute();
      return new Set(rows.map(({ guildId }) => guildId));
    },
    /** Includes servers that the bot has left. */
    sealed: () => queries.selectFrom("videoAccounts").select(["guildId", "sealedToken"]).execute(),
    /** Does nothing if the token was replaced in the meantime. */
    async reseal(guildId: string, before: string, after: string): Promise<void> {
      await queries
        .updateTable("videoAccounts")
        .set({ sealedToken: after })
        .where((eb) => eb.and({ guildId, sealedToken: before }))
        .execute();
    },
    checkedBefore: (atMs: number, limit: number) =>
      readRows<VideoAccountRecord>(
        queries
          .selectFrom("videoAccounts")
          .selectAll()
          .where("checkedAtMs", "<", atMs)
          .where(isBotInGuild("videoAccounts.guildId"))
          .orderBy("checkedAtMs")
          .orderBy("guildId")
          .limit(limit),
      ),
  };
}

export type VideoAccountsTable = ReturnType<typeof createVideoAccountsTable>;
