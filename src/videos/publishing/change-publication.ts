// What people change about a publication on its way: its texts and its time, or that it goes out at all.
import { UserError } from "../../core/errors.ts";
import type { PublicationChanges, PublicationRecord, PublicationsTable } from "../publications-table.ts";
import type { Actor } from "../settings/video-rules.ts";
import type { NewAuditEntry, AuditAction } from "../settings/audit-log.ts";
import { approvalChannelOf, askIn, checkAuthor, checkCanAsk, isUnasked } from "./approval.ts";
import { checkDescription, checkTitle } from "./draft-publication.ts";
import { maySendAgain } from "./stored-problem.ts";
import { UNWANTED } from "./update-messages.ts";
import { withoutUpload } from "./judge-failure.ts";
import { parsePublishAt } from "./parse-publish-at.ts";
import type { PublicationTexts, PublishDependencies } from "./publish.ts";
import { enter } from "./states.ts";

type Said = Pick<PublicationChanges, "title" | "description" | "publishAtMs">;

export function createChangePublication(deps: PublishDependencies & { readonly alter: AlterPublication }) {
  const { publications, rules, messenger, runner, clock, alter } = deps;

  function read(texts: PublicationTexts, timeZone: string): Said {
    const { title, description, publishAt = "" } = texts;
    const nowMs = clock.now();
    return {
      ...("title" in texts && { title: checkTitle(title) }),
      ...("description" in texts && { description: checkDescription(description) }),
      ...("publishAt" in texts && {
        publishAtMs: publishAt.trim() === "" ? undefined : parsePublishAt(publishAt, { timeZone, nowMs }),
      }),
    };
  }

  /** What it takes to change them now; approval, which is asked for in `channelId`, was given to what it was before. */
  function withTexts(
    record: PublicationRecord,
    said: Said,
    channelId: string | undefined,
  ): PublicationChanges {
    const nowMs = clock.now();
    const asked = channelId === undefined ? undefined : askIn(record, channelId);
    switch (record.state) {
      case "draft":
        return said;
      case "awaiting-approval":
        return { ...said, ...asked, stateAtMs: nowMs, nextAtMs: nowMs };
      case "uploading":
        if (record.pendingWrite !== undefined) {
          throw new UserError("It is being published at this moment. Once it is there, use `/video edit`.");
        }
        return askedOrSaid(record, said, asked);
      case "failed":
        checkMaySendAgain(record);
        return askedOrSaid(record, said, asked);
      case "processing":
      case "scheduled":
      case "published":
        throw new UserError("The service has it already: use `/video edit` to change it there.");
      case "refused":
        checkSendable({ ...record, ...said });
        return { ...askedOrSaid(record, said, asked), refusedReason: undefined };
      case "cancelled":
        checkMaySendAgain(record);
        // What was approved was something else: Publish again asks once more.
        return { ...said, decidedBy: undefined, nextAtMs: nowMs };
      case "expired":
      case "outcome-unknown":
      case "deleted":
        throw new UserError("It can no longer be changed. Please attach the video again.");
    }
  }

  /** What was refused is asked for anew only where it can still go out. */
  function checkSendable({ fileUrl, linkEndsAtMs, publishAtMs = Infinity }: PublicationRecord): void {
    const nowMs = clock.now();
    if (fileUrl === undefined || linkEndsAtMs <= nowMs) {
      throw new UserError("The link to the file has ended. Please attach the video again.");
    }
    if (publishAtMs <= nowMs) {
      throw new UserError(
        "The time at which it was to be published has passed. Please choose another one in the form, or leave it empty.",
      );
    }
  }

  function askedOrSaid(
    record: PublicationRecord,
    said: Said,
    asked: PublicationChanges | undefined,
  ): PublicationChanges {
    const nowMs = clock.now();
    return asked === undefined
      ? { ...said, nextAtMs: nowMs }
      : { ...said, ...asked, ...enter(record, "awaiting-approval", nowMs) };
  }

  async function edit(id: string, texts: PublicationTexts, by: Actor): Promise<PublicationRecord> {
    const { guildId } = await mustGet(publications, id);
    await rules.checkPublisher(guildId, by, "change a video");
    const settings = await rules.settings(guildId);
    const said = read(texts, settings.timeZone);
    const decide = async (record: PublicationRecord): Promise<PublicationChanges | undefined> => {
      const channelId = approvalChannelOf(record, settings);
      if (channelId !== undefined) {
        checkAuthor(record, by);
      }
      if (isSame(record, said) && !isUnasked(record) && record.state !== "refused") {
        return undefined;
      }
      const changes = withTexts(record, said, channelId);
      if (changes.approvalChannelId !== undefined && record.approvalMessageId === undefined) {
        await checkCanAsk(messenger, changes.approvalChannelId);
      }
      return changes;
    };
    const { after, isChanged } = await alter(id, decide, (_after, before) => {
      const acts: readonly AuditAction[] =
        before.state === "refused"
          ? [...(isSame(before, said) ? [] : (["edited"] as const)), "submitted"]
          : ["edited", ...(before.approvalChannelId === undefined ? [] : (["approval-voided"] as const))];
      return acts.map((act) => ({ actorId: by.userId, act }));
    });
    if (isChanged) {
      runner.stop(id);
      runner.nudge();
    }
    return after;
  }

  function withoutIt(record: PublicationRecord): PublicationChanges | undefined {
    const nowMs = clock.now();
    switch (record.state) {
      case "draft":
        return { ...enter(record, "cancelled", nowMs), shownHash: UNWANTED };
      case "awaiting-approval":
        return enter(record, "cancelled", nowMs);
      case "uploading":
        return withoutUpload(record, nowMs, "cancelled");
      case "processing":
      case "scheduled":
      case "published":
        throw new UserError(
          "It is too late to cancel: the service has it. Delete it there with `/video delete`.",
        );
      case "outcome-unknown":
        throw new UserError(
          "Nobody knows whether it was published, so there may be nothing to cancel. Look first, and say what you found.",
        );
      case "refused":
      case "failed":
      case "cancelled":
      case "expired":
      case "deleted":
        return undefined;
    }
  }

  async function cancel(id: string, by: Actor): Promise<PublicationRecord> {
    const { guildId } = await mustGet(publications, id);
    await rules.checkPublisher(guildId, by, "cancel a publication");
    const { after, isChanged } = await alter(id, withoutIt, ({ state }) =>
      state === "cancelled" ? [{ actorId: by.userId, act: state }] : [],
    );
    if (isChanged) {
      runner.stop(id);
      runner.nudge();
    }
    return after;
  }

  return { edit, cancel };
}

function checkMaySendAgain(record: PublicationRecord): void {
  if (!maySendAgain(record)) {
    throw new UserError("This cannot be sent again. Please attach the video again.");
  }
}

function isSame(record: PublicationRecord, said: Said): boolean {
  return (["title", "description", "publishAtMs"] as const).every(
    (name) => !(name in said) || said[name] === record[name],
  );
}

// Changes that people make: decided on what is there, and made only if it still is.

export interface Altered {
  readonly before: PublicationRecord;
  readonly after: PublicationRecord;
  /** `false` where there was nothing to change. */
  readonly isChanged: boolean;
}

/** An audit entry of a publication, beyond what the row says itself. */
export interface PublicationAuditEntry extends Pick<NewAuditEntry, "act" | "note"> {
  /** Absent: the bot itself. */
  readonly actorId?: string;
}

/** A lease renews its claim meanwhile, every few seconds. */
const MOST_TRIES = 20;
/**
 * Reads a publication, decides, and changes it with its audit entries, again and again until nobody was quicker. `decide`
 * gives `undefined` where nothing is to be changed, and throws UserError for what cannot be done; `entriesOf` is asked
 * with the row as it comes to be.
 */
export function createAlterPublication({
  publications,
  rules,
}: Pick<PublishDependencies, "publications" | "rules">) {
  return async (
    id: string,
    decide: (
      record: PublicationRecord,
    ) => PublicationChanges | undefined | Promise<PublicationChanges | undefined>,
    entriesOf: (after: PublicationRecord, before: PublicationRecord) => readonly PublicationAuditEntry[],
  ): Promise<Altered> => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const before = await mustGet(publications, id);
      const changes = await decide(before);
      if (changes === undefined) {
        return { before, after: before, isChanged: false };
      }
      const acts = entriesOf({ ...before, ...changes }, before).map((act) =>
        auditEntryOf(before, changes, act),
      );
      const after = await rules.changeWithAudit(acts, (lines) =>
        publications.change(before, changes, { acts: lines }),
      );
      if (after !== undefined) {
        return { before, after, isChanged: true };
      }
    }
    throw new UserError("Somebody else is changing that video's publication right now. Please try again.");
  };
}

export type AlterPublication = ReturnType<typeof createAlterPublication>;

/** The audit entry of a publication as it is after a change. */
export function auditEntryOf(
  before: PublicationRecord,
  changes: PublicationChanges,
  { actorId, act, note }: PublicationAuditEntry,
): NewAuditEntry {
  const { id: publicationId, guildId } = before;
  const { videoId } = { ...before, ...changes };
  return { guildId, actorId, act, publicationId, videoId, note };
}

/** Throws UserError for one that is no longer there. */
export async function mustGet(
  publications: Pick<PublicationsTable, "get">,
  id: string,
): Promise<PublicationRecord> {
  const record = await publications.get(id);
  if (record === undefined) {
    throw new UserError("That publication is no longer here. Please attach the video again.");
  }
  return record;
}
