// Writes down who did what with a guild's videos.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { cutText } from "../../core/text.ts";
import type { Log } from "../../core/log.ts";
import type { AuditRecord, VideoRecordsTable } from "../video-records-table.ts";
import { AUDIT_ACTIONS, type AuditEntry, type NewAuditEntry, type VideoRules } from "./video-settings.ts";
export interface AuditLogDependencies {
  readonly records: Pick<
    VideoRecordsTable,
    "addAuditRecord" | "noteAuditRecord" | "removeAuditRecord" | "acts"
  >;
  readonly clock: Clock;
  readonly log: Log;
}

/** Longer ones say nothing more. */
const LONGEST_NOTE = 300;
/** What lines say of a write of which nobody knows whether it was done. */
const UNKNOWN_NOTE = "the service never said whether it was done";

const actionSchema = z.enum(AUDIT_ACTIONS);

/** Makes the part of the rules that writes and reads acts. */
export function createAuditLog({
  records,
  clock,
  log,
}: AuditLogDependencies): Pick<VideoRules, "write" | "changeWithAudit" | "attempt" | "acts"> {
  let written = 0;

  /** Acts of one process keep their order even where they come in the same millisecond: ids are compared as texts. */
  function createEntryId(atMs: number): string {
    written = (written + 1) % 36 ** 4;
    const place = written.toString(36).padStart(4, "0");
    return `${atMs.toString(36).padStart(9, "0")}${place}${randomBytes(4).toString("hex")}`;
  }

  function lineOf({ guildId, actorId, act, publicationId, videoId, note }: NewAuditEntry): AuditRecord {
    const atMs = clock.now();
    return {
      id: createEntryId(atMs),
      guildId,
      atMs,
      actorId,
      act,
      publicationId,
      videoId,
      note: shorten(note),
    };
  }

  function logged(line: AuditRecord): void {
    const fields = fieldsOf(line);
    if (line.act === "denied") {
      log.warn(fields, "action denied");
    } else {
      log.info(fields, "audit entry written");
    }
  }

  /** What stands there already is true, though it says less. */
  async function amend(line: AuditRecord, change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (error) {
      log.error({ ...fieldsOf(line), error }, "audit entry update failed");
    }
  }

  return {
    async write(act) {
      const line = lineOf(act);
      logged(line);
      try {
        await records.addAuditRecord(line);
      } catch (error) {
        log.error({ ...fieldsOf(line), error }, "audit entry lost");
      }
    },
    async changeWithAudit(acts, change) {
      const lines = acts.map(lineOf);
      const changed = await change(lines);
      if (changed !== undefined && changed !== false) {
        lines.forEach(logged);
      }
      return changed;
    },
    async attempt(act, write, notes) {
      const line = lineOf({ ...act, note: UNKNOWN_NOTE });
      await records.addAuditRecord(line);
      try {
        const outcome = await write();
        logged(line);
        if (outcome !== "unknown") {
          await amend(line, () => records.noteAuditRecord(line.id, shorten(notes?.[outcome] ?? act.note)));
        }
        return outcome;
      } catch (error) {
        await amend(line, () => records.removeAuditRecord(line.id));
        throw error;
      }
    },
    acts: async (guildId, page) => (await records.acts(guildId, page)).flatMap(readEntry),
  };
}

function shorten(note: string | undefined): string | undefined {
  return note === undefined ? undefined : cutText(note, LONGEST_NOTE);
}

/** For the log: without the note, which may be a title. */
function fieldsOf({ guildId: guild, actorId: actor, act, publicationId, videoId }: AuditRecord) {
  return { service: "video", guild, actor, act, publicationId, videoId };
}

/** Acts that only later versions know are left out. */
function readEntry(record: AuditRecord): readonly AuditEntry[] {
  const { id, atMs, actorId, publicationId, videoId, note } = record;
  const act = actionSchema.safeParse(record.act).data;
  return act === undefined ? [] : [{ id, atMs, actorId, act, publicationId, videoId, note }];
}
