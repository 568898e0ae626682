// Writes down who did what with a guild's videos.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { cutText } from "../../core/text.ts";
import type { Log } from "../../core/log.ts";
import type { VideoActRecord, VideoRecordsTable } from "../video-records-table.ts";
import { type ActToWrite, VIDEO_ACTS, type VideoRules, type WrittenAct } from "./video-settings.ts";

/** What writing stands on. */
export interface ActWriterDependencies {
  readonly records: Pick<VideoRecordsTable, "addAct" | "noteAct" | "removeAct" | "acts">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Longer ones say nothing more. */
const LONGEST_NOTE = 300;
/** What lines say of a write of which nobody knows whether it was done. */
const UNKNOWN_NOTE = "the service never said whether it was done";

const actSchema = z.enum(VIDEO_ACTS);

/** Makes the part of the rules that writes and reads acts. */
export function createActWriter({
  records,
  clock,
  log,
}: ActWriterDependencies): Pick<VideoRules, "write" | "writeWith" | "attempt" | "acts"> {
  let written = 0;

  /** Acts of one process keep their order even where they come in the same millisecond: ids are compared as texts. */
  function createActId(atMs: number): string {
    written = (written + 1) % 36 ** 4;
    const place = written.toString(36).padStart(4, "0");
    return `${atMs.toString(36).padStart(9, "0")}${place}${randomBytes(4).toString("hex")}`;
  }

  function lineOf({ guildId, actorId, act, publicationId, videoId, note }: ActToWrite): VideoActRecord {
    const atMs = clock.now();
    return {
      id: createActId(atMs),
      guildId,
      atMs,
      actorId,
      act,
      publicationId,
      videoId,
      note: shorten(note),
    };
  }

  function logged(line: VideoActRecord): void {
    const fields = fieldsOf(line);
    if (line.act === "denied") {
      log.warn(fields, "somebody tried what is not theirs");
    } else {
      log.info(fields, "an act was written down");
    }
  }

  /** What stands there already is true, though it says less. */
  async function amend(line: VideoActRecord, change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (error) {
      log.error({ ...fieldsOf(line), error }, "an act could not be brought up to date");
    }
  }

  return {
    async write(act) {
      const line = lineOf(act);
      logged(line);
      try {
        await records.addAct(line);
      } catch (error) {
        log.error({ ...fieldsOf(line), error }, "an act could not be written down");
      }
    },
    async writeWith(acts, change) {
      const lines = acts.map(lineOf);
      const changed = await change(lines);
      if (changed !== undefined && changed !== false) {
        lines.forEach(logged);
      }
      return changed;
    },
    async attempt(act, write, notes) {
      const line = lineOf({ ...act, note: UNKNOWN_NOTE });
      await records.addAct(line);
      try {
        const outcome = await write();
        logged(line);
        if (outcome !== "unknown") {
          await amend(line, () => records.noteAct(line.id, shorten(notes?.[outcome] ?? act.note)));
        }
        return outcome;
      } catch (error) {
        await amend(line, () => records.removeAct(line.id));
        throw error;
      }
    },
    acts: async (guildId, page) => (await records.acts(guildId, page)).flatMap(readAct),
  };
}

function shorten(note: string | undefined): string | undefined {
  return note === undefined ? undefined : cutText(note, LONGEST_NOTE);
}

/** For the log: without the note, which may be a title. */
function fieldsOf({ guildId: guild, actorId: actor, act, publicationId, videoId }: VideoActRecord) {
  return { service: "video", guild, actor, act, publicationId, videoId };
}

/** Acts that only later versions know are left out. */
function readAct(record: VideoActRecord): readonly WrittenAct[] {
  const { id, atMs, actorId, publicationId, videoId, note } = record;
  const act = actSchema.safeParse(record.act).data;
  return act === undefined ? [] : [{ id, atMs, actorId, act, publicationId, videoId, note }];
}
