// What an owner is told when their watch cannot go on: in a direct message, or, where those are closed, in the channel
// in which they asked for it. There others read it too, so it does not say what is watched.
import { escapeMarkdown, type Reply } from "../core/reply.ts";
import type { Watch } from "../services/watches/watches.ts";
import { ACCENT } from "./accent.ts";
import type { StationNames } from "./board-settings-words.ts";
import { watchButton } from "./watch-args.ts";
import { watchName } from "./watch-settings-words.ts";

/** Says that the watch is paused, why, and what to do. */
export function watchNoticeView(watch: Watch, stations: StationNames): Reply {
  return {
    blocks: [
      {
        type: "container",
        accent: ACCENT,
        blocks: [
          { type: "text", text: noticeText(watch, stations) },
          { type: "buttons", buttons: [watchButton("resume", watch.id), watchButton("stop", watch.id)] },
        ],
      },
    ],
  };
}

function noticeText({ ownerId, settings, pausedBecause, target }: Watch, stations: StationNames): string {
  const name = `**${watchName(settings, stations, escapeMarkdown)}**`;
  const where = target.kind === "channel" ? `in <#${target.channelId}>` : "there";
  switch (pausedBecause) {
    case "dm-closed":
      return `<@${ownerId}>, I cannot write to you, so a watch of yours is paused. Allow direct messages from members of this server in its privacy settings, or add me to your apps, and choose **Resume**.`;
    case "not-allowed":
      return `Your watch of ${name} is paused: I am no longer allowed to write ${where}. Give me **Send Messages** there (in a thread, **Send Messages in Threads**), and choose **Resume**.`;
    case "station-closed":
      return `Your watch of ${name} is paused: a station of it is no longer on my list of stations. \`/watch\` begins another.`;
    case "channel-gone":
    case undefined:
      return `Your watch of ${name} is paused: the channel that it told is gone, or I no longer see it. Let me see it again and choose **Resume**, or begin another with \`/watch\`.`;
  }
}
