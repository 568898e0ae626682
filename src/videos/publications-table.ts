// Videos on their way to being published, and those that got there. A row is written before the first byte goes out,
// and says before each write that cannot be repeated that it is about to be sent: the process that takes over after a
// crash reconciles, and never sends it again.
import { type ExpressionBuilder, sql } from "kysely";
import { type NewRecord, type PageCursor, type Row, fromRow, readRows, toRow } from "../storage/row.ts";
import { type AuditRecord, withAuditRecords } from "./video-records-table.ts";
import type { Engine, Schema, UniqueIndex } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly publications: Row<PublicationRecord>;
  }
}

export const PUBLICATION_STATES = [
  /** Shown to the person who attached it; nobody else has seen it. */
  "draft",
  "awaiting-approval",
  /** To be sent, or being sent. */
  "uploading",
  /** Everything is there; the service works on it. */
  "processing",
  /** Ready; the service will publish it at `publishAtMs`. */
  "scheduled",
  "published",
  "refused",
  "failed",
  "cancelled",
  /** The link to its file ended before it was sent. */
  "expired",
  /** Nobody knows whether the service has published it: a person must look. */
  "outcome-unknown",
  /** Deleted at the service, by way of the bot. */
  "deleted",
] as const;

export type PublicationState = (typeof PUBLICATION_STATES)[number];

/** The bot's own account, or `page:` and the account's id at the service. */
export type AccountKey = "operator" | `page:${string}`;

/** A publication as it is kept. Times are milliseconds since the epoch; `undefined` is null in the database. */
export interface PublicationRecord {
  readonly id: string;
  readonly guildId: string;
  /** Where its message is to stand, or stands: a channel of the guild, or a conversation. */
  readonly channelId: string;
  readonly messageId: string | undefined;
  /** Since when its message may have been posted, while nobody knows whether it was. */
  readonly postingSinceMs: number | undefined;
  /** What its message shows; `undefined` where that is not known. */
  readonly shownHash: string | undefined;
  /** Where its approval is asked for, once it is. */
  readonly approvalChannelId: string | undefined;
  readonly approvalMessageId: string | undefined;
  readonly approvalShownHash: string | undefined;
  /** When it was asked for again, by which that message is found; `undefined` for the first time. */
  readonly approvalAskedAtMs: number | undefined;
  readonly submittedBy: string | undefined;
  readonly createdAtMs: number;
  readonly state: PublicationState;
  readonly stateAtMs: number;
  readonly revision: number;
  readonly account: AccountKey;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** When the service is to publish it; `undefined` for at once. */
  readonly publishAtMs: number | undefined;
  readonly fileName: string;
  readonly fileType: string;
  readonly sizeBytes: number;
  /** Discord's link, never for logs; emptied as soon as it is of no more use. */
  readonly fileUrl: string | undefined;
  readonly linkEndsAtMs: number;
  /** How many bytes the service has. */
  readonly doneBytes: number;
  /** Of the processing, where the service tells. */
  readonly percent: number | undefined;
  /** JSON of the client's `UploadSession`, once one has begun. */
  readonly session: string | undefined;
  /** The write that is about to be sent, or was, while its outcome is not known. */
  readonly pendingWrite: "simple" | "finish" | undefined;
  readonly pendingSinceMs: number | undefined;
  /** When the runner is to look at it next; `undefined`: nothing to do. */
  readonly nextAtMs: number | undefined;
  /** Until when nobody else may work on it, by the database's clock. */
  readonly claimedUntilMs: number | undefined;
  readonly claimToken: string | undefined;
  readonly videoId: string | undefined;
  readonly link: string | undefined;
  /** Why it is stopped: by a person, or since the bot was removed from its server (`returned`: and is back). */
  readonly stopReason: "cancelled" | "left" | "returned" | undefined;
  /** Since when something has prevented its progress. */
  readonly troubleSinceMs: number | undefined;
  /** How often it has been tried, or checked, in a row. */
  readonly tries: number;
  /** No work is done on it before this time. */
  readonly notBeforeMs: number | undefined;
  /** JSON of what people read about what is in its way; `parseProblem` of videos/publishing reads it. */
  readonly problem: string | undefined;
  readonly decidedBy: string | undefined;
  readonly refusedReason: string | undefined;
}

type NewPublication = NewRecord<
  Omit<PublicationRecord, "revision" | "tries" | "claimedUntilMs" | "claimToken">
>;

/** Parts of a publication that change; absent: as it was, `undefined`: none any more. */
export type PublicationChanges = Partial<
  Omit<
    PublicationRecord,
    "id" | "guildId" | "submittedBy" | "createdAtMs" | "revision" | "claimedUntilMs" | "claimToken"
  >
>;

/** The video is another publication's of the same account: of several that are given the same one, one gets it. */
export class VideoTakenError extends Error {
  override readonly name = "VideoTakenError";
}

// The queries over publications. A change names the revision that was seen, so that of several only one goes on; what
// is erased meanwhile is not made anew by it.

/** Of no use to anybody after a while. */
const SWEPT: readonly PublicationState[] = ["draft", "refused", "failed", "cancelled", "expired", "deleted"];

/** As the migration made it. */
const ONE_VIDEO_EACH: UniqueIndex = {
  name: "publicationsByAccountAndVideo",
  table: "publications",
  columns: ["account", "videoId"],
};

const UNCLAIMED = { claimedUntilMs: null, claimToken: null } as const;

export function createPublicationsTable({ queries, now, isDuplicate }: Engine) {
  const select = () => queries.selectFrom("publications").selectAll();
  const isFree = (eb: ExpressionBuilder<Schema, "publications">) =>
    eb.or([eb("claimedUntilMs", "is", null), eb("claimedUntilMs", "<=", now())]);
  return {
    /** Adds one and gives it back, at revision 1 and claimed by nobody. */
    async add(publication: NewPublication): Promise<PublicationRecord> {
      const row = await queries
        .insertInto("publications")
        .values(toRow({ tries: 0, ...publication, revision: 1 }))
        .returningAll()
        .executeTakeFirstOrThrow();
      return fromRow<PublicationRecord>(row);
    },
    async get(id: string): Promise<PublicationRecord | undefined> {
      const row = await select().where("id", "=", id).executeTakeFirst();
      return row && fromRow<PublicationRecord>(row);
    },
    /** A guild's that became, or may become, a video of this id, in any state; of several the newest. */
    async ofVideo(guildId: string, videoId: string): Promise<PublicationRecord | undefined> {
      const rows = select().where("guildId", "=", guildId).where("videoId", "=", videoId);
      const row = await rows.orderBy("createdAtMs", "desc").limit(1).executeTakeFirst();
      return row && fromRow<PublicationRecord>(row);
    },
    /** The guild that published, or may publish, a video of this id; of several the last one. */
    async guildOfVideo(videoId: string): Promise<string | undefined> {
      const rows = queries.selectFrom("publications").select("guildId").where("videoId", "=", videoId);
      return (await rows.orderBy("createdAtMs", "desc").limit(1).executeTakeFirst())?.guildId;
    },
    /** A guild's in these states, the newest first, at most `limit`, by when they were made. */
    async ofGuild(
      guildId: string,
      states: readonly PublicationState[],
      { limit, before }: { readonly limit: number; readonly before?: PageCursor | undefined },
    ): Promise<readonly PublicationRecord[]> {
      if (states.length === 0) {
        return [];
      }
      return readRows<PublicationRecord>(
        select()
          .where("guildId", "=", guildId)
          .where("state", "in", states)
          .$if(before !== undefined, (query) =>
            query.where((eb) =>
              eb(eb.refTuple("createdAtMs", "id"), "<", eb.tuple(before?.atMs ?? 0, before?.id ?? "")),
            ),
          )
          .orderBy("createdAtMs", "desc")
          .orderBy("id", "desc")
          .limit(limit),
      );
    },
    /** What those of these that are a guild's are called, by id: their titles, or their files' names. */
    async titles(guildId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = queries.selectFrom("publications").where("guildId", "=", guildId);
      const named =
        ids.length === 0
          ? []
          : await rows.where("id", "in", ids).select(["id", "title", "fileName"]).execute();
      return new Map(named.map(({ id, title, fileName }) => [id, title ?? fileName]));
    },
    /** Ids of guilds for which this person submitted anything. */
    async guildsOf(userId: string): Promise<readonly string[]> {
      const theirs = queries.selectFrom("publications").where("submittedBy", "=", userId);
      const rows = await theirs.select("guildId").distinct().orderBy("guildId").execute();
      return rows.map(({ guildId }) => guildId);
    },
    /** Those of these videos, by id, that a publication of any guild has come to, or may: they are nobody else's. */
    async known(videoIds: readonly string[]): Promise<ReadonlySet<string>> {
      if (videoIds.length === 0) {
        return new Set();
      }
      const known = queries.selectFrom("publications").where("videoId", "in", videoIds);
      const rows = await known.select("videoId").execute();
      return new Set(rows.flatMap(({ videoId }) => videoId ?? []));
    },
    /** Those of any guild that were sent to this account by a write whose outcome is still unknown. */
    async withUnknownOutcome(account: AccountKey): Promise<readonly PublicationRecord[]> {
      return readRows<PublicationRecord>(
        select()
          .where("state", "in", ["uploading", "outcome-unknown"])
          .where("account", "=", account)
          .where("pendingWrite", "is not", null),
      );
    },
    /** Those of these guilds that were stopped since the bot had left. */
    async stoppedByLeaving(guildIds: ReadonlySet<string>): Promise<readonly PublicationRecord[]> {
      // Few have left, and a process may serve thousands.
      const stopped = await readRows<PublicationRecord>(select().where("stopReason", "=", "left"));
      return stopped.filter(({ guildId }) => guildIds.has(guildId));
    },
    /** Those whose `nextAtMs` has come and that nobody works on, the longest due first. Of guilds that left as well. */
    async due(nowMs: number, limit: number): Promise<readonly PublicationRecord[]> {
      return readRows<PublicationRecord>(
        select().where("nextAtMs", "<=", nowMs).where(isFree).orderBy("nextAtMs").orderBy("id").limit(limit),
      );
    },
    /**
     * Claims those that nobody works on, or extends the claims of this token; gives them as they then are. A claim changes
     * the revision, so that a process that had it before changes nothing any more; an extension does not.
     */
    claim: (
      ids: readonly string[],
      how: { readonly token: string; readonly forMs: number; readonly isExtension: boolean },
    ) =>
      readRows<PublicationRecord>(
        queries
          .updateTable("publications")
          .set((eb) => ({
            claimedUntilMs: sql<number>`${now()} + ${sql.lit(how.forMs)}`,
            ...(!how.isExtension && { claimToken: how.token, revision: eb("revision", "+", 1) }),
          }))
          .where("id", "in", ids)
          .where((eb) => (how.isExtension ? eb("claimToken", "=", how.token) : isFree(eb)))
          .returningAll(),
      ),
    /**
     * Changes one still at this revision, with its audit entries; otherwise `undefined`. `endsClaim`: releases it as well.
     * Throws VideoTakenError.
     */
    async change(
      { id, revision }: Pick<PublicationRecord, "id" | "revision">,
      changes: PublicationChanges,
      {
        acts = [],
        endsClaim = false,
      }: { readonly acts?: readonly AuditRecord[]; readonly endsClaim?: boolean } = {},
    ): Promise<PublicationRecord | undefined> {
      try {
        const row = await withAuditRecords(queries, acts, (within) =>
          within
            .updateTable("publications")
            .set({ ...toRow(changes), ...(endsClaim && UNCLAIMED), revision: revision + 1 })
            .where("id", "=", id)
            .where("revision", "=", revision)
            .returningAll()
            .executeTakeFirst(),
        );
        return row && fromRow<PublicationRecord>(row);
      } catch (error) {
        throw isDuplicate(error, ONE_VIDEO_EACH)
          ? new VideoTakenError("another publication has that video")
          : error;
      }
    },
    /**
     * After a backup from then is restored: what was to be sent may have been sent since, and is reconciled. What awaited
     * approval cannot be sent again from here, since nobody may have approved it.
     */
    async distrust(sinceMs: number): Promise<void> {
      await queries
        .updateTable("publications")
        .set({ postingSinceMs: sinceMs })
        .where("state", "!=", "draft")
        .where("messageId", "is", null)
        .where("postingSinceMs", "is", null)
        .execute();
      await queries
        .updateTable("publications")
        .set({ linkEndsAtMs: sinceMs })
        .where("state", "=", "awaiting-approval")
        .execute();
      // By its texts: another upload than the one that had begun may have come through.
      await queries
        .updateTable("publications")
        .set((eb) => ({
          state: "uploading",
          pendingWrite: "simple",
          pendingSinceMs: eb.ref("stateAtMs"),
          session: null,
          videoId: null,
        }))
        .where("state", "in", ["uploading", "awaiting-approval"])
        .where("pendingWrite", "is", null)
        .execute();
      await queries
        .updateTable("publications")
        .set({ nextAtMs: 0, notBeforeMs: null, ...UNCLAIMED })
        .where("state", "=", "uploading")
        .execute();
    },
    /** Those that were published since then, for their statistics; the oldest first. */
    async publishedSince(sinceMs: number): Promise<readonly PublicationRecord[]> {
      return readRows<PublicationRecord>(
        select()
          .where("state", "=", "published")
          .where("stateAtMs", ">=", sinceMs)
          .orderBy("stateAtMs")
          .orderBy("id"),
      );
    },
    /** Removes drafts, and what ended without a video or whose video is deleted, since before this. */
    async sweep(beforeMs: number): Promise<void> {
      await queries
        .deleteFrom("publications")
        .where("state", "in", SWEPT)
        .where("stateAtMs", "<", beforeMs)
        .execute();
    },
  };
}

export type PublicationsTable = ReturnType<typeof createPublicationsTable>;
