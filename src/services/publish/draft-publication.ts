// Makes a draft of a file that somebody attached: looks whether it can be published at all, before anything is sent.
import { ServiceError, UserError } from "../../core/errors.ts";
import type { PublicationRecord } from "../../storage/publications-table.ts";
import { type AttachmentLook } from "../attachments/attachment-sources.ts";
import { linkEndsAt } from "../attachments/check-link.ts";
import { createBoardId } from "../boards/create-board-id.ts";
import { checkChannel } from "../sending/check-channel.ts";
import type { UsableAccount } from "../video-accounts/video-accounts.ts";
import { checkDescription, checkSize, checkTitle } from "./check-draft.ts";
import { parsePublishAt } from "./parse-publish-at.ts";
import type { PublishOrder } from "./publish.ts";
import type { PublishDependencies } from "./publish-dependencies.ts";
import { sniffVideo } from "./sniff-video.ts";

const OWN_WORDS = { act: "tell how it goes", otherwise: "use another channel" };

/** Makes what drafts. It throws UserError for what cannot be published, and as database and HTTP do. */
export function createDraftPublication(deps: PublishDependencies) {
  const { publications, accounts, rules, sources, messenger, clock } = deps;

  async function accountOf(guildId: string): Promise<UsableAccount> {
    const account = await accounts.of(guildId);
    if (account === undefined) {
      throw new UserError(
        accounts.canLink
          ? "This server has no video account yet. Somebody who manages it can link one with /video account link."
          : "There is no video account to publish with. Whoever runs this bot has to set one up.",
      );
    }
    return account;
  }

  async function look(url: string): Promise<AttachmentLook> {
    try {
      return await sources.look(url);
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "not-found") {
        throw new UserError("The link to that file has expired. Please attach it again.");
      }
      throw error;
    }
  }

  return async (order: PublishOrder): Promise<PublicationRecord> => {
    const { guildId, channelId, by, file } = order;
    await rules.checkPublisher(guildId, by, "publish a video");
    const account = await accountOf(guildId);
    if (order.isConversation !== true) {
      await checkChannel(messenger, { channelId }, OWN_WORDS);
    }
    if (file.sizeBytes > 0) {
      checkSize(file.sizeBytes);
    }
    const title = checkTitle(order.title);
    const description = checkDescription(order.description);
    const nowMs = clock.now();
    const { timeZone } = await rules.settings(guildId);
    const { publishAt = "" } = order;
    const publishAtMs = publishAt.trim() === "" ? undefined : parsePublishAt(publishAt, { timeZone, nowMs });

    const { firstBytes, sizeBytes = file.sizeBytes } = await look(file.url);
    checkSize(sizeBytes);
    const type = sniffVideo(firstBytes);
    if (type === undefined) {
      throw new UserError(
        "That is not a video, or of a kind that I do not know. Please attach one, e.g. an MP4 or MOV file.",
      );
    }
    // `look` has taken this link, so it is one.
    const linkEndsAtMs = linkEndsAt(new URL(file.url), nowMs);
    return publications.add({
      id: createBoardId(),
      guildId,
      channelId,
      messageId: undefined,
      postingSinceMs: undefined,
      shownHash: undefined,
      approvalChannelId: undefined,
      approvalMessageId: undefined,
      approvalShownHash: undefined,
      submittedBy: by.userId,
      createdAtMs: nowMs,
      state: "draft",
      stateAtMs: nowMs,
      account: account.key,
      title,
      description,
      publishAtMs,
      fileName: file.name,
      fileType: type,
      sizeBytes,
      fileUrl: file.url,
      linkEndsAtMs,
      doneBytes: 0,
      percent: undefined,
      session: undefined,
      pendingWrite: undefined,
      pendingSinceMs: undefined,
      nextAtMs: linkEndsAtMs,
      videoId: undefined,
      link: undefined,
      problem: undefined,
      decidedBy: undefined,
      refusedReason: undefined,
    });
  };
}
