// How a guild wants its videos published: who may, who approves, in which zone; and who did what.
import type { AuditPage, AuditRecord } from "../video-records-table.ts";

/** A guild's choice. Roles only narrow what Discord's own permissions allow. */
export interface VideoSettings {
  /** Where approval is asked for; `undefined`: nobody needs any. */
  readonly approvalChannelId: string | undefined;
  /** Who of those who may use /video may approve; `undefined`: all of them. */
  readonly approverRoleId: string | undefined;
  /** Who of those who may use /video may publish and change videos; `undefined`: all of them. */
  readonly publisherRoleId: string | undefined;
  /** IANA name: the zone in which `publish_at` is read. */
  readonly timeZone: string;
}

/** Whoever acts, as far as permissions go. */
export interface Actor {
  readonly userId: string;
  /** In the guild that is acted on. */
  readonly roleIds: readonly string[];
}

/**
 * What is written down. `denied`: somebody tried what is not theirs. `settled`: a person said what became of it.
 * `out-of-sight`: a published video is shown no more, to us or to anybody; `in-sight`: it is again.
 */
export const AUDIT_ACTIONS = [
  "submitted",
  "approved",
  "refused",
  "approval-voided",
  "published",
  "scheduled",
  "put-off",
  "put-back",
  "failed",
  "cancelled",
  "expired",
  "settled",
  "edited",
  "deleted",
  "out-of-sight",
  "in-sight",
  "commented",
  "comment-edited",
  "comment-hidden",
  "comment-shown",
  "comment-deleted",
  "account-linked",
  "account-unlinked",
  "account-broken",
  "settings-changed",
  "denied",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** An act as it was written down. */
export interface AuditEntry {
  readonly id: string;
  readonly atMs: number;
  readonly actorId: string | undefined;
  readonly act: AuditAction;
  readonly publicationId: string | undefined;
  readonly videoId: string | undefined;
  readonly note: string | undefined;
}

/** An act to write down. */
export interface NewAuditEntry {
  readonly guildId: string;
  /** `undefined`: the bot itself. */
  readonly actorId: string | undefined;
  readonly act: AuditAction;
  readonly publicationId?: string | undefined;
  readonly videoId?: string | undefined;
  readonly note?: string | undefined;
}

/** Settings and acts of guilds. */
export interface VideoRules {
  settings(guildId: string): Promise<VideoSettings>;
  /**
   * What is absent stays, `undefined` takes it away; the zone as people type it, e.g. `Paris`. Throws UserError for a
   * channel the bot may not write to or that is another guild's, and for a zone that does not exist.
   */
  change(guildId: string, changes: Partial<VideoSettings>, by: Actor): Promise<VideoSettings>;
  /** Throws UserError, and writes down the attempt, where this person may not publish or change videos. */
  checkPublisher(guildId: string, by: Actor, what: string): Promise<void>;
  /** The same for approving and refusing; `submittedBy` may not do so, and where it is not known, nobody may. */
  checkApprover(guildId: string, by: Actor, submittedBy: string | undefined): Promise<void>;
  /** Writes down what changes nothing. Never throws: an act that cannot be written down is logged. */
  write(act: NewAuditEntry): Promise<void>;
  /**
   * Makes a change together with its lines, so that neither is there without the other. `change` hands them to the
   * storage, and gives `undefined` or `false` where nothing was changed. Throws as it does.
   */
  changeWithAudit<T>(
    acts: readonly NewAuditEntry[],
    change: (lines: readonly AuditRecord[]) => Promise<T>,
  ): Promise<T>;
  /**
   * Tries something at the service. Its line stands first, and says that nobody knows whether it was done: that stays
   * true of it, whatever dies. Then it says what came of it, by `notes` or else the act's own note; what was refused
   * leaves none. Throws as `write` and the database do.
   */
  attempt<T extends string>(
    act: NewAuditEntry,
    write: () => Promise<T>,
    notes?: Readonly<Partial<Record<T, string>>>,
  ): Promise<T>;
  /** The newest first. */
  acts(guildId: string, page: AuditPage): Promise<readonly AuditEntry[]>;
}
