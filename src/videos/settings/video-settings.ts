// How a guild wants its videos published: who may, who approves, in which zone; and who did what.
import type { AuditRecord } from "../video-records-table.ts";

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

/** The person who acts, and their permissions. */
export interface Actor {
  readonly userId: string;
  /** In the guild that is acted on. */
  readonly roleIds: readonly string[];
}

/**
 * The actions in the audit log. `denied`: somebody tried something without permission. `settled`: a person decided an
 * unknown outcome. `put-off` and `put-back` were written by earlier versions. `out-of-sight`: a published video is no longer
 * visible, to us or to anybody; `in-sight`: it is visible again.
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

/** An entry of the audit log. */
export interface AuditEntry extends Omit<AuditRecord, "guildId" | "act"> {
  readonly act: AuditAction;
}

/** An entry to write; without `actorId`, of the bot itself. */
export interface NewAuditEntry
  extends
    Pick<AuditRecord, "guildId" | "actorId">,
    Partial<Pick<AuditRecord, "publicationId" | "videoId" | "note">> {
  readonly act: AuditAction;
}
