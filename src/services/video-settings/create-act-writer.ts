// Writes down who did what with a guild's videos.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { VideoActRecord, VideoRecordsTable } from "../../storage/video-records-table.ts";
import { VIDEO_ACTS, type VideoRules, type WrittenAct } from "./video-settings.ts";

/** What writing stands on. */
export interface ActWriterDependencies {
  readonly records: Pick<VideoRecordsTable, "addAct" | "acts">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Longer ones say nothing more. */
const LONGEST_NOTE = 300;

const actSchema = z.enum(VIDEO_ACTS);

/** Makes the part of the rules that writes and reads acts. */
export function createActWriter({
  records,
  clock,
  log,
}: ActWriterDependencies): Pick<VideoRules, "write" | "acts"> {
  let written = 0;

  /** Acts of one process keep their order even where they come in the same millisecond: ids are compared as texts. */
  function createActId(atMs: number): string {
    written = (written + 1) % 36 ** 4;
    const place = written.toString(36).padStart(4, "0");
    return `${atMs.toString(36).padStart(9, "0")}${place}${randomBytes(4).toString("hex")}`;
  }

  return {
    async write({ guildId, actorId, act, publicationId, videoId, note }) {
      const atMs = clock.now();
      const fields = { service: "video", guild: guildId, actor: actorId, act, publicationId, videoId };
      if (act === "denied") {
        log.warn(fields, "somebody tried what is not theirs");
      } else {
        log.info(fields, "an act was written down");
      }
      try {
        await records.addAct({
          id: createActId(atMs),
          guildId,
          atMs,
          actorId,
          act,
          publicationId,
          videoId,
          note: note?.slice(0, LONGEST_NOTE).toWellFormed(),
        });
      } catch (error) {
        log.error({ ...fields, error }, "an act could not be written down");
      }
    },
    acts: async (guildId, page) => (await records.acts(guildId, page)).flatMap(readAct),
  };
}

/** Acts that only later versions know are left out. */
function readAct(record: VideoActRecord): readonly WrittenAct[] {
  const { atMs, actorId, publicationId, videoId, note } = record;
  const act = actSchema.safeParse(record.act).data;
  return act === undefined ? [] : [{ atMs, actorId, act, publicationId, videoId, note }];
}
