// How a server wants its videos published, and what people did about them.
import type { ComponentTarget } from "../core/component-id.ts";
import { cutText } from "../core/cut-text.ts";
import { escapeMarkdown, type ContentBlock, type Reply } from "../core/reply.ts";
import type { Publication } from "../services/publish/publish.ts";
import type { VideoSettings, WrittenAct } from "../services/video-settings/video-settings.ts";
import { relativeTime } from "./duration.ts";
import { privateCard } from "./private-card.ts";
import { publicationTitle } from "./publication-words.ts";
import { videoActNote, videoActWords } from "./video-act-words.ts";

const HISTORY_ICON = "🕘";

/** Of a title, beside what was done. */
const NAME_SHOWN = 60;

/** Of what is noted beside an act. */
const NOTE_SHOWN = 120;

/** Acts of a page. */
export const ACTS_SHOWN = 10;

/** The settings as they are, under a sentence on what has just been done where there is one. */
export function videoSettingsView(settings: VideoSettings, done?: string): Reply {
  const { approvalChannelId, approverRoleId, publisherRoleId, timeZone } = settings;
  const all = "everyone who may use `/video`";
  const lines = [
    ...(done === undefined ? [] : [done]),
    "### Videos of this server",
    approvalChannelId === undefined
      ? "**Approval** none needed. To have somebody else look at each video first, name an `approval_channel`."
      : `**Approval** asked for in <#${approvalChannelId}>; nobody approves a video of their own`,
    ...(approvalChannelId === undefined
      ? []
      : [`**May approve** ${approverRoleId === undefined ? all : `<@&${approverRoleId}>`}`]),
    `**May publish and change** ${publisherRoleId === undefined ? all : `<@&${publisherRoleId}>`}`,
    `**Zone** ${escapeMarkdown(timeZone.replaceAll("_", " "))}, by which the times that people type are read`,
    "-# Who may use `/video` at all is set in Server Settings → Integrations; roles here only narrow that.",
  ];
  return privateCard([
    { type: "text", text: lines.join("\n") },
    {
      type: "buttons",
      buttons: [
        {
          type: "button",
          label: "History",
          emoji: HISTORY_ICON,
          target: historyTarget({}),
        },
      ],
    },
  ]);
}

/**
 * Who did what, the newest first; asked for with one more than are shown. `about` has the publications that they are
 * about, by id, as far as they are known.
 */
export function videoHistoryView(
  acts: readonly WrittenAct[],
  isFirst: boolean,
  about: ReadonlyMap<string, Publication>,
): Reply {
  const shown = acts.slice(0, ACTS_SHOWN);
  const last = shown.at(-1);
  const isMore = acts.length > ACTS_SHOWN && last !== undefined;
  const lines = shown.map((act) => {
    const publication = about.get(act.publicationId ?? "");
    // What was deleted has its title in the line already.
    return publication === undefined || act.note === publication.title
      ? actLine(act)
      : `${actLine(act)} · “${publicationTitle(publication, NAME_SHOWN)}”`;
  });
  const buttons: ContentBlock = {
    type: "buttons",
    buttons: [
      ...(isFirst ? [] : [{ type: "button" as const, label: "Newest", target: historyTarget({}) }]),
      ...(isMore
        ? [
            {
              type: "button" as const,
              label: "Older",
              target: historyTarget({ b: last.atMs.toString(36), i: last.id }),
            },
          ]
        : []),
    ],
  };
  return privateCard([
    {
      type: "text",
      text: [
        "### Who did what with this server's videos",
        ...(lines.length === 0 ? ["Nothing yet."] : lines),
      ].join("\n"),
    },
    ...(buttons.buttons.length === 0 ? [] : [buttons]),
  ]);
}

function historyTarget(args: Readonly<Record<string, string>>): ComponentTarget {
  return { command: "video/settings", action: "history", args };
}

/** e.g. `2 hours ago · <@7> approved it: Opening day`. */
export function actLine({ atMs, actorId, act, note }: WrittenAct): string {
  const who = actorId === undefined ? "I" : `<@${actorId}>`;
  const words = videoActNote(act, note);
  const about = words === undefined ? "" : `: ${escapeMarkdown(cutText(words, NOTE_SHOWN))}`;
  return `${relativeTime(atMs)} · ${who} ${videoActWords(act, note)}${about}`;
}
