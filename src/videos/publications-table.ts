// A row is written before the first byte is sent. Before each write to the service that cannot be repeated,
// the row says so. A process that takes over after a crash then reconciles, and never sends the write again.
import { type ExpressionBuilder, sql } from "kysely";
import { type NewRecord, type PageCursor, type Row, fromRow, readRows, toRow } from "../storage/row.ts";
import { type AuditRecord, FIRST_PAGE, withAuditRecords } from "./video-records-table.ts";
import type { Engine, Schema, UniqueIndex } from "../storage/schema.ts";

declare module "../storage/schema.ts" {
  interface Schema {
    readonly publications: Row<PublicationRecord>;
  }
}

export const PUBLICATION_STATES = [
  /** Shown only to the person who attached it. */
  "draft",
  "awaiting-approval",
  /** Waiting to be sent, or being sent. */
  "uploading",
  /** The service has everything and processes it. */
  "processing",
  /** Ready; the service will publish it at `publishAtMs`. */
  "scheduled",
  "published",
  "refused",
  "failed",
  "cancelled",
  /** The link to its file expired before it was sent. */
  "expired",
  /** Nobody knows whether the service has published it: a person must check. */
  "outcome-unknown",
  /** Deleted from the service, through the bot. */
  "deleted",
] as const;

export type PublicationState = (typeof PUBLICATION_STATES)[number];

/** The operator's account, or `page:` and the account's id on the service. */
export type AccountKey = "operator" | `page:${string}`;

/** A publication as it is stored. Times are milliseconds since the epoch; `undefined` is null in the database. */
export interface PublicationRecord {
  readonly id: string;
  readonly guildId: string;
  /** The channel of its message: a channel of the server, or a DM. */
  readonly channelId: string;
  readonly messageId: string | undefined;
  /** Since when its message may have been posted, while that is uncertain. */
  readonly postingSinceMs: number | undefined;
  /** A hash of what its message shows; `undefined` if that is unknown. */
  readonly shownHash: string | undefined;
  /** The channel in which its approval is requested; set with the first request. */
  readonly approvalChannelId: string | undefined;
  readonly approvalMessageId: string | undefined;
  readonly approvalShownHash: string | undefined;
  /** When approval was requested again, which identifies that message; `undefined` for the first request. */
  readonly approvalAskedAtMs: number | undefined;
  readonly submittedBy: string | undefined;
  readonly createdAtMs: number;
  readonly state: PublicationState;
  readonly stateAtMs: number;
  readonly revision: number;
  readonly account: AccountKey;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** When the service should publish it; `undefined` to publish it immediately. */
  readonly publishAtMs: number | undefined;
  readonly fileName: string;
  readonly fileType: string;
  readonly sizeBytes: number;
  /** Discord's link to the file. Never logged; removed as soon as it is no longer needed. */
  readonly fileUrl: string | undefined;
  readonly linkEndsAtMs: number;
  /** The number of bytes that the service has. */
  readonly doneBytes: number;
  /** `undefined` if the service does not say. */
  readonly percent: number | undefined;
  /** JSON of the client's `UploadSession`, once one has begun. */
  readonly session: string | undefined;
  /** The write that is about to be sent, or was sent and whose outcome is unknown. */
  readonly pendingWrite: "simple" | "finish" | undefined;
  readonly pendingSinceMs: number | undefined;
  /** `undefined` if there is nothing to do. */
  readonly nextAtMs: number | undefined;
  /** Until when no other process may work on it, by the database's clock. */
  readonly claimedUntilMs: number | undefined;
  readonly claimToken: string | undefined;
  readonly videoId: string | undefined;
  readonly link: string | undefined;
  /** `left`: the bot was removed from its server; `returned`: it is back there. */
  readonly stopReason: "cancelled" | "left" | "returned" | undefined;
  /** Since when something has prevented its progress. */
  readonly troubleSinceMs: number | undefined;
  /** The number of consecutive attempts or checks. */
  readonly tries: number;
  /** No work is done on it before this time. */
  readonly notBeforeMs: number | undefined;
  /** JSON that `parseProblem` of videos/publishing parses. */
  readonly problem: string | undefined;
  readonly decidedBy: string | undefined;
  readonly refusedReason: string | undefined;
}

type NewPublication = NewRecord<
  Omit<PublicationRecord, "revision" | "tries" | "claimedUntilMs" | "claimToken">
>;

/** Changes to a publication: an absent field stays, `undefined` clears it. */
export type PublicationChanges = Partial<
  Omit<
    PublicationRecord,
    "id" | "guildId" | "submittedBy" | "createdAtMs" | "revision" | "claimedUntilMs" | "claimToken"
  >
>;

/** Another publication of the same account already has this video. */
export class VideoTakenError extends Error {
  override readonly name = "VideoTakenError";
}

// A change names the revision that was seen, so that only one of several concurrent changes succeeds, and an
// erased row is never recreated.

/** States whose rows are removed after a while. */
const SWEPT: readonly PublicationState[] = ["draft", "refused", "failed", "cancelled", "expired", "deleted"];

/** The index as the migration created it. */
const ONE_VIDEO_EACH: UniqueIndex = {
  name: "publicationsByAccountAndVideo",
  table: "publications",
  columns: ["account", "videoId"],
};

const UNCLAIMED = { claimedUntilMs: null, claimToken: null } as const;

export function createPublicationsTable({ queries, now, isDuplicate }: Engine) {
  const select = () => queries.selectFrom("publications").selectAll();
  const update = () => queries.updateTable("publications");
  const isFree = (eb: ExpressionBuilder<Schema, "publications">) =>
    eb.or([eb("claimedUntilMs", "is", null), eb("claimedUntilMs", "<=", now())]);
  return {
    /** Returns it at revision 1, claimed by no process. */
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
    /** Returns a server's newest publication, in any state, that became or may become this video. */
    async ofVideo(guildId: string, videoId: string): Promise<PublicationRecord | undefined> {
      const rows = select().where("guildId", "=", guildId).where("videoId", "=", videoId);
      const row = await rows.orderBy("createdAtMs", "desc").limit(1).executeTakeFirst();
      return row && fromRow<PublicationRecord>(row);
    },
    /** If there are several publications, the server of the newest. */
    async guildOfVideo(videoId: string): Promise<string | undefined> {
      const rows = queries.selectFrom("publications").select("guildId").where("videoId", "=", videoId);
      return (await rows.orderBy("createdAtMs", "desc").limit(1).executeTakeFirst())?.guildId;
    },
    /** The newest first by creation time. */
    async ofGuild(
      guildId: string,
      states: readonly PublicationState[],
      { limit, before = FIRST_PAGE }: { readonly limit: number; readonly before?: PageCursor | undefined },
    ): Promise<readonly PublicationRecord[]> {
      if (states.length === 0) {
        return [];
      }
      return readRows<PublicationRecord>(
        select()
          .where("guildId", "=", guildId)
          .where("state", "in", states)
          .where((eb) => eb(eb.refTuple("createdAtMs", "id"), "<", eb.tuple(before.atMs, before.id ?? "")))
          .orderBy("createdAtMs", "desc")
          .orderBy("id", "desc")
          .limit(limit),
      );
    },
    /** Returns the titles (or else the file names) of those publications that belong to the server, by id. */
    async titles(guildId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = queries.selectFrom("publications").where("guildId", "=", guildId);
      const named =
        ids.length === 0
          ? []
          : await rows.where("id", "in", ids).select(["id", "title", "fileName"]).execute();
      return new Map(named.map(({ id, title, fileName }) => [id, title ?? fileName]));
    },
    /** Returns the ids of servers for which this person has submitted anything. */
    async guildsOf(userId: string): Promise<readonly string[]> {
      const theirs = queries.selectFrom("publications").where("submittedBy", "=", userId);
      const rows = await theirs.select("guildId").distinct().orderBy("guildId").execute();
      return rows.map(({ guildId }) => guildId);
    },
    /** Returns those of these video ids that belong, or may belong, to a publication of any server. */
    async known(videoIds: readonly string[]): Promise<ReadonlySet<string>> {
      if (videoIds.length === 0) {
        return new Set();
      }
      const known = queries.selectFrom("publications").where("videoId", "in", videoIds);
      const rows = await known.select("videoId").execute();
      return new Set(rows.flatMap(({ videoId }) => videoId ?? []));
    },
    /** Publications of all servers whose write to this account has an unknown outcome. */
    withUnknownOutcome: (account: AccountKey) =>
      readRows<PublicationRecord>(
        select()
          .where("state", "in", ["uploading", "outcome-unknown"])
          .where("account", "=", account)
          .where("pendingWrite", "is not", null),
      ),
    /** Returns the publications of these servers that were stopped because the bot had left. */
    async stoppedByLeaving(guildIds: ReadonlySet<string>): Promise<readonly PublicationRecord[]> {
      // Few rows were stopped, while a process may serve thousands of servers.
      const stopped = await readRows<PublicationRecord>(select().where("stopReason", "=", "left"));
      return stopped.filter(({ guildId }) => guildIds.has(guildId));
    },
    /** The most overdue first; only unclaimed ones, also of servers that the bot has left. */
    due: (nowMs: number, limit: number) =>
      readRows<PublicationRecord>(
        select().where("nextAtMs", "<=", nowMs).where(isFree).orderBy("nextAtMs").orderBy("id").limit(limit),
      ),
    /**
     * Claims those that no process works on, or extends this token's claims. A claim changes the revision, so
     * that an earlier process can change nothing any more; an extension does not.
     */
    claim: (
      ids: readonly string[],
      how: { readonly token: string; readonly forMs: number; readonly isExtension: boolean },
    ) =>
      readRows<PublicationRecord>(
        update()
          .set((eb) => ({
            claimedUntilMs: sql<number>`${now()} + ${sql.lit(how.forMs)}`,
            ...(!how.isExtension && { claimToken: how.token, revision: eb("revision", "+", 1) }),
          }))
          .where("id", "in", ids)
          .where((eb) => (how.isExtension ? eb("claimToken", "=", how.token) : isFree(eb)))
          .returningAll(),
      ),
    /** `undefined` if the revision is another one. `endsClaim`: also releases it. Throws VideoTakenError. */
    async change(
      { id, revision }: Pick<PublicationRecord, "id" | "revision">,
      changes: PublicationChanges,
      {
        auditRecords = [],
        endsClaim = false,
      }: { readonly auditRecords?: readonly AuditRecord[]; readonly endsClaim?: boolean } = {},
    ): Promise<PublicationRecord | undefined> {
      try {
        const row = await withAuditRecords(queries, auditRecords, (within) =>
          within
            .updateTable("publications")
            .set({ ...toRow(changes), ...(endsClaim && UNCLAIMED), revision: revision + 1 })
            .where((eb) => eb.and({ id, revision }))
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
     * After a restore from `sinceMs`: what was to be sent may have been sent since, so it is reconciled. What
     * awaited approval cannot be sent, because perhaps nobody has approved it.
     */
    async distrust(sinceMs: number): Promise<void> {
      await update()
        .set({ postingSinceMs: sinceMs })
        .where("state", "!=", "draft")
        .where("messageId", "is", null)
        .where("postingSinceMs", "is", null)
        .execute();
      await update().set({ linkEndsAtMs: sinceMs }).where("state", "=", "awaiting-approval").execute();
      // The video is searched by its texts, because a later upload than the stored one may have succeeded.
      await update()
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
      await update()
        .set({ nextAtMs: 0, notBeforeMs: null, ...UNCLAIMED })
        .where("state", "=", "uploading")
        .execute();
    },
    /** The oldest first. */
    publishedSince: (sinceMs: number) =>
      readRows<PublicationRecord>(
        select()
          .where("state", "=", "published")
          .where("stateAtMs", ">=", sinceMs)
          .orderBy("stateAtMs")
          .orderBy("id"),
      ),
    /** Removes drafts and what ended without a video, or with a deleted one, before `beforeMs`. */
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
