import { joinDots, joinLines, oneLine, upperFirst } from "../core/text.ts";
import {
  type Part,
  type Reply,
  type ReplyFile,
  type Row,
  type SelectChoice,
  buttonTo,
  menu,
  privateCard,
  textReply,
} from "../core/reply.ts";
import { listArgs, publicationButton, videoButton } from "./video-args.ts";
import type { DeletableVideo } from "./change-videos.ts";
import type { ListedVideo, PublishedVideo, ShownPicture, ShownVideo, VideoPage } from "./videos.ts";
import {
  PLAIN_STAGES,
  countOf,
  countsLine,
  formatDay,
  lengthWords,
  quotation,
  stageWords,
  timestamp,
  videoTitle,
} from "./video-words.ts";
import { STATE_WORDS, publicationTitle } from "./publication-words.ts";

const DESCRIPTION_LENGTH = 700;

/** `done`: says what has just been done, e.g. `Changed.` */
export function videoView(
  video: ShownVideo,
  { done, picture }: { readonly done?: string | undefined; readonly picture?: ShownPicture | undefined } = {},
): Reply {
  const { id, title, description, link, publicationId } = video;
  const counts = countsLine(video);
  const text = joinLines(
    done,
    `### ${videoTitle(title, 255)}`,
    description && quotation(description, DESCRIPTION_LENGTH),
    factsOf(video),
    counts && `**${counts}**`,
  );
  const buttons: Row = [
    videoButton("edit", id, { replacesMessage: true }),
    videoButton("comments", id, { replacesMessage: true }),
    videoButton("stats", id),
    videoButton("delete", id, { replacesMessage: true }),
    link !== undefined && { type: "link", label: "Watch", url: link },
  ];
  const history: Row = [
    publicationId !== undefined && publicationButton("details", { id: publicationId, forApprovers: false }),
  ];
  const { part, files } = withPicture(text, picture);
  return { ...privateCard([part, buttons, history]), files };
}

export function withPicture(
  text: string,
  picture: ShownPicture | undefined,
): { readonly part: Part; readonly files: readonly ReplyFile[] } {
  if (picture === undefined) {
    return { part: text, files: [] };
  }
  const file = { name: `video.${picture.type}`, bytes: picture.bytes, description: "A picture of the video" };
  const beside = { type: "thumbnail", file: file.name, description: file.description } as const;
  return { part: { type: "section", texts: [text], accessory: beside }, files: [file] };
}

function factsOf({ status, publishAtMs, createdAtMs, lengthSeconds }: PublishedVideo): string {
  const { stage, percent, problem } = status;
  return joinDots(
    upperFirst(stageWords({ stage, publishAtMs })) +
      (percent === undefined || stage !== "processing" ? "" : `, ${percent}%`),
    createdAtMs !== undefined && `uploaded ${timestamp(createdAtMs)}`,
    lengthSeconds !== undefined && lengthWords(lengthSeconds),
    problem !== undefined && `the video service says: ${videoTitle(problem)}`,
  );
}

// A video is deleted only after two questions, because the service cannot restore it.

export function confirmDeleteView(video: DeletableVideo, isSure: boolean): Reply {
  const { id, title, views, comments, isGone = false } = video;
  if (isGone) {
    return privateCard([
      `### Remove it from the list?\nThe video service no longer shows me **${videoTitle(title)}**: it was deleted there, or hidden. I can't delete it there, but I can take it off this server's list.`,
      [
        videoButton("remove", id, { replacesMessage: true }),
        videoButton("show", id, { replacesMessage: true, label: "Keep it" }),
      ],
    ]);
  }
  // Zero views or comments are not listed as a loss.
  const counts = [countOf(views || undefined, "view"), countOf(comments || undefined, "comment")].filter(
    (count) => count !== undefined,
  );
  const lost = counts.length === 0 ? "its views and comments" : `its ${counts.join(" and ")}`;
  const text = isSure
    ? `### Delete it for good?\n**${videoTitle(title)}** and ${lost} can't be brought back, either by me or by the video service.`
    : `### Delete this video?\n**${videoTitle(title)}** will disappear from the video service for everybody, with ${lost}.`;
  return privateCard([
    text,
    [
      videoButton(isSure ? "deleteForGood" : "deleteSure", id, { replacesMessage: true }),
      videoButton("show", id, { replacesMessage: true, label: "Keep it" }),
    ],
  ]);
}

/** `wasGone`: there was nothing that the bot could delete. */
export function videoDeletedView(wasGone = false): Reply {
  const what = wasGone
    ? "There was nothing left for me to delete: the video is gone, or no longer visible to me. If others can still see it, delete it on the account's own page."
    : "I've deleted the video.";
  return textReply(`${what} If it was published from here, its message will say so in a moment.`, "private");
}

/** `what` completes "whether …", e.g. `the title was changed`; `shownBy`: the action that would show it. */
export function unknownOutcomeView(what: string, videoId: string, shownBy: "show" | "comments"): Reply {
  return privateCard([
    `⚠️ The video service never said whether ${what}. As far as I can see, that hasn't happened yet, but it still may. Look again in a minute before you repeat it, so it doesn't happen twice.`,
    [videoButton(shownBy, videoId, { replacesMessage: true, label: "Look again" })],
  ]);
}

/** Twenty-five titles of this length fit into one message. */
const TITLE_LENGTH = 60;

/** The first page, without `after`, begins with the publications in progress. */
export function videoListView({ items, after: next, underWay }: VideoPage, after: string | undefined): Reply {
  if (items.length === 0 && after === undefined && underWay.length === 0) {
    return textReply(
      "This server hasn't published any videos yet. Attach one to `/video publish`: you'll see a preview before anything is sent.",
      "private",
    );
  }
  const open = items.filter(({ stage }) => stage !== "gone");
  return privateCard([
    ...underWayBlocks(underWay),
    after === undefined ? "### Videos, newest first" : "### Older videos",
    items.map(listLine).join("\n") || (after === undefined ? "None yet." : "There are no more."),
    menu({ command: "video/list", action: "open" }, "Open a video…", open.map(videoChoice)),
    // The service's cursors lead only forwards, so there is no button for the page before.
    [
      after !== undefined && buttonTo("Newest", { command: "video/list", action: "first" }),
      next !== undefined &&
        buttonTo("Older", { command: "video/list", action: "page", args: listArgs.encode({ after: next }) }),
    ],
  ]);
}

/** Also lists publications that the service does not have yet, because their own message may have been deleted. */
function underWayBlocks(underWay: VideoPage["underWay"]): readonly Part[] {
  if (underWay.length === 0) {
    return [];
  }
  const lines = underWay.map((one) => `${publicationTitle(one, TITLE_LENGTH)} ${STATE_WORDS[one.state]}.`);
  return [
    ["### Not out yet", ...lines].join("\n"),
    menu(
      { command: "video/publication", action: "open" },
      "See how far one is…",
      underWay.map(({ id, title, fileName }) => ({
        label: oneLine(title ?? fileName, 100),
        value: id,
      })),
    ),
  ];
}

function listLine(video: ListedVideo): string {
  const { title, createdAtMs, lengthSeconds, views, stage } = video;
  return joinDots(
    `**${videoTitle(title, TITLE_LENGTH)}**`,
    // A scheduled video has no viewers yet, and its state already shows the day.
    createdAtMs !== undefined && stage !== "scheduled" && timestamp(createdAtMs, "d"),
    stage !== "published" && stageWords(video),
    lengthSeconds !== undefined && lengthWords(lengthSeconds),
    stage !== "scheduled" && countOf(views, "view"),
  );
}

function videoChoice({ id, title, createdAtMs, views, stage }: ListedVideo): SelectChoice {
  return {
    label: oneLine(title ?? "Untitled video", 100),
    value: id,
    description: joinDots(
      createdAtMs !== undefined && formatDay(createdAtMs),
      PLAIN_STAGES[stage],
      countOf(views, "view"),
    ),
  };
}
