// People's changes to a publication that is not published yet.
import { UserError } from "../../core/errors.ts";
import type { Messenger } from "../../core/ports.ts";
import { checkChannel } from "../../delivery/check-channel.ts";
import type { PublicationChanges, PublicationRecord, PublicationsTable } from "../publications-table.ts";
import type { AuditAction, NewAuditEntry } from "../settings/audit-log.ts";
import type { Actor, VideoSettings } from "../settings/video-rules.ts";
import { outdatedFormError, type ParsedTexts, parseTexts } from "./draft-publication.ts";
import { hashTexts } from "../video-words.ts";
import { parseProblem } from "./problems.ts";
import type { Publication, PublicationTexts, PublishDependencies, PublishParts } from "./publish.ts";
import type { PublishRunner } from "./publish-runner.ts";
import { enter, maySendAgain, stopUpload } from "./states.ts";

export function createChangePublication(deps: PublishParts) {
  const { publications, rules, messenger, clock, read, update } = deps;

  /** New texts need a new approval, requested in `channelId`. */
  function textChanges(
    record: PublicationRecord,
    texts: ParsedTexts,
    channelId?: string,
  ): PublicationChanges {
    const nowMs = clock.now();
    const isAsked = record.state === "awaiting-approval";
    const again = (): PublicationChanges => ({
      ...texts,
      ...(channelId !== undefined && approvalRequestChanges(record, channelId, nowMs)),
      ...(isAsked && { stateAtMs: nowMs }),
      ...(channelId === undefined || isAsked
        ? { nextAtMs: nowMs }
        : enter(record, "awaiting-approval", nowMs)),
    });
    switch (record.state) {
      case "draft":
        return texts;
      case "awaiting-approval":
        return again();
      case "uploading":
        if (record.pendingWrite !== undefined) {
          throw new UserError(
            "It's being published right now. Once it's there, use `/video edit`.",
            "outdated",
          );
        }
        return again();
      case "failed":
        checkMaySendAgain(record);
        return again();
      case "refused":
        checkSendable({ ...record, ...texts }, nowMs);
        return { ...again(), refusedReason: undefined };
      case "cancelled":
        checkMaySendAgain(record);
        // The approval was for other texts, so Publish again requests a new one.
        return { ...texts, decidedBy: undefined, nextAtMs: nowMs };
      case "processing":
      case "scheduled":
      case "published":
        throw new UserError(
          "The video service has it already: use `/video edit` to change it there.",
          "outdated",
        );
      case "outcome-unknown":
        throw new UserError(CHECK_OUTCOME_FIRST, "outdated");
      case "expired":
      case "deleted":
        throw new UserError("It can no longer be changed. Please attach the video again.", "outdated");
    }
  }

  /** Requests approval again if it was requested. `seen`: the `hashTexts` of what the form showed. */
  async function edit(id: string, typed: PublicationTexts, by: Actor, seen?: string): Promise<Publication> {
    const { guildId } = await requirePublication(publications, id);
    const settings = await rules.checkPublisher(guildId, by, "change a video");
    const texts = parseTexts(typed, { timeZone: settings.timeZone, nowMs: clock.now() });
    const decide = async (record: PublicationRecord): Promise<PublicationChanges | undefined> => {
      const channelId = approvalChannelOf(record, settings);
      if (channelId !== undefined) {
        checkAuthor(record, by);
      }
      if (isSame(record, texts) && !isUnasked(record) && record.state !== "refused") {
        return undefined;
      }
      const now = hashTexts(record, record.publishAtMs);
      if (seen !== undefined && seen !== now) {
        throw outdatedFormError(now);
      }
      const changes = textChanges(record, texts, channelId);
      const { approvalMessageId } = { ...record, ...changes };
      if (changes.approvalChannelId !== undefined && approvalMessageId === undefined) {
        await checkCanRequestApproval(messenger, changes.approvalChannelId);
      }
      return changes;
    };
    const { after } = await update(id, decide, (_after, before) => {
      const acts: readonly AuditAction[] =
        before.state === "refused"
          ? [...(isSame(before, texts) ? [] : (["edited"] as const)), "submitted"]
          : ["edited", ...(before.approvalChannelId === undefined ? [] : (["approval-voided"] as const))];
      return acts.map((act) => ({ actorId: by.userId, act }));
    });
    return read(after);
  }

  function cancelChanges(record: PublicationRecord): PublicationChanges | undefined {
    const nowMs = clock.now();
    switch (record.state) {
      case "draft":
      case "awaiting-approval":
        return enter(record, "cancelled", nowMs);
      case "uploading":
        return stopUpload(record, nowMs, "cancelled");
      case "processing":
      case "scheduled":
      case "published":
        throw new UserError(
          "It's too late to cancel: the video service has it. Delete it there with `/video delete`.",
        );
      case "outcome-unknown":
        throw new UserError(CHECK_OUTCOME_FIRST);
      case "refused":
      case "failed":
      case "cancelled":
      case "expired":
      case "deleted":
        return undefined;
    }
  }

  /** Stops it, on the service too; `isStopping` until that is certain. Throws a UserError if it is published. */
  async function cancel(id: string, by: Actor): Promise<Publication> {
    const { guildId } = await requirePublication(publications, id);
    await rules.checkPublisher(guildId, by, "cancel a publication");
    const { after } = await update(id, cancelChanges, ({ state }) =>
      state === "cancelled" ? [{ actorId: by.userId, act: state }] : [],
    );
    return read(after);
  }

  return { edit, cancel };
}

/** Attaching the video again might publish it twice. */
export const CHECK_OUTCOME_FIRST =
  "Nobody knows yet whether it was published. Please press **Look for it** first: on its message, or on the one that `/video list` opens.";

/** Whether the request for approval could not be posted and is not retried. */
function isUnasked({ state, approvalMessageId, approvalShownHash }: PublicationRecord): boolean {
  return state === "awaiting-approval" && approvalMessageId === undefined && approvalShownHash !== undefined;
}

function checkMaySendAgain(record: PublicationRecord): void {
  if (!maySendAgain(record)) {
    throw new UserError("This can't be sent again. Please attach the video again.", "outdated");
  }
}

function checkSendable(
  { fileUrl, linkEndsAtMs, publishAtMs = Infinity }: PublicationRecord,
  nowMs: number,
): void {
  if (fileUrl === undefined || linkEndsAtMs <= nowMs) {
    throw new UserError("The file link has expired. Please attach the video again.", "outdated");
  }
  if (publishAtMs <= nowMs) {
    throw new UserError(
      "The time it was meant to go out has passed. Please choose another in the form, or leave it empty.",
    );
  }
}

function isSame(record: PublicationRecord, texts: ParsedTexts): boolean {
  return (["title", "description", "publishAtMs"] as const).every(
    (name) => !(name in texts) || texts[name] === record[name],
  );
}

/** The existing request's channel, or the one for a new request; `undefined` if no approval is needed. */
export function approvalChannelOf(
  { state, approvalChannelId, approvalMessageId }: PublicationRecord,
  settings: VideoSettings,
): string | undefined {
  const isAsked = state === "awaiting-approval" && approvalMessageId !== undefined;
  return isAsked ? approvalChannelId : (settings.approvalChannelId ?? approvalChannelId);
}

/** After a decision, the request gets a new message, because editing the old one would notify nobody. */
export function approvalRequestChanges(
  record: PublicationRecord,
  channelId: string,
  nowMs: number,
): PublicationChanges {
  const { state, approvalMessageId, approvalChannelId } = record;
  const isAgain = state !== "awaiting-approval" && approvalChannelId !== undefined;
  return {
    decidedBy: undefined,
    problem: undefined,
    approvalChannelId: channelId,
    ...(isAgain && { approvalMessageId: undefined, approvalAskedAtMs: nowMs }),
    ...((isAgain || approvalMessageId === undefined) && { approvalShownHash: undefined }),
  };
}

const APPROVAL_WORDS = {
  act: "ask for approval",
  otherwise: "have somebody who manages this server choose another channel with `/video settings`",
};

export const checkCanRequestApproval = (messenger: Pick<Messenger, "check">, channelId: string) =>
  checkChannel(messenger, { channelId }, APPROVAL_WORDS);

/** Throws a UserError for anybody but the submitter, because others could then approve their own changes. */
export function checkAuthor({ submittedBy }: Pick<PublicationRecord, "submittedBy">, by: Actor): void {
  if (submittedBy !== undefined && submittedBy !== by.userId) {
    throw new UserError(
      "Only the person who attached it can do that, because somebody else has to approve it.",
      "permission",
    );
  }
}

/** A running upload stores its progress every two seconds, so a change may have to be repeated. */
const MAX_ATTEMPTS = 20;

/** `decide` may run again if the row was changed in between. It returns `undefined` for no change. */
export function createUpdatePublication(
  deps: Pick<PublishDependencies, "publications" | "rules"> & {
    readonly runner: Pick<PublishRunner, "nudge" | "stop">;
  },
) {
  const { publications, rules, runner } = deps;
  return async (
    id: string,
    decide: (
      record: PublicationRecord,
    ) => PublicationChanges | undefined | Promise<PublicationChanges | undefined>,
    entriesOf: (
      after: PublicationRecord,
      before: PublicationRecord,
    ) => readonly PublicationAuditEntry[] = entriesByItself,
  ): Promise<{ readonly before: PublicationRecord; readonly after: PublicationRecord }> => {
    for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
      const before = await requirePublication(publications, id);
      const changes = await decide(before);
      if (changes === undefined) {
        return { before, after: before };
      }
      const after = await changeWithAudit({ publications, rules }, before, changes, { entriesOf });
      if (after !== undefined) {
        runner.stop(id);
        runner.nudge();
        return { before, after };
      }
    }
    throw new UserError("Somebody else is changing that video's publication right now. Please try again.");
  };
}

export type UpdatePublication = ReturnType<typeof createUpdatePublication>;

/** The ids of the publication and its server are added to it. */
type PublicationAuditEntry = Pick<NewAuditEntry, "act" | "actorId" | "note">;

/** Readable in the history once the bot is back in the server. */
const LEFT_NOTE = "I was removed from the server";

/** A change of state that no person made. */
function entriesByItself(
  after: PublicationRecord,
  before: PublicationRecord,
): readonly PublicationAuditEntry[] {
  const { state, stopReason } = after;
  if (state === before.state) {
    return [];
  }
  if (state === "failed" || state === "outcome-unknown") {
    const problem = parseProblem(after);
    return [{ act: "failed", note: problem?.trouble ?? problem?.kind }];
  }
  if (state === "cancelled") {
    return [{ act: state, note: stopReason && LEFT_NOTE }];
  }
  return state === "published" || state === "scheduled" || state === "expired" ? [{ act: state }] : [];
}

/** `undefined` if the publication is no longer at the revision of `before`. */
export async function changeWithAudit(
  { publications, rules }: Pick<PublishDependencies, "publications" | "rules">,
  before: PublicationRecord,
  changes: PublicationChanges,
  {
    endsClaim = false,
    entriesOf = entriesByItself,
  }: { readonly endsClaim?: boolean; readonly entriesOf?: typeof entriesByItself } = {},
): Promise<PublicationRecord | undefined> {
  const after = { ...before, ...changes };
  const { id: publicationId, guildId, videoId } = after;
  const about = { guildId, publicationId, videoId };
  const entries = entriesOf(after, before).map((entry): NewAuditEntry => ({ ...about, ...entry }));
  return rules.changeWithAudit(entries, (auditRecords) =>
    publications.change(before, changes, { auditRecords, endsClaim }),
  );
}

export async function requirePublication(
  publications: PublicationsTable,
  id: string,
): Promise<PublicationRecord> {
  const record = await publications.get(id);
  if (record === undefined) {
    throw new UserError("That publication is no longer here. Please attach the video again.", "outdated");
  }
  return record;
}
