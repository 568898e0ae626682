// What people change about a publication on its way: its texts and its time, or that it goes out at all.
import { UserError } from "../../core/errors.ts";
import type { PublicationChanges, PublicationRecord } from "../../storage/publications-table.ts";
import type { Actor } from "../video-settings/video-settings.ts";
import { approvalChannelOf, askIn, checkAuthor, checkCanAsk, isUnasked } from "./approval.ts";
import { type AlterPublication, mustGet } from "./alter-publication.ts";
import { checkDescription, checkTitle } from "./check-draft.ts";
import { formatProblem, parseProblem } from "./kept-problem.ts";
import { UNWANTED } from "./keep-messages.ts";
import { parsePublishAt } from "./parse-publish-at.ts";
import type { PublicationTexts } from "./publish.ts";
import type { PublishDependencies } from "./publish-dependencies.ts";
import { enter } from "./states.ts";

/** On rows: whoever asks makes publications of them. */
export interface ChangePublication {
  edit(id: string, texts: PublicationTexts, by: Actor): Promise<PublicationRecord>;
  cancel(id: string, by: Actor): Promise<PublicationRecord>;
}

type Said = Pick<PublicationChanges, "title" | "description" | "publishAtMs">;

/** Makes these parts of `Publish`. */
export function createChangePublication(
  deps: PublishDependencies & { readonly alter: AlterPublication },
): ChangePublication {
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
        if (parseProblem(record).problem?.mayRetry !== true) {
          throw new UserError("This cannot be sent again. Please attach the video again.");
        }
        return askedOrSaid(record, said, asked);
      case "processing":
      case "scheduled":
      case "published":
        throw new UserError("The service has it already: use `/video edit` to change it there.");
      case "refused":
      case "cancelled":
      case "expired":
      case "outcome-unknown":
      case "deleted":
        throw new UserError("It can no longer be changed. Please attach the video again.");
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
    const { before, after, isChanged } = await alter(id, async (record) => {
      const channelId = approvalChannelOf(record, settings);
      if (channelId !== undefined) {
        checkAuthor(record, by);
      }
      if (isSame(record, said) && !isUnasked(record)) {
        return undefined;
      }
      const changes = withTexts(record, said, channelId);
      if (changes.approvalChannelId !== undefined && record.approvalMessageId === undefined) {
        await checkCanAsk(messenger, changes.approvalChannelId);
      }
      return changes;
    });
    if (isChanged) {
      const act = { guildId, actorId: by.userId, publicationId: id };
      await rules.write({ ...act, act: "edited" });
      if (before.approvalChannelId !== undefined) {
        await rules.write({ ...act, act: "approval-voided" });
      }
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
        return { ...enter(record, "cancelled", nowMs), problem: undefined };
      case "uploading": {
        if (record.pendingWrite === undefined) {
          return { ...enter(record, "cancelled", nowMs), problem: undefined };
        }
        // Whoever sends it can still cut it short, or learns what became of it.
        const kept = parseProblem(record);
        return kept.isStopping === true
          ? undefined
          : { problem: formatProblem({ ...kept, isStopping: true }) };
      }
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
    const { after, isChanged } = await alter(id, withoutIt);
    if (isChanged) {
      if (after.state === "cancelled") {
        await rules.write({ guildId, actorId: by.userId, act: "cancelled", publicationId: id });
      }
      runner.stop(id);
      runner.nudge();
    }
    return after;
  }

  return { edit, cancel };
}

function isSame(record: PublicationRecord, said: Said): boolean {
  return (["title", "description", "publishAtMs"] as const).every(
    (name) => !(name in said) || said[name] === record[name],
  );
}
