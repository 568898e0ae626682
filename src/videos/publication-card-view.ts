// A draft, as the person who attached the video sees it before anything is sent; and the ways to one.
import { formatSize } from "../core/text.ts";
import { draftButton, serverArgs } from "./publication-args.ts";
import {
  type Reply,
  type Visibility,
  card,
  escapeMarkdown,
  menu,
  plainReply,
  textReply,
} from "../core/reply.ts";
import type { RefusedFile } from "./publishing/draft-videos.ts";
import type { Publication } from "./publishing/publish.ts";
import type { VideoSettings } from "./settings/video-rules.ts";
import { relativeTime } from "../time/duration.ts";
import {
  accountWords,
  afterApprovalWords,
  descriptionQuote,
  fileWords,
  publicationTitle,
  standingWords,
} from "./publication-words.ts";

/** A draft with Publish, Edit and Discard. `done`: a sentence on what has just happened to it. */
export function publicationCardView(
  draft: Publication,
  approval: Pick<VideoSettings, "approvalChannelId" | "approverRoleId">,
  visibility: Visibility,
  done?: string,
): Reply {
  const { id, asksApproval, publishAtMs, file, description } = draft;
  const go = asksApproval ? "Send for approval" : publishAtMs === undefined ? "Publish now" : "Schedule";
  const lines = [
    done,
    `### Publish “${publicationTitle(draft)}”?`,
    descriptionQuote(description) ?? "No description yet.",
    `**Goes out** ${publishAtMs !== undefined || asksApproval ? afterApprovalWords(draft) : "when you press Publish now"}`,
    // Its own name is public anyway: it stands beside every video.
    `**Account** ${accountWords(draft)}`,
    asksApproval && `**Approval** ${approvalWords(approval)}`,
    `**File** ${fileWords(draft)}`,
    `-# Nothing has been sent yet. Please decide before Discord's link to the file expires, ${relativeTime(file.linkEndsAtMs)}.`,
  ];
  const buttons = [
    draftButton("go", id, { label: go, emoji: "📤", style: "success" }),
    draftButton("edit", id, { label: "Edit", emoji: "✏️" }),
    draftButton("discard", id, { label: "Discard" }),
  ];
  const text = lines.filter(Boolean).join("\n");
  return {
    ...card([text, buttons]),
    visibility,
  };
}

function approvalWords({
  approvalChannelId,
  approverRoleId,
}: Pick<VideoSettings, "approvalChannelId" | "approverRoleId">): string {
  const who = approverRoleId === undefined ? "somebody else" : `somebody else of <@&${approverRoleId}>`;
  return `${who} approves it first${approvalChannelId === undefined ? "" : `, in <#${approvalChannelId}>`}`;
}

/** The answer to Publish, pressed `here`: where to look. If the message exists, Discord shows the link as a jump to it. */
export function publicationSentView(
  publication: Publication,
  here: { readonly guildId: string | undefined; readonly channelId: string | undefined },
): Reply {
  const { state, guildId, channelId, messageId } = publication;
  const name = `“${publicationTitle(publication)}”`;
  if (state === "expired") {
    return textReply(`The link to the file of ${name} has ended. Please attach the video again.`);
  }
  const isHere = channelId === here.channelId;
  if (messageId === undefined) {
    const place = isHere ? "in a message here" : `in <#${channelId}>`;
    return textReply(`${name} ${standingWords(state)}. How it goes is told ${place}.`);
  }
  // A conversation is nobody's but theirs who are in it.
  const room = isHere && here.guildId === undefined ? "@me" : guildId;
  const link = `https://discord.com/channels/${room}/${channelId}/${messageId}`;
  return textReply(`${name} ${standingWords(state)}. How it goes is told here: ${link}`);
}

export function publicationDiscardedView(): Reply {
  return textReply("All right, nothing was sent.");
}

/** Asks which of several videos is to be published; each gets a card of its own. */
export function whichVideoView(
  drafts: readonly Publication[],
  refused: readonly RefusedFile[],
  visibility: Visibility,
): Reply {
  const lines = [
    "### Which video?",
    "Each gets a card of its own, one after the other.",
    ...refused.map(({ name, sentence }) => `-# ${escapeMarkdown(name)}: ${sentence}`),
  ];
  const choices = drafts.map(({ id, file }) => ({
    label: file.name,
    value: id,
    description: formatSize(file.sizeBytes),
  }));
  const target = { command: "video/card", action: "pick" };
  return plainReply([lines.join("\n"), menu(target, "Pick a video…", choices)], visibility);
}

/** Asks, in a conversation, for which server a video is. */
export function whichServerView(
  servers: readonly { readonly guildId: string; readonly name: string }[],
  messageId: string,
): Reply {
  const target = { command: "video/publish", action: "server", args: serverArgs.encode({ messageId }) };
  const choices = servers.map(({ guildId, name }) => ({ label: name, value: guildId }));
  return plainReply([
    "### For which server?\nYou may publish videos for several.",
    menu(target, "Pick a server…", choices),
  ]);
}
