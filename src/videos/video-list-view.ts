// The videos of a server, a line each, with a menu that opens one.
import { oneLine, joinDots } from "../core/text.ts";
import {
  buttonTo,
  menu,
  type Part,
  type Reply,
  type SelectChoice,
  privateCard,
  textReply,
} from "../core/reply.ts";
import type { ListedVideo, VideoPage } from "./videos.ts";
import { listArgs } from "./video-args.ts";
import { standingWords } from "./publication-words.ts";
import {
  PLAIN_STAGES,
  countOf,
  formatDay,
  lengthWords,
  stageWords,
  timestamp,
  videoTitle,
} from "./video-words.ts";

/** Twenty-five of them fit into one message. */
const TITLE_LENGTH = 60;

/** Shows one part; `after` says which, and is absent for the first, above which stands what is under way. */
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
    after === undefined ? "### Videos, the newest first" : "### Older videos",
    items.map(listLine).join("\n") || (after === undefined ? "None yet." : "There are no more."),
    menu({ command: "video/list", action: "open" }, "Open a video…", open.map(videoChoice)),
    // The service leads forward only.
    [
      after !== undefined && buttonTo("Newest", { command: "video/list", action: "first" }),
      next !== undefined &&
        buttonTo("More", { command: "video/list", action: "page", args: listArgs.encode({ after: next }) }),
    ],
  ]);
}

/** What is not at the service yet can be acted on from here as well, should its message be gone. */
function underWayBlocks(underWay: VideoPage["underWay"]): readonly Part[] {
  if (underWay.length === 0) {
    return [];
  }
  const lines = underWay.map(
    ({ title, fileName, state }) => `${videoTitle(title ?? fileName, TITLE_LENGTH)} ${standingWords(state)}.`,
  );
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
    // What comes out later has its day in its stage, and nobody to see it yet.
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
