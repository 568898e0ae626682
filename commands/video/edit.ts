import type { Reply } from "../../src/core/reply.ts";
import { defineCommand } from "../../src/discord/define.ts";
import type { PublicationTexts } from "../../src/videos/publishing/publish.ts";
import { videoFormArgs } from "../../src/videos/video-args.ts";
import { videoEditForm } from "../../src/videos/publication-form.ts";
import {
  answerWrite,
  requestOf,
  replaceOrPrivate,
  onVideo,
  showVideo,
  VIDEO_NEEDS,
  videoNamed,
  videoOption,
  type VideoContext,
} from "../../src/videos/video-command.ts";

function change(
  context: VideoContext,
  videoId: string,
  edit: PublicationTexts,
  seen?: string,
): Promise<Reply> {
  return answerWrite(
    context,
    { videoId, what: "the change was made", shownBy: "show" },
    (videos, asked) => videos.edit(asked, edit, seen),
    () => showVideo(context, videoId, "Changed."),
  );
}

async function openForm(context: VideoContext, videoId: string, replacesMessage: boolean) {
  return videoEditForm(
    await context.services.videos.readToEdit(await requestOf(context, videoId)),
    replacesMessage,
  );
}

export default defineCommand({
  description: "Edit a video's title, description or publish time",
  needs: VIDEO_NEEDS,
  defer: "private",
  options: {
    video: videoOption,
    title: { type: "string", description: "New title", maxLength: 255 },
    description: { type: "string", description: "New description", maxLength: 5_000 },
    publish_at: {
      type: "string",
      description: "When to publish it, e.g. tomorrow 18:00",
      maxLength: 60,
    },
  },
  async run({ options, ...context }) {
    const { title, description, publish_at: publishAt } = options;
    const video = await videoNamed(context, options.video);
    const isForm = title === undefined && description === undefined && publishAt === undefined;
    return isForm
      ? openForm(context, video, false)
      : change(context, video, { title, description, publishAt });
  },
  buttons: {
    form: onVideo((context, { videoId, replacesMessage }) => openForm(context, videoId, replacesMessage)),
  },
  modals: {
    change: {
      args: videoFormArgs,
      answers: replaceOrPrivate,
      run({ args, fields, seenVersion, ...context }) {
        // A field that was emptied has no value; a field that the form does not have is absent.
        const typed = (name: string) => fields[name] && (fields[name][0] ?? "");
        const edit = {
          title: typed("title"),
          description: typed("description"),
          publishAt: typed("publishAt"),
        };
        return change(context, args.videoId, edit, seenVersion ?? args.seen);
      },
    },
  },
});
