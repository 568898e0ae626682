// The queries over what is kept beside publications.
import { fromRow, toRow } from "./row.ts";
import type { Queries } from "./schema.ts";
import type { VideoActRecord, VideoRecordsTable, VideoSampleRecord } from "./video-records-table.ts";
import { withActs } from "./with-acts.ts";

/** Makes the tables' queries. */
export function createVideoRecordsTable(queries: Queries): VideoRecordsTable {
  return {
    async settings(guildId) {
      const row = await queries
        .selectFrom("videoSettings")
        .select("settings")
        .where("guildId", "=", guildId)
        .executeTakeFirst();
      return row?.settings;
    },
    async putSettings(record, acts = []) {
      await withActs(queries, acts, (within) =>
        within
          .insertInto("videoSettings")
          .values(record)
          .onConflict((conflict) => conflict.column("guildId").doUpdateSet({ settings: record.settings }))
          .execute(),
      );
    },
    async addAct(act) {
      await queries.insertInto("videoActs").values(toRow(act)).execute();
    },
    async noteAct(id, note) {
      await queries.updateTable("videoActs").set(toRow({ note })).where("id", "=", id).execute();
    },
    async removeAct(id) {
      await queries.deleteFrom("videoActs").where("id", "=", id).execute();
    },
    async acts(guildId, { limit, before, publicationId }) {
      const rows = await queries
        .selectFrom("videoActs")
        .selectAll()
        .where("guildId", "=", guildId)
        .$if(publicationId !== undefined, (query) => query.where("publicationId", "=", publicationId ?? ""))
        .$if(before !== undefined, (query) =>
          query.where((eb) =>
            eb(eb.refTuple("atMs", "id"), "<", eb.tuple(before?.atMs ?? 0, before?.id ?? "")),
          ),
        )
        .orderBy("atMs", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map((row) => fromRow<VideoActRecord>(row));
    },
    async addSample(sample) {
      await queries
        .insertInto("videoSamples")
        .values(toRow(sample))
        .onConflict((conflict) => conflict.columns(["guildId", "videoId", "atMs"]).doNothing())
        .execute();
    },
    async samples(guildId, videoId) {
      const rows = await queries
        .selectFrom("videoSamples")
        .selectAll()
        .where("guildId", "=", guildId)
        .where("videoId", "=", videoId)
        .orderBy("atMs")
        .execute();
      return rows.map((row) => fromRow<VideoSampleRecord>(row));
    },
    sampledSince: (sinceMs) =>
      queries
        .selectFrom("videoSamples")
        .select(({ fn }) => [
          "guildId",
          "videoId",
          fn.min("atMs").as("firstAtMs"),
          fn.max("atMs").as("lastAtMs"),
        ])
        .where("atMs", ">=", sinceMs)
        .groupBy(["guildId", "videoId"])
        .execute(),
    async removeSamples(guildId, videoId) {
      await queries
        .deleteFrom("videoSamples")
        .where("guildId", "=", guildId)
        .where("videoId", "=", videoId)
        .execute();
    },
    async sweep(beforeMs) {
      await queries.deleteFrom("videoActs").where("atMs", "<", beforeMs).execute();
      await queries.deleteFrom("videoSamples").where("atMs", "<", beforeMs).execute();
    },
  };
}
