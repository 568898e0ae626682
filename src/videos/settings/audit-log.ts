import { randomBytes } from "node:crypto";
import { UserError } from "../../core/errors.ts";
import { cutText } from "../../core/text.ts";
import type { AuditPage, AuditRecord } from "../video-records-table.ts";
import type { VideoRulesDependencies } from "./video-rules.ts";

/** The actions in the audit log, each with the words that follow a person's name or "I". */
export const AUDIT_ACTIONS = {
  submitted: "submitted a video",
  approved: "approved a video",
  refused: "refused a video",
  "approval-voided": "changed a video, so it needs approval again",
  published: "published a video",
  scheduled: "scheduled a video",
  // These two were written by earlier versions.
  "put-off": "postponed a video, since I was removed from the server",
  "put-back": "rescheduled a video, since I'm back",
  failed: "couldn't publish a video",
  cancelled: "cancelled a video",
  expired: "dropped a video whose link had expired",
  settled: "said whether a video was published",
  edited: "edited a video",
  deleted: "deleted a video",
  // The service no longer shows the video, to us or to anybody.
  "out-of-sight": "could no longer see a published video",
  "in-sight": "could see a published video again",
  commented: "wrote a comment",
  "comment-edited": "edited a comment",
  "comment-hidden": "hid a comment",
  "comment-shown": "showed a hidden comment again",
  "comment-deleted": "deleted a comment",
  "account-linked": "linked an account",
  "account-unlinked": "unlinked the account",
  "account-broken": "could no longer use the account",
  "settings-changed": "changed the settings",
  denied: "tried something that they aren't allowed to do",
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export interface AuditEntry extends Omit<AuditRecord, "guildId" | "act"> {
  readonly act: AuditAction;
}

/** An entry to write; if `actorId` is absent, the bot itself acted. */
export interface NewAuditEntry extends Partial<Omit<AuditEntry, "id" | "atMs">> {
  readonly guildId: string;
  readonly act: AuditAction;
}

const LONGEST_NOTE = 300;
/** Entries about one person's denied attempts within the window. */
const MAX_DENIED = 10;
const DENIED_WINDOW_MS = 60 * 60_000;
const DENIED_ENTRIES_READ = 100;
const UNKNOWN_NOTE = "the video service never said whether it was done";

export function createAuditLog({ records, clock, log }: VideoRulesDependencies) {
  let written = 0;

  /** Ids are compared as text, and sort in the order of creation even within a millisecond. */
  function createEntryId(atMs: number): string {
    written = (written + 1) % 36 ** 4;
    const place = written.toString(36).padStart(4, "0");
    return `${atMs.toString(36).padStart(9, "0")}${place}${randomBytes(4).toString("hex")}`;
  }

  function createRecord({ guildId, actorId, act, publicationId, videoId, note }: NewAuditEntry): AuditRecord {
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

  const logWritten = (line: AuditRecord): void => log.info(fieldsOf(line), "audit entry written");
  const logFailure = (line: AuditRecord, message: string) => (error: unknown) =>
    log.error({ ...fieldsOf(line), error }, message);

  /** If the update fails, the existing entry is still true, though less precise. */
  const amend = (line: AuditRecord, change: Promise<void>): Promise<void> =>
    change.catch(logFailure(line, "audit entry update failed"));

  /** More entries would only hide what others did. */
  async function isDeniedOften({ guildId, actorId }: AuditRecord): Promise<boolean> {
    const sinceMs = clock.now() - DENIED_WINDOW_MS;
    const recent = await records.auditEntries(guildId, { limit: DENIED_ENTRIES_READ }).catch(() => []);
    const denied = recent.filter(
      (entry) => entry.act === "denied" && entry.actorId === actorId && entry.atMs > sinceMs,
    );
    return denied.length >= MAX_DENIED;
  }

  return {
    /** Throws a UserError. One of many attempts is only logged, as is an entry that cannot be written. */
    async deny(entry: Omit<NewAuditEntry, "act">, sentence: string): Promise<never> {
      const line = createRecord({ ...entry, act: "denied" });
      log.warn(fieldsOf(line), "action denied");
      if (!(await isDeniedOften(line))) {
        await records.addAuditRecord(line).catch(logFailure(line, "audit entry lost"));
      }
      throw new UserError(sentence, "permission");
    },
    /** Makes a change and its entries, or neither. `change` returns `undefined` or `false` for no change. */
    async changeWithAudit<T>(
      entries: readonly NewAuditEntry[],
      change: (lines: readonly AuditRecord[]) => Promise<T>,
    ): Promise<T> {
      const lines = entries.map(createRecord);
      const changed = await change(lines);
      if (changed !== undefined && changed !== false) {
        lines.forEach(logWritten);
      }
      return changed;
    },
    /** Its entry says at first that the outcome is unknown. A refused attempt leaves no entry. */
    async attempt<T extends string>(
      entry: NewAuditEntry,
      attempt: () => Promise<T>,
      notes?: Readonly<Partial<Record<T, string>>>,
    ): Promise<T> {
      const line = createRecord({ ...entry, note: UNKNOWN_NOTE });
      await records.addAuditRecord(line);
      try {
        const outcome = await attempt();
        logWritten(line);
        if (outcome !== "unknown") {
          await amend(line, records.noteAuditRecord(line.id, shorten(notes?.[outcome] ?? entry.note)));
        }
        return outcome;
      } catch (error) {
        await amend(line, records.removeAuditRecord(line.id));
        throw error;
      }
    },
    auditEntries: async (guildId: string, page: AuditPage): Promise<readonly AuditEntry[]> =>
      (await records.auditEntries(guildId, page)).flatMap(readEntry),
  };
}

const shorten = (note: string | undefined) => note && cutText(note, LONGEST_NOTE);

/** Leaves out the note, because it may be a title. */
function fieldsOf({ guildId: guild, actorId: actor, act, publicationId, videoId }: AuditRecord) {
  return { service: "video", guild, actor, act, publicationId, videoId };
}

/** Leaves out actions that only later versions of the bot know. */
function readEntry(record: AuditRecord): readonly AuditEntry[] {
  const { guildId: _, act, ...entry } = record;
  // The line's condition proves the type.
  return Object.hasOwn(AUDIT_ACTIONS, act) ? [{ ...entry, act: act as AuditAction }] : [];
}
