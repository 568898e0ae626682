// Tables beside publications.
import { type PageCursor, type Row, put, putIfAbsent, readRows, toRow } from "../storage/row.ts";
import type { Queries, Schema } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    /** JSON that videos/settings parses. */
    readonly videoSettings: { readonly guildId: string; readonly settings: string };
    readonly videoActs: Row<AuditRecord>;
    readonly videoSamples: Row<VideoSampleRecord>;
  }
}

export interface AuditRecord {
  readonly id: string;
  readonly guildId: string;
  readonly atMs: number;
  /** `undefined` for the bot itself, and for a person who had their data erased. */
  readonly actorId: string | undefined;
  /** One of `AuditAction` of videos/settings. */
  readonly act: string;
  readonly publicationId: string | undefined;
  readonly videoId: string | undefined;
  /** Details in words, e.g. a title or a reason. Never a token. */
  readonly note: string | undefined;
}

/** `undefined` for those that the service did not give. */
export interface VideoSampleRecord {
  readonly guildId: string;
  readonly videoId: string;
  readonly atMs: number;
  readonly views: number | undefined;
  readonly likes: number | undefined;
  readonly comments: number | undefined;
  readonly shares: number | undefined;
}

/** Precedes every row. */
export const FIRST_PAGE: PageCursor = { atMs: Number.MAX_SAFE_INTEGER };

export interface AuditPage {
  readonly limit: number;
  readonly before?: PageCursor | undefined;
  readonly publicationId?: string | undefined;
}

/** In one transaction; writes none if nothing was changed (`undefined`, `false`). */
export async function withAuditRecords<T extends object | boolean | undefined>(
  queries: Queries,
  auditRecords: readonly AuditRecord[],
  change: (queries: Queries) => Promise<T>,
): Promise<T> {
  if (auditRecords.length === 0) {
    return change(queries);
  }
  return queries.transaction().execute(async (transaction) => {
    const changed = await change(transaction);
    if (changed !== undefined && changed !== false) {
      await transaction
        .insertInto("videoActs")
        .values(auditRecords.map((record) => toRow(record)))
        .execute();
    }
    return changed;
  });
}

export function createVideoRecordsTable(queries: Queries) {
  return {
    async settings(guildId: string): Promise<string | undefined> {
      const row = await queries
        .selectFrom("videoSettings")
        .select("settings")
        .where("guildId", "=", guildId)
        .executeTakeFirst();
      return row?.settings;
    },
    async putSettings(
      record: Schema["videoSettings"],
      auditRecords: readonly AuditRecord[] = [],
    ): Promise<void> {
      await withAuditRecords(queries, auditRecords, async (within) => {
        await put(within, "videoSettings", record, "guildId");
        return true;
      });
    },
    async addAuditRecord(act: AuditRecord): Promise<void> {
      await queries.insertInto("videoActs").values(toRow(act)).execute();
    },
    async noteAuditRecord(id: string, note: string | undefined): Promise<void> {
      await queries.updateTable("videoActs").set(toRow({ note })).where("id", "=", id).execute();
    },
    async removeAuditRecord(id: string): Promise<void> {
      await queries.deleteFrom("videoActs").where("id", "=", id).execute();
    },
    /** The newest first. */
    auditEntries: (guildId: string, { limit, before = FIRST_PAGE, publicationId }: AuditPage) =>
      readRows<AuditRecord>(
        queries
          .selectFrom("videoActs")
          .selectAll()
          .where("guildId", "=", guildId)
          .$if(publicationId !== undefined, (query) => query.where("publicationId", "=", publicationId ?? ""))
          .where((eb) => eb(eb.refTuple("atMs", "id"), "<", eb.tuple(before.atMs, before.id ?? "")))
          .orderBy("atMs", "desc")
          .orderBy("id", "desc")
          .limit(limit),
      ),
    /** Does nothing if there is one of the same video and time. */
    async addSample(sample: VideoSampleRecord): Promise<void> {
      await putIfAbsent(queries, "videoSamples", toRow(sample), "guildId", "videoId", "atMs");
    },
    /** The oldest first. */
    samples: (guildId: string, videoId: string) =>
      readRows<VideoSampleRecord>(
        queries
          .selectFrom("videoSamples")
          .selectAll()
          .where((eb) => eb.and({ guildId, videoId }))
          .orderBy("atMs"),
      ),
    /** Returns the time of the latest sample of each video that has any since then, unsorted. */
    lastSamples: (sinceMs: number) =>
      queries
        .selectFrom("videoSamples")
        .select(({ fn }) => ["guildId", "videoId", fn.max("atMs").as("lastAtMs")])
        .where("atMs", ">=", sinceMs)
        .groupBy(["guildId", "videoId"])
        .execute(),
    async removeSamples(guildId: string, videoId: string): Promise<void> {
      await queries
        .deleteFrom("videoSamples")
        .where((eb) => eb.and({ guildId, videoId }))
        .execute();
    },
    async sweep(beforeMs: number): Promise<void> {
      await queries.deleteFrom("videoActs").where("atMs", "<", beforeMs).execute();
      await queries.deleteFrom("videoSamples").where("atMs", "<", beforeMs).execute();
    },
  };
}

export type VideoRecordsTable = ReturnType<typeof createVideoRecordsTable>;
