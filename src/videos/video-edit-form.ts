// The form in which a video's texts are changed.
import { oneLine } from "../core/text.ts";
import type { Modal, ModalField } from "../core/reply.ts";
import type { PublishedVideo } from "./videos.ts";
import { videoArgs } from "./video-args.ts";

const TITLE_LIMIT = 255;
/** What a field of Discord's holds; a longer text would come back cut. */
const FIELD_LIMIT = 4_000;

/** Shows what is there now. `isHere`: as for buttons. */
export function videoEditForm(video: PublishedVideo, isHere: boolean): Modal {
  const { id, title = "", description = "", status } = video;
  const fields: ModalField[] = [
    {
      type: "text",
      name: "title",
      label: "Title",
      lines: "one",
      value: title,
      maxLength: Math.max(TITLE_LIMIT, title.length),
      required: false,
    },
  ];
  if (description.length <= FIELD_LIMIT) {
    fields.push({
      type: "text",
      name: "description",
      label: "Description",
      lines: "many",
      value: description,
      maxLength: FIELD_LIMIT,
      required: false,
    });
  }
  if (status.stage === "scheduled") {
    fields.push({
      type: "text",
      name: "publishAt",
      label: "Another time to come out",
      description: "Empty: it stays as it is.",
      placeholder: "e.g. tomorrow 18:00",
      lines: "one",
      maxLength: 100,
      required: false,
    });
  }
  return {
    type: "modal",
    target: { command: "video/edit", action: "change", args: videoArgs.encode({ videoId: id, isHere }) },
    title: oneLine(`Edit ${title === "" ? "the video" : title}`, 45),
    fields,
  };
}
