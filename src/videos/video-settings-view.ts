import { historyArgs } from "./video-args.ts";
import type { ComponentTarget } from "../core/component-id.ts";
import { joinLines, oneLine } from "../core/text.ts";
import { privateCard, buttonTo, type Reply, escapeMarkdown } from "../core/reply.ts";
import type { PublicationProblem } from "./publishing/problems.ts";
import type { VideoSettings } from "./settings/video-rules.ts";
import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from "./settings/audit-log.ts";
import { formatZone } from "../time/schedule.ts";
import { timestamp, videoTitle } from "./video-words.ts";

const HISTORY_ICON = "🕘";

const NAME_SHOWN = 60;

const NOTE_SHOWN = 120;

export const ENTRIES_SHOWN = 10;

const PING_NEEDS =
  "-# Discord notifies a role only if anyone may mention it or I have the permission **Mention @everyone, @here, and All Roles**.";

/** `done`: a sentence about what has just been changed. */
export function videoSettingsView(settings: VideoSettings, done?: string): Reply {
  const { approvalChannelId: channelId, approverRoleId, pingRoleId, publisherRoleId, timeZone } = settings;
  const lines = [
    done,
    "### Video settings",
    channelId === undefined
      ? "**Approval** not needed"
      : `**Approval** requested in <#${channelId}>. Nobody can approve their own video.\n**May approve** ${roleWords(approverRoleId)}`,
    channelId !== undefined &&
      pingRoleId !== undefined &&
      `**Pinged for approval** ${roleWords(pingRoleId)}\n${PING_NEEDS}`,
    `**May publish and edit** ${roleWords(publisherRoleId)}`,
    `**Time zone** ${formatZone(timeZone)}`,
    "To change these, use `/video settings` with `approval_channel`, `approvers`, `approval_ping`, `publishers` or `zone`; `remove` clears one.",
    "-# **Server Settings → Integrations** decides who may use `/video` at all. Roles set here only narrow that.",
  ];
  return privateCard([joinLines(...lines), [buttonTo("History", historyTarget(), { emoji: HISTORY_ICON })]]);
}

function roleWords(roleId: string | undefined): string {
  return roleId === undefined ? "everyone who may use `/video`" : `<@&${roleId}>`;
}

/** `entries` has one entry more than is shown, if there are more. `about`: titles by publication. */
export function videoHistoryView(
  entries: readonly AuditEntry[],
  isFirst: boolean,
  about: ReadonlyMap<string, string>,
): Reply {
  const shown = entries.slice(0, ENTRIES_SHOWN);
  const last = shown.at(-1);
  const isMore = entries.length > ENTRIES_SHOWN && last !== undefined;
  const lines = shown.map((act) => {
    const title = about.get(act.publicationId ?? "");
    // An entry about a deletion already contains the title.
    return title === undefined || act.note === title
      ? auditLine(act)
      : `${auditLine(act)} · “${videoTitle(title, NAME_SHOWN)}”`;
  });
  const head = "### History of this server's videos";
  const none = lines.length === 0 && "Nothing yet.";
  return privateCard([
    joinLines(head, ...lines, none),
    [!isFirst && buttonTo("Newest", historyTarget()), isMore && buttonTo("Older", historyTarget(last))],
  ]);
}

/** `after`: the last entry of the page before. */
function historyTarget(after: { readonly atMs?: number; readonly id?: string } = {}): ComponentTarget {
  return { command: "video/settings", action: "history", args: historyArgs.encode(after) };
}

/** e.g. `18 November 2026 17:20 · <@7> approved a video: Opening day`. */
export function auditLine({ atMs, actorId, act, note }: AuditEntry): string {
  const who = actorId !== undefined ? `<@${actorId}>` : isByBot(act, note) ? "I" : "Somebody";
  const isUnknown = act === "failed" && note === OUTCOME_UNKNOWN;
  const did = isUnknown ? "couldn't find out whether a video was published" : AUDIT_ACTIONS[act];
  const words = noteWords(act, note);
  const about = words === undefined ? "" : `: ${words}`;
  return `${timestamp(atMs)} · ${who} ${did}${about}`;
}

/** Actions that only the bot itself takes. Other entries have no actor if the person had their data erased. */
const BOT_ACTIONS: ReadonlySet<AuditAction> = new Set([
  "published",
  "scheduled",
  "put-off",
  "put-back",
  "failed",
  "expired",
  "out-of-sight",
  "in-sight",
  "account-broken",
]);

/** The bot's own cancellations have a note. */
function isByBot(act: AuditAction, note: string | undefined): boolean {
  return BOT_ACTIONS.has(act) || (act === "cancelled" && note !== undefined);
}

/** The note of an entry whose outcome is unknown. */
const OUTCOME_UNKNOWN = "outcome-unknown";

type FailureNote = PublicationProblem["kind"] | NonNullable<PublicationProblem["trouble"]>;

const FAILURES: Readonly<Record<string, string>> = {
  unavailable: "the video service couldn't be reached",
  busy: "the video service had problems",
  timeout: "the video service took too long",
  "rate-limited": "the video service asked me to slow down",
  "slow-down": "the video service asked me to slow down",
  "budget-spent": "the video service asked me to slow down",
  "out-of-credit": "the account has no credit left with the video service",
  blocked: "the video service has blocked the account for a few hours",
  rejected: "the video service rejected it",
  "bad-request": "the video service rejected it",
  unsupported: "the video service doesn't offer that",
  empty: "a required text was missing",
  duplicate: "the account had already published exactly the same thing",
  format: "the video service doesn't accept this kind of file",
  "too-small": "the file is too small to be a video",
  "too-large": "the video is too large for the video service",
  file: "the file arrived damaged",
  content: "it goes against the platform's rules",
  offset: "the video service and I couldn't agree on how much had arrived",
  session: "the video service gave up on the upload",
  "unexpected-answer": "the video service sent an answer I don't understand",
  aborted: "it was stopped",
  "not-permitted": "a permission is missing",
  permission: "a permission is missing",
  unauthorised: "the video service no longer knows the account",
  "token-dead": "its access token is no longer valid",
  "needs-confirmation": "its owner must log in to the video service and confirm something",
  "page-token-needed": "it needs a Page's access token",
  "no-account": "the account can no longer be used here",
  "not-found": "it's gone, or no longer visible to me",
  gone: "it's gone, or no longer visible to me",
  unpublished: "it was unpublished on the video service",
  bug: "something went wrong on my side",
} satisfies Readonly<Record<Exclude<FailureNote, typeof OUTCOME_UNKNOWN>, string>>;

const FAILURE_ACTIONS: ReadonlySet<AuditAction> = new Set(["failed", "account-broken", "out-of-sight"]);

function noteWords(act: AuditAction, note: string | undefined): string | undefined {
  const isFailure = FAILURE_ACTIONS.has(act);
  if (note === undefined || (isFailure && note === OUTCOME_UNKNOWN)) {
    return undefined;
  }
  const shown = escapeMarkdown(oneLine(isFailure ? note.replaceAll("-", " ") : note, NOTE_SHOWN));
  return isFailure ? (FAILURES[note] ?? shown) : shown;
}
