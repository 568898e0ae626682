import type { ComponentTarget } from "../core/component-id.ts";
import type { Modal, TextField } from "../core/reply.ts";
import { oneLine } from "../core/text.ts";
import { formatZone } from "../time/schedule.ts";
import { TITLE_LIMIT } from "./publishing/draft-videos.ts";
import { publicationArgs, videoFormArgs } from "./video-args.ts";
import type { Publication, PublicationTexts } from "./publishing/publish.ts";
import type { PublishedVideo } from "./videos.ts";
import { hashTexts } from "./video-words.ts";

/** Discord's limit for a field. The service allows longer descriptions, but a form would return them cut. */
const DESCRIPTION_LIMIT = 4_000;
const REASON_LIMIT = 300;

function textField(field: Omit<TextField, "type" | "required" | "value">, value?: string): TextField {
  return { type: "text", required: false, ...field, ...(value !== undefined && { value }) };
}

function titleField(title: string | undefined): TextField {
  const maxLength = Math.max(TITLE_LIMIT, title?.length ?? 0);
  return textField({ name: "title", label: "Title", lines: "one", maxLength }, title);
}

function descriptionField(description: string | undefined): TextField {
  const limits = { lines: "many", maxLength: DESCRIPTION_LIMIT } as const;
  return textField({ name: "description", label: "Description", ...limits }, description);
}

export function publicationForm(publication: Publication, target: ComponentTarget): Modal {
  const { title, description, timeZone } = publication;
  return {
    type: "modal",
    target,
    title: "Edit video details",
    fields: [
      titleField(title),
      descriptionField(description),
      textField(
        {
          name: "publishAt",
          label: "Publish time",
          description: `In ${formatZone(timeZone)}. Leave empty to publish straight away.`,
          placeholder: "e.g. tomorrow 18:00, Friday 9:30 or in 2 hours",
          lines: "one",
          maxLength: 60,
        },
        formatPublishAt(publication),
      ),
    ],
  };
}

/** Returns the form's values. An unchanged time is left out, because it may be too near to be accepted again. */
export function readPublicationForm(
  fields: Readonly<Record<string, readonly string[]>>,
  publication: Publication,
): PublicationTexts {
  const publishAt = fields["publishAt"]?.[0]?.trim();
  return {
    title: fields["title"]?.[0],
    description: fields["description"]?.[0],
    ...(publishAt !== formatPublishAt(publication) && { publishAt }),
  };
}

/** Returns the publish time as the form shows it and as people can type it, e.g. `2026-12-24 18:00`. */
function formatPublishAt({ publishAtMs, timeZone }: Publication): string | undefined {
  return publishAtMs === undefined
    ? undefined
    : Temporal.Instant.fromEpochMilliseconds(publishAtMs)
        .toZonedDateTimeISO(timeZone)
        .toPlainDateTime()
        .toString({ smallestUnit: "minute" })
        .replace("T", " ");
}

export function refuseForm(id: string): Modal {
  return {
    type: "modal",
    target: { command: "video/publication", action: "refuse", args: publicationArgs.encode({ id }) },
    title: "Refuse this video",
    fields: [
      {
        type: "text",
        name: "reason",
        label: "Why?",
        description: "Everyone who sees the publication can read it.",
        lines: "many",
        maxLength: REASON_LIMIT,
      },
    ],
  };
}

/** `replacesMessage`: as for buttons. */
export function videoEditForm(video: PublishedVideo, replacesMessage: boolean): Modal {
  const { id, title = "", description = "", status } = video;
  const args = videoFormArgs.encode({ videoId: id, replacesMessage, seen: hashTexts(video) });
  const time = textField({
    name: "publishAt",
    label: "New publish time",
    description: "Leave empty to keep the time it has.",
    placeholder: "e.g. tomorrow 18:00",
    lines: "one",
    maxLength: 60,
  });
  const isTooLong = description.length > DESCRIPTION_LIMIT;
  const hint = { description: "The description is too long for this form. Use /video edit to replace it." };
  return {
    type: "modal",
    target: { command: "video/edit", action: "change", args },
    title: oneLine(`Edit ${title === "" ? "the video" : title}`, 45),
    fields: [
      { ...titleField(title), ...(isTooLong && hint) },
      ...(isTooLong ? [] : [descriptionField(description)]),
      ...(status.stage === "scheduled" ? [time] : []),
    ],
  };
}
