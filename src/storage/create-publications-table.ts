// The queries over publications. A change names the revision that was seen, so that of several only one goes on; what
// is erased meanwhile is not made anew by it.
import { sql } from "kysely";
import {
  type ClaimChange,
  type PublicationRecord,
  type PublicationState,
  type PublicationsTable,
  VideoTakenError,
} from "./publications-table.ts";
import { fromRow, toRow } from "./row.ts";
import type { Engine, UniqueIndex } from "./schema.ts";
import { withActs } from "./with-acts.ts";

/** Of no use to anybody after a while. */
const SWEPT: readonly PublicationState[] = ["draft", "refused", "failed", "cancelled", "expired", "deleted"];

/** As the migration made it. */
const ONE_VIDEO_EACH: UniqueIndex = {
  name: "publicationsByAccountAndVideo",
  table: "publications",
  columns: ["account", "videoId"],
};

/** Makes the table's queries. */
export function createPublicationsTable({ queries, now, isDuplicate }: Engine): PublicationsTable {
  const select = () => queries.selectFrom("publications").selectAll();
  return {
    async add(publication) {
      const record = { ...publication, revision: 1, claimedUntilMs: undefined, claimToken: undefined };
      await queries.insertInto("publications").values(toRow(record)).execute();
      return record;
    },
    async get(id) {
      const row = await select().where("id", "=", id).executeTakeFirst();
      return row && fromRow<PublicationRecord>(row);
    },
    async ofVideo(guildId, videoId) {
      const row = await select()
        .where("guildId", "=", guildId)
        .where("videoId", "=", videoId)
        .orderBy("createdAtMs", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && fromRow<PublicationRecord>(row);
    },
    async guildOfVideo(videoId) {
      const row = await queries
        .selectFrom("publications")
        .select("guildId")
        .where("videoId", "=", videoId)
        .orderBy("createdAtMs", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.guildId;
    },
    async ofGuild(guildId, states, { limit, before }) {
      if (states.length === 0) {
        return [];
      }
      const rows = await select()
        .where("guildId", "=", guildId)
        .where("state", "in", states)
        .$if(before !== undefined, (query) =>
          query.where((eb) =>
            eb(eb.refTuple("createdAtMs", "id"), "<", eb.tuple(before?.atMs ?? 0, before?.id ?? "")),
          ),
        )
        .orderBy("createdAtMs", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map((row) => fromRow<PublicationRecord>(row));
    },
    async guildsOf(userId) {
      const rows = await queries
        .selectFrom("publications")
        .select("guildId")
        .distinct()
        .where("submittedBy", "=", userId)
        .orderBy("guildId")
        .execute();
      return rows.map(({ guildId }) => guildId);
    },
    async known(videoIds) {
      if (videoIds.length === 0) {
        return new Set();
      }
      const rows = await queries
        .selectFrom("publications")
        .select("videoId")
        .where("videoId", "in", videoIds)
        .execute();
      return new Set(rows.flatMap(({ videoId }) => videoId ?? []));
    },
    async inDoubt(account) {
      const rows = await select()
        .where("state", "in", ["uploading", "outcome-unknown"])
        .where("account", "=", account)
        .where("pendingWrite", "is not", null)
        .execute();
      return rows.map((row) => fromRow<PublicationRecord>(row));
    },
    async withProblem(states) {
      const rows = await select().where("state", "in", states).where("problem", "is not", null).execute();
      return rows.map((row) => fromRow<PublicationRecord>(row));
    },
    async due(nowMs, limit) {
      const rows = await select()
        .where("nextAtMs", "<=", nowMs)
        .where((eb) => eb.or([eb("claimedUntilMs", "is", null), eb("claimedUntilMs", "<=", now())]))
        .orderBy("nextAtMs")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map((row) => fromRow<PublicationRecord>(row));
    },
    async change({ id, revision }, changes, { acts = [], claim } = {}) {
      try {
        const row = await withActs(queries, acts, (within) =>
          within
            .updateTable("publications")
            .set({ ...toRow(changes), ...claimRow(now, claim), revision: revision + 1 })
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
    async publishedSince(sinceMs) {
      const rows = await select()
        .where("state", "=", "published")
        .where("stateAtMs", ">=", sinceMs)
        .orderBy("stateAtMs")
        .orderBy("id")
        .execute();
      return rows.map((row) => fromRow<PublicationRecord>(row));
    },
    async sweep(beforeMs) {
      await queries
        .deleteFrom("publications")
        .where("state", "in", SWEPT)
        .where("stateAtMs", "<", beforeMs)
        .execute();
    },
  };
}

/** The columns that a change of the claim sets. */
function claimRow(now: Engine["now"], claim: ClaimChange | undefined) {
  if (claim === undefined) {
    return {};
  }
  return claim === "release"
    ? { claimedUntilMs: null, claimToken: null }
    : { claimedUntilMs: sql<number>`${now()} + ${sql.lit(claim.forMs)}`, claimToken: claim.token };
}
