// The forms of a publication: what is said of a video, and why it is refused.
import { Temporal } from "temporal-polyfill";
import type { ComponentTarget } from "../core/component-id.ts";
import type { Modal } from "../core/reply.ts";
import type { Publication, PublicationTexts } from "../services/publish/publish.ts";

/** Discord's form takes no more; the service would. */
const DESCRIPTION_LIMIT = 4_000;
const TITLE_LIMIT = 255;
const REASON_LIMIT = 300;

/** Fields `title`, `description` and `publishAt`, filled in with what there is. */
export function publicationForm(publication: Publication, target: ComponentTarget): Modal {
  const { title, description, timeZone } = publication;
  const at = formatPublishAt(publication);
  return {
    type: "modal",
    target,
    title: "What is said of the video",
    fields: [
      {
        type: "text",
        name: "title",
        label: "Title",
        lines: "one",
        required: false,
        maxLength: TITLE_LIMIT,
        ...(title !== undefined && { value: title }),
      },
      {
        type: "text",
        name: "description",
        label: "Description",
        lines: "many",
        required: false,
        maxLength: DESCRIPTION_LIMIT,
        ...(description !== undefined && { value: description }),
      },
      {
        type: "text",
        name: "publishAt",
        label: "When it goes out",
        description: `Empty for at once. E.g. tomorrow 18:00, Friday 9:30, in 2 hours; ${timeZone.replaceAll("_", " ")}`,
        lines: "one",
        required: false,
        maxLength: 60,
        ...(at !== undefined && { value: at }),
      },
    ],
  };
}

/** What the form says. A time that was left as it stood is no change: it may be too near to be set anew. */
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

/** When it goes out as the form shows it and anybody can type it, e.g. `2026-12-24 18:00`. */
function formatPublishAt({
  publishAtMs,
  timeZone,
}: Pick<Publication, "publishAtMs" | "timeZone">): string | undefined {
  return publishAtMs === undefined
    ? undefined
    : Temporal.Instant.fromEpochMilliseconds(publishAtMs)
        .toZonedDateTimeISO(timeZone)
        .toPlainDateTime()
        .toString({ smallestUnit: "minute" })
        .replace("T", " ");
}

/** Field `reason`. */
export function refuseForm(id: string): Modal {
  return {
    type: "modal",
    target: { command: "video/publication", action: "refuse", args: { p: id } },
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
