// The steps to set up the bot in a server, and which of them are done.
import type { ComponentTarget } from "../core/component-id.ts";
import { type Reply, buttonTo, privateCard } from "../core/reply.ts";

export interface Setup {
  /** The number of the server's boards; `undefined` if the bot has no live trains. */
  readonly boards: number | undefined;
  /** `undefined` if publishing is not set up. Without a channel, videos need no approval. */
  readonly videos: { readonly approvalChannelId?: string | undefined } | undefined;
}

const FIRST_BOARD: ComponentTarget = { command: "board/first", action: "form", args: {} };
const VIDEO_SETTINGS: ComponentTarget = { command: "video/settings", action: "show", args: {} };

export function setupView({ boards, videos }: Setup): Reply {
  return privateCard([
    "### Set me up in this server",
    boards !== undefined && boardsLine(boards),
    videos && videosLine(videos.approvalChannelId),
    "⚙️ **Who may use what**\nIn **Server Settings → Integrations**, choose the roles, people and channels for each command.",
    [
      boards !== undefined &&
        buttonTo(boards === 0 ? "First board" : "Another board", FIRST_BOARD, { style: "primary" }),
      videos && buttonTo("Video settings", VIDEO_SETTINGS),
    ],
  ]);
}

function boardsLine(boards: number): string {
  return boards === 0
    ? "▫️ **A departure board**\n**First board** puts one in this channel, once you've seen it. For another channel, use `/setup` there."
    : `✅ **Departure boards**\nThis server has ${boards === 1 ? "one" : boards}; \`/board list\` shows ${boards === 1 ? "it" : "them"}.`;
}

function videosLine(channelId: string | undefined): string {
  return channelId === undefined
    ? "▫️ **Videos**\nNobody has to approve them yet. **Video settings** says how to choose who publishes and who approves."
    : `✅ **Videos**\nSomebody approves each of them in <#${channelId}>.`;
}
