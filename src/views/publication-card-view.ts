// A draft, as whoever attached the video sees it before anything is sent; and the ways to one.
import { escapeMarkdown, textReply, type Reply, type Visibility } from "../core/reply.ts";
import type { RefusedFile } from "../services/publish/draft-videos.ts";
import type { Publication } from "../services/publish/publish.ts";
import { ACCENT } from "./accent.ts";
import { relativeTime } from "./board-settings-words.ts";
import { draftButton } from "./publication-args.ts";
import {
  descriptionQuote,
  fileWords,
  formatSize,
  publicationTitle,
  standingWords,
  whenWords,
} from "./publication-words.ts";

/** Who approves videos in the server, as its settings say. */
export interface ApprovalFacts {
  readonly approvalChannelId: string | undefined;
  readonly approverRoleId: string | undefined;
}

/** A draft with Publish, Edit and Discard. `done`: a sentence on what has just happened to it. */
export function publicationCardView(
  draft: Publication,
  approval: ApprovalFacts,
  visibility: Visibility,
  done?: string,
): Reply {
  const { id, asksApproval, publishAtMs, account, file, description } = draft;
  const go = asksApproval ? "Send for approval" : publishAtMs === undefined ? "Publish now" : "Schedule";
  const lines = [
    ...(done === undefined ? [] : [done]),
    `### Publish “${publicationTitle(draft)}”?`,
    descriptionQuote(description) ?? "No description yet.",
    `**Goes out** ${goesOut(draft)}`,
    // Its own name is public anyway: it stands beside every video.
    ...(account.name === undefined ? [] : [`**Account** ${escapeMarkdown(account.name)}`]),
    ...(asksApproval ? [`**Approval** ${approvalWords(approval)}`] : []),
    `**File** ${fileWords(draft)}`,
    `-# Nothing is sent yet. The link to this file ends ${relativeTime(file.linkEndsAtMs)}.`,
  ];
  return {
    visibility,
    blocks: [
      {
        type: "container",
        accent: ACCENT,
        blocks: [
          { type: "text", text: lines.join("\n") },
          {
            type: "buttons",
            buttons: [
              draftButton("go", id, { label: go, emoji: "📤", style: "success" }),
              draftButton("edit", id, { label: "Edit", emoji: "✏️" }),
              draftButton("discard", id, { label: "Discard" }),
            ],
          },
        ],
      },
    ],
  };
}

function goesOut(draft: Publication): string {
  if (draft.publishAtMs !== undefined) {
    return whenWords(draft);
  }
  return draft.asksApproval ? "as soon as it is approved" : "when you press Publish";
}

function approvalWords({ approvalChannelId, approverRoleId }: ApprovalFacts): string {
  const who = approverRoleId === undefined ? "somebody else" : `somebody else of <@&${approverRoleId}>`;
  return `${who} approves it first${approvalChannelId === undefined ? "" : `, in <#${approvalChannelId}>`}`;
}

/** After Publish: where to look. `hereId`: the channel where it was pressed; conversations cannot be pointed at. */
export function publicationSentView(publication: Publication, hereId?: string): Reply {
  const { state, guildId, channelId, messageId } = publication;
  const name = `“${publicationTitle(publication)}”`;
  if (state === "expired") {
    return textReply(`The link to the file of ${name} has ended. Please attach the video again.`);
  }
  if (channelId === hereId) {
    return textReply(`${name} ${standingWords(state)}. A message here tells how it goes.`);
  }
  const place =
    messageId === undefined
      ? `<#${channelId}>`
      : `https://discord.com/channels/${guildId}/${channelId}/${messageId}`;
  return textReply(`${name} ${standingWords(state)}. How it goes is told in ${place}.`);
}

/** After Discard. */
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
  return {
    visibility,
    blocks: [
      { type: "text", text: lines.join("\n") },
      {
        type: "select",
        target: { command: "video/publish", action: "pick", args: {} },
        placeholder: "Pick a video…",
        choices: drafts.map(({ id, file }) => ({
          label: file.name,
          value: id,
          description: formatSize(file.sizeBytes),
        })),
      },
    ],
  };
}

/** Asks, in a conversation, for which server a video is. */
export function whichServerView(
  servers: readonly { readonly guildId: string; readonly name: string }[],
  messageId: string,
): Reply {
  return {
    blocks: [
      { type: "text", text: "### For which server?\nYou may publish videos for several." },
      {
        type: "select",
        target: { command: "video/publish", action: "server", args: { m: messageId } },
        placeholder: "Pick a server…",
        choices: servers.map(({ guildId, name }) => ({ label: name, value: guildId })),
      },
    ],
  };
}
